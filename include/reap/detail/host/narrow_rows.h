/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of narrow types, combined as vectors of floats: the processor converts halves (F16C), shifts
 * convert bfloat16.
 *
 * Compilers do not vectorise with the processor's conversions, and bit operations on single values
 * take several times as many instructions. So if a loop over a row of lanes reduces a narrow type
 * with a built-in operator, the lanes are floats for all rows of the leaf, items only store their
 * values, and one of these functions combines the row of values with the lanes. The conversions are
 * exact, and round as reap_half_from_float and reap_bfloat16_from_float do, in every mode of the
 * processor. An item that combines nothing stores a value that changes no lane. Halves on
 * processors without F16C, and parts of rows, use the operators of operators.h.
 */
#ifndef REAP_DETAIL_HOST_NARROW_ROWS_H
#define REAP_DETAIL_HOST_NARROW_ROWS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/bfloat16.h>
#include <reap/detail/host/isa.h>
#include <reap/detail/host/operators.h>
#include <reap/half.h>
#include <string.h>

/* The rounding of the conversions. */
enum { REAP__TO_NEAREST = 0, REAP__MODE_OF_PROCESSOR = 4 };

/* Here and in narrow_rows_tmpl.h the last operator that takes narrow types is maximum: the code
 * would take a new one for it. */
_Static_assert(REAP__OPERATION_COUNT == 11,
               "narrow_rows.h has the operators that take narrow types");

/* The bytes of the vectors in an instruction set's code; whether its code converts halves. (A Xeon
 * has one unit for the conversions, which takes as long for sixteen as for eight.) */
#ifdef __F16C__
#define REAP__VECTOR_plain_ 32
#else
#define REAP__VECTOR_plain_ 16
#endif
#define REAP__VECTOR_v3_ 32
#define REAP__VECTOR_v4_ 64
#define REAP__HAS_ROWS_OF(vector, number)                                                          \
    ((number) == REAP__IS_HALF ? (vector) >= 32 : (number) == REAP__IS_BFLOAT16 && (vector) > 0)

#define REAP__BYTES 16
#define REAP__TARGET
#include <reap/detail/host/narrow_rows_tmpl.h>
#if defined(REAP__SEVERAL_ISAS) || defined(__F16C__)
#define REAP__BYTES 32
#ifdef REAP__SEVERAL_ISAS
#define REAP__TARGET __attribute__((__target__("avx2,f16c")))
#else
#define REAP__TARGET
#endif
#define REAP__TO_FLOATS(halves) __builtin_ia32_vcvtph2ps256(halves)
#define REAP__TO_HALVES(floats) __builtin_ia32_vcvtps2ph256(floats, REAP__TO_NEAREST)
#define REAP__LESSER(b, a) __builtin_ia32_minps256(b, a)
#define REAP__GREATER(b, a) __builtin_ia32_maxps256(b, a)
#include <reap/detail/host/narrow_rows_tmpl.h>
#endif
#ifdef REAP__SEVERAL_ISAS
/* The type of this mask differs. */
#ifdef __clang__
#define REAP__ALL_LANES ((unsigned short)-1)
#define REAP__LESSER(b, a) __builtin_ia32_minps512(b, a, REAP__MODE_OF_PROCESSOR)
#define REAP__GREATER(b, a) __builtin_ia32_maxps512(b, a, REAP__MODE_OF_PROCESSOR)
#else
#define REAP__ALL_LANES ((short)-1)
#define REAP__LESSER(b, a)                                                                         \
    __builtin_ia32_minps512_mask(b, a, a, REAP__ALL_LANES, REAP__MODE_OF_PROCESSOR)
#define REAP__GREATER(b, a)                                                                        \
    __builtin_ia32_maxps512_mask(b, a, a, REAP__ALL_LANES, REAP__MODE_OF_PROCESSOR)
#endif
#define REAP__BYTES 64
#define REAP__TARGET __attribute__((__target__("avx512f")))
#define REAP__TO_FLOATS(halves)                                                                    \
    __builtin_ia32_vcvtph2ps512_mask(halves, (REAP__NAMED(reap__floats)){0}, REAP__ALL_LANES,      \
                                     REAP__MODE_OF_PROCESSOR)
#define REAP__TO_HALVES(floats)                                                                    \
    __builtin_ia32_vcvtps2ph512_mask(floats, REAP__TO_NEAREST, (REAP__NAMED(reap__halves)){0},     \
                                     (unsigned short)-1)
#include <reap/detail/host/narrow_rows_tmpl.h>
#endif

/* Calls a function of narrow_rows_tmpl.h for vectors of so many bytes, or fewer if the code has no
 * such vectors. */
#ifdef REAP__SEVERAL_ISAS
#define REAP__BY_VECTOR(vector, function, ...)                                                     \
    ((vector) == 64   ? function##_64(__VA_ARGS__)                                                 \
     : (vector) == 32 ? function##_32(__VA_ARGS__)                                                 \
                      : function##_16(__VA_ARGS__))
#elif defined(__F16C__)
#define REAP__BY_VECTOR(vector, function, ...) function##_32(__VA_ARGS__)
#else
#define REAP__BY_VECTOR(vector, function, ...) function##_16(__VA_ARGS__)
#endif

/* Returns the position of lane `l` among the floats, as `reap__widen` orders them. */
REAP__INLINE size_t reap__wide_lane(enum reap__number number, size_t vector, size_t l)
{
    const size_t pair = vector / 2, nth = l % pair;
    return number == REAP__IS_HALF ? l : l - nth + nth % 2 * (pair / 2) + nth / 2;
}

/* Returns the bits of the value that changes no lane: for sums -0, since +0 would turn -0 into
 * +0. */
REAP__INLINE uint16_t reap__neutral_bits(enum reap__number number, enum reap__operation operation)
{
    const unsigned one = number == REAP__IS_HALF ? REAP__UNIT_half.bits : REAP__UNIT_bfloat16.bits;
    const unsigned infinity =
        number == REAP__IS_HALF ? REAP__HIGHEST_half.bits : REAP__HIGHEST_bfloat16.bits;
    return (uint16_t)(operation == REAP__OPERATION_plus         ? 0x8000u
                      : operation == REAP__OPERATION_multiplies ? one
                      : operation == REAP__OPERATION_minimum    ? infinity
                                                                : 0x8000u | infinity);
}

#define REAP__NARROW_COMBINE(name, T, ...)                                                         \
    REAP__INLINE T reap__operate_##name(enum reap__operation operation, T a, T b)                  \
    {                                                                                              \
        if (operation == REAP__OPERATION_plus)                                                     \
            return reap__plus_##name(a, b);                                                        \
        if (operation == REAP__OPERATION_multiplies)                                               \
            return reap__multiplies_##name(a, b);                                                  \
        return operation == REAP__OPERATION_minimum ? reap__minimum_##name(a, b)                   \
                                                    : reap__maximum_##name(a, b);                  \
    }                                                                                              \
    REAP__INLINE void reap__combine_##name(enum reap__operation operation, float *lane, T value)   \
    {                                                                                              \
        *lane = T##_to_float(reap__operate_##name(operation, T##_from_float(*lane), value));       \
    }
REAP__NARROW_TYPES(REAP__NARROW_COMBINE)
#undef REAP__NARROW_COMBINE

/* Stores the neutral value, before an item runs. */
REAP__INLINE void reap__begin_narrow(enum reap__number number, enum reap__operation operation,
                                     void *stored)
{
    *(uint16_t *)stored = reap__neutral_bits(number, operation);
}

/* Combines a value of an item. The first one replaces the neutral value, as the compiler knows if
 * items are independent. Before a further one is stored, the lane combines the stored one. */
REAP__INLINE void reap__store_narrow(enum reap__number number, enum reap__operation operation,
                                     void *stored, float *lane, const void *value)
{
    if (*(uint16_t *)stored != reap__neutral_bits(number, operation)) {
        if (number == REAP__IS_HALF)
            reap__combine_half(operation, lane, *(reap_half *)stored);
        else
            reap__combine_bfloat16(operation, lane, *(reap_bfloat16 *)stored);
    }
    *(uint16_t *)stored = *(const uint16_t *)value;
}

#endif
