/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of halves, combined by the processor's own conversions (F16C), eight lanes at a time.
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

enum { REAP__HALVES_AT_ONCE = 8 };

/* The value that changes no lane: for sums -0, since +0 would make +0 of a -0. */
REAP__INLINE reap_half reap__neutral_half(enum reap__operation operation)
{
    return operation == REAP__OPERATION_plus         ? reap__half_of(0x8000)
           : operation == REAP__OPERATION_multiplies ? REAP__IDENTITY_multiplies(_half)
           : operation == REAP__OPERATION_minimum    ? REAP__IDENTITY_minimum(_half)
                                                     : REAP__IDENTITY_maximum(_half);
}

/* Whether the code for an instruction set has F16C. */
#ifdef __F16C__
#define REAP__HAS_F16C_plain_ 1
#else
#define REAP__HAS_F16C_plain_ 0
#endif
#define REAP__HAS_F16C_v3_ 1
#define REAP__HAS_F16C_v4_ 1

#if defined(REAP__SEVERAL_ISAS) || defined(__F16C__)
typedef float reap__eight_floats __attribute__((__vector_size__(32)));
typedef int reap__eight_words __attribute__((__vector_size__(32)));
typedef short reap__eight_halves __attribute__((__vector_size__(16)));
#define REAP__WITH_F16C __attribute__((__target__("avx,f16c")))

REAP__INLINE REAP__WITH_F16C reap__eight_floats reap__floats_of_halves(const reap_half *from)
{
    reap__eight_halves halves;
    memcpy(&halves, from, sizeof halves);
    return __builtin_ia32_vcvtph2ps256(halves);
}

REAP__INLINE REAP__WITH_F16C void reap__halves_of_floats(reap_half *into, reap__eight_floats from)
{
    enum { TO_NEAREST = 0 };
    const reap__eight_halves halves = __builtin_ia32_vcvtps2ph256(from, TO_NEAREST);
    memcpy(into, &halves, sizeof halves);
}

/* In each element b if the first one is less than the second one, else a. */
REAP__INLINE REAP__WITH_F16C reap__eight_floats reap__second_if_less(reap__eight_floats first,
                                                                     reap__eight_floats second,
                                                                     reap__eight_floats a,
                                                                     reap__eight_floats b)
{
    const reap__eight_words is_less = first < second;
    return (reap__eight_floats)((is_less & (reap__eight_words)b) |
                                (~is_less & (reap__eight_words)a));
}

/* into[l] = op(a[l], b[l]) for eight lanes. */
REAP__INLINE REAP__WITH_F16C void reap__combine_eight_halves(enum reap__operation operation,
                                                             reap_half *into, const reap_half *left,
                                                             const reap_half *right)
{
    const reap__eight_floats a = reap__floats_of_halves(left), b = reap__floats_of_halves(right);
    reap__halves_of_floats(into, operation == REAP__OPERATION_plus         ? a + b
                                 : operation == REAP__OPERATION_multiplies ? a * b
                                 : operation == REAP__OPERATION_minimum
                                     ? reap__second_if_less(b, a, a, b)
                                     : reap__second_if_less(a, b, a, b));
}

/* lanes[l] = op(lanes[l], values[l]) for lanes of which the count is a multiple of eight. */
REAP__INLINE REAP__WITH_F16C void reap__combine_halves(enum reap__operation operation, void *lanes,
                                                       const void *values, size_t count)
{
    reap_half *const into = (reap_half *)lanes;
    for (size_t l = 0; l < count; l += REAP__HALVES_AT_ONCE)
        reap__combine_eight_halves(operation, into + l, into + l, (const reap_half *)values + l);
}
#else
/* Never called. */
REAP__INLINE void reap__combine_halves(enum reap__operation operation, void *lanes,
                                       const void *values, size_t count)
{
    (void)operation, (void)lanes, (void)values, (void)count;
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
