/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of halves, combined by the processor's own conversions (F16C), eight or sixteen lanes at a
 * time.
 *
 * Compilers do not make vectors of these conversions, and bit operations take five times as many
 * instructions. So where a loop over a row of lanes reduces halves with a built-in operator, its
 * items only store their values, and one of these functions combines the row of them with the
 * lanes. The conversions are exact, and round as reap_half_from_float does, in every mode of the
 * processor. An item that combines nothing stores a value that changes no lane. Processors without
 * F16C, and parts of rows, have the operators of operators.h.
 */
#ifndef REAP_DETAIL_HOST_HALF_ROWS_H
#define REAP_DETAIL_HOST_HALF_ROWS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/isa.h>
#include <reap/detail/host/operators.h>
#include <reap/half.h>
#include <string.h>

/* The rounding of the conversions. */
enum { REAP__TO_NEAREST = 0, REAP__MODE_OF_PROCESSOR = 4 };

/* Here and in half_rows_tmpl.h the last of the operators that take halves is maximum. A new one
 * that does not say so here would be taken for it. */
_Static_assert(REAP__OPERATION_COUNT == 11, "half_rows.h has the operators that take halves");

/* The value that changes no lane: for sums -0, since +0 would make +0 of a -0. */
REAP__INLINE reap_half reap__neutral_half(enum reap__operation operation)
{
    return operation == REAP__OPERATION_plus         ? reap__half_of(0x8000)
           : operation == REAP__OPERATION_multiplies ? REAP__IDENTITY_multiplies(_half)
           : operation == REAP__OPERATION_minimum    ? REAP__IDENTITY_minimum(_half)
                                                     : REAP__IDENTITY_maximum(_half);
}

/* How many halves the code for an instruction set converts at once; 0: it has no F16C. (A Xeon has
 * one unit for the conversions, which takes as long for sixteen as for eight.) */
#ifdef __F16C__
#define REAP__HALVES_plain_ 8
#else
#define REAP__HALVES_plain_ 0
#endif
#define REAP__HALVES_v3_ 8
#define REAP__HALVES_v4_ 16

/* REAP__COMBINE_HALVES(count, operation, lanes, values, lane_count) calls the function for `count`
 * halves at once, where the code has it. */
#define REAP__COMBINE_HALVES(at_once, ...)                                                         \
    do {                                                                                           \
        if ((at_once) == 16)                                                                       \
            reap__combine_halves_16(__VA_ARGS__);                                                  \
        else                                                                                       \
            reap__combine_halves_8(__VA_ARGS__);                                                   \
    } while (0)

#if defined(REAP__SEVERAL_ISAS) || defined(__F16C__)
#define REAP__HALVES 8
#define REAP__TARGET "avx,f16c"
#define REAP__TO_FLOATS(halves) __builtin_ia32_vcvtph2ps256(halves)
#define REAP__TO_HALVES(floats) __builtin_ia32_vcvtps2ph256(floats, REAP__TO_NEAREST)
#include <reap/detail/host/half_rows_tmpl.h>
#else
REAP__INLINE void reap__combine_halves_8(enum reap__operation operation, void *lanes,
                                         const void *values, size_t count)
{
    (void)operation, (void)lanes, (void)values, (void)count;
}
#endif
#ifdef REAP__SEVERAL_ISAS
/* The type of this mask differs. */
#ifdef __clang__
#define REAP__ALL_LANES ((unsigned short)-1)
#else
#define REAP__ALL_LANES ((short)-1)
#endif
#define REAP__HALVES 16
#define REAP__TARGET "avx512f"
#define REAP__TO_FLOATS(halves)                                                                    \
    __builtin_ia32_vcvtph2ps512_mask(halves, (REAP__NAMED(reap__floats)){0}, REAP__ALL_LANES,      \
                                     REAP__MODE_OF_PROCESSOR)
#define REAP__TO_HALVES(floats)                                                                    \
    __builtin_ia32_vcvtps2ph512_mask(floats, REAP__TO_NEAREST, (REAP__NAMED(reap__halves)){0},     \
                                     (unsigned short)-1)
#include <reap/detail/host/half_rows_tmpl.h>
#else
REAP__INLINE void reap__combine_halves_16(enum reap__operation operation, void *lanes,
                                          const void *values, size_t count)
{
    (void)operation, (void)lanes, (void)values, (void)count; /* no code has sixteen at once */
}
#endif

/* An item begins, whose value goes there. */
REAP__INLINE void reap__begin_half(enum reap__operation operation, void *stored)
{
    *(reap_half *)stored = reap__neutral_half(operation);
}

/* An item combines a value: the first one takes the place of the neutral value, which where items
 * are independent the compiler knows; the lane takes that one before a second one comes. */
REAP__INLINE void reap__store_half(enum reap__operation operation, void *stored, void *lane,
                                   const void *value)
{
    reap_half *const to = (reap_half *)stored, *const into = (reap_half *)lane;
    if (to->bits != reap__neutral_half(operation).bits)
        *into = operation == REAP__OPERATION_plus         ? reap__plus_half(*into, *to)
                : operation == REAP__OPERATION_multiplies ? reap__multiplies_half(*into, *to)
                : operation == REAP__OPERATION_minimum    ? reap__minimum_half(*into, *to)
                                                          : reap__maximum_half(*into, *to);
    *to = *(const reap_half *)value;
}

#endif
