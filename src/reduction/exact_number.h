/* SPDX-License-Identifier: Apache-2.0
 *
 * The integers of which the elements of exact sums in spans consist (kernel_table.h). An element is
 * the sum of its integers of all planes.
 */
#ifndef REAP_REDUCTION_EXACT_NUMBER_H
#define REAP_REDUCTION_EXACT_NUMBER_H

#include "src/reduction/exact.h"

/* As a double's lies in memory, where a processor with 128-bit integers has one; a float's is an
 * int64_t. */
struct reap__exact_number {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    int64_t high;
    uint64_t low;
#else
    uint64_t low;
    int64_t high;
#endif
};

/* Beyond the planes of finite doubles: what the highest of those carries; counts of values that are
 * not finite. (The planes of floats carry to the next ones.) */
enum { REAP__CARRY_PLANE = REAP__PLANES, REAP__SPECIAL_PLANE, REAP__ALL_PLANES };

/* A number of the special plane has three counts of so many bits, above the lowest bit: of NaNs, of
 * infinite values, of minus infinite ones. */
enum { REAP__SPECIAL_BITS = 20 };

/* Whether the sum of this reduction's span is exact. */
static inline bool reap__is_exact_span(const struct reap__reduction *reduction)
{
    return reduction->is_builtin && reduction->built_in == REAP__OPERATION_plus &&
           (reduction->number == REAP__IS_FLOAT || reduction->number == REAP__IS_DOUBLE);
}

/* A number in memory. `is_double`: of a sum of doubles, here and in the following. */
static inline struct reap__exact_number reap__exact_number_get(const void *at, bool is_double)
{
    const int64_t single = is_double ? 0 : *(const int64_t *)at;
    return is_double ? *(const struct reap__exact_number *)at
                     : (struct reap__exact_number){.low = (uint64_t)single, .high = single >> 63};
}

/* What a float of a plane is multiplied by for its number there. */
double reap__exact_float_scale(unsigned plane);

/* A value that is not 0, as a number of a plane. */
struct reap__exact_number reap__exact_number_of(double value, bool is_double, unsigned *plane);

/* Adds a number to that of the same plane in memory, and to `carry` what that has no bits for, a
 * number of the next plane; returns whether there is some. */
bool reap__exact_number_add(void *into, bool is_double, struct reap__exact_number number,
                            struct reap__exact_number *carry);

/* The sum of an element's numbers of one plane. */
struct reap__exact_part {
    struct reap__exact_number number; /* not 0 */
    unsigned plane;
};

/* variable = the sum of variable, start and the parts, of which there are some, rounded once.
 * `start`: of the reduction's type, usually -0, which changes nothing. */
void reap__exact_element_store(const struct reap__reduction *reduction,
                               const struct reap__exact_part *parts, size_t count,
                               const void *start, void *variable);

/* Adds the parts to an element's words, those of an exact sum (kernel_table.h), and counts it among
 * the values that are not -0. */
void reap__exact_element_add(const struct reap__reduction *reduction,
                             const struct reap__exact_part *parts, size_t count, uint64_t *words);

/* The same for many elements, side by side, each of which has one number, or 0: none. */
void reap__exact_numbers_store(const struct reap__reduction *reduction, unsigned plane,
                               const struct reap__exact_number *numbers, size_t count,
                               const void *start, void *variables);

/* The same for REAP__EXACT_BLOCK elements of float, whose numbers of one plane are the sums of
 * those of some sources, which have the flag in their lowest bits; false, and nothing is stored,
 * where that is not computed exactly in double. */
bool reap__exact_floats_store(unsigned plane, const int64_t *const *sources, size_t source_count,
                              const void *start, float *variables);

#endif
