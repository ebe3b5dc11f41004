/* SPDX-License-Identifier: Apache-2.0
 *
 * The integers of which the elements of exact sums in spans consist (kernel_table.h): of 128 bits,
 * for a plane. An element is the sum of its integers of all planes.
 */
#ifndef REAP_REDUCTION_EXACT_NUMBER_H
#define REAP_REDUCTION_EXACT_NUMBER_H

#include "src/reduction/exact.h"

/* As it lies in memory, where a processor with 128-bit integers has one. */
struct reap__exact_number {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    int64_t high;
    uint64_t low;
#else
    uint64_t low;
    int64_t high;
#endif
};

/* Beyond the planes of finite values: what the highest of those carries; counts of values that are
 * not finite. */
enum { REAP__CARRY_PLANE = REAP__PLANES, REAP__SPECIAL_PLANE, REAP__ALL_PLANES };

/* Whether the sum of this reduction's span is exact. */
static inline bool reap__is_exact_span(const struct reap__reduction *reduction)
{
    return reduction->is_builtin && reduction->built_in == REAP__OPERATION_plus &&
           (reduction->number == REAP__IS_FLOAT || reduction->number == REAP__IS_DOUBLE);
}

/* A value that is not 0, as a number of a plane. */
struct reap__exact_number reap__exact_number_of(double value, unsigned *plane);

/* Adds a number to that of the same plane, and to `at` what that has no bits for, a number of the
 * next plane; returns whether there is some. */
bool reap__exact_number_add(struct reap__exact_number *into, struct reap__exact_number number,
                            struct reap__exact_number *carry);

/* An element's numbers, of which none is 0, by plane. */
struct reap__exact_element {
    size_t count;
    struct reap__exact_number numbers[REAP__ALL_PLANES];
    unsigned planes[REAP__ALL_PLANES];
};

/* variable = the sum of variable, start and the element, rounded once. `start`: of the reduction's
 * type, usually -0, which changes nothing. */
void reap__exact_element_store(const struct reap__reduction *reduction,
                               const struct reap__exact_element *element, const void *start,
                               void *variable);

#endif
