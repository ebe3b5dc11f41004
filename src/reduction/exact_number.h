/* SPDX-License-Identifier: Apache-2.0
 *
 * The integers of exact sums in spans (kernel_table.h). An element is the sum of its integers of
 * all planes.
 */
#ifndef REAP_REDUCTION_EXACT_NUMBER_H
#define REAP_REDUCTION_EXACT_NUMBER_H

#include "src/reduction/exact.h"

/* The integer of a sum of doubles, as a processor with 128-bit integers stores it. That of a sum of
 * floats is an int64_t. */
struct reap__exact_number {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    int64_t high;
    uint64_t low;
#else
    uint64_t low;
    int64_t high;
#endif
};

/* Two planes follow those of finite doubles: carries of the highest of those, and counts of values
 * that are not finite. (The planes of floats carry into the next one.) */
enum { REAP__CARRY_PLANE = REAP__PLANES, REAP__SPECIAL_PLANE, REAP__ALL_PLANES };

/* An integer of the special plane has three counts of so many bits, above the lowest bit: of NaNs,
 * infinities, minus infinities. */
enum { REAP__SPECIAL_BITS = 20 };

/* Whether the reduction is a floating-point sum, which is exact in spans. */
static inline bool reap__is_exact_span(const struct reap__reduction *reduction)
{
    return reduction->is_builtin && reduction->built_in == REAP__OPERATION_plus &&
           (reduction->number == REAP__IS_FLOAT || reduction->number == REAP__IS_DOUBLE);
}

/* Returns an integer in memory. `is_double` (here and below): of a sum of doubles. */
static inline struct reap__exact_number reap__exact_number_get(const void *at, bool is_double)
{
    const int64_t single = is_double ? 0 : *(const int64_t *)at;
    return is_double ? *(const struct reap__exact_number *)at
                     : (struct reap__exact_number){.low = (uint64_t)single, .high = single >> 63};
}

/* Returns the factor that turns a float of a plane into its integer there. */
double reap__exact_float_scale(unsigned plane);

/* Returns the integer of a value that is not 0, and its plane. */
struct reap__exact_number reap__exact_number_of(double value, bool is_double, unsigned *plane);

/* Adds an integer to that of the same plane in memory. If it overflows, returns true, and in *carry
 * the integer to add to the next plane. */
bool reap__exact_number_add(void *into, bool is_double, struct reap__exact_number number,
                            struct reap__exact_number *carry);

/* The sum of an element's integers of one plane. */
struct reap__exact_part {
    struct reap__exact_number number; /* not 0 */
    unsigned plane;
};

/* variable = the sum of variable, start and the parts (at least one), rounded once. `start` has the
 * reduction's type, and is usually -0, which changes nothing. */
void reap__exact_element_store(const struct reap__reduction *reduction,
                               const struct reap__exact_part *parts, size_t count,
                               const void *start, void *variable);

/* Adds the parts to the words of an element, an exact sum (kernel_table.h), and counts it among the
 * values other than -0. */
void reap__exact_element_add(const struct reap__reduction *reduction,
                             const struct reap__exact_part *parts, size_t count, uint64_t *words);

/* reap__exact_element_store for many contiguous elements, each of which has one integer, or 0:
 * none. */
void reap__exact_numbers_store(const struct reap__reduction *reduction, unsigned plane,
                               const struct reap__exact_number *numbers, size_t count,
                               const void *start, void *variables);

/* The same for REAP__EXACT_BLOCK floats. Their integers of one plane are the sums of those of some
 * sources, with the flag in the lowest bits. Returns false and stores nothing if the result would
 * not be exact in double. */
bool reap__exact_floats_store(unsigned plane, const int64_t *const *sources, size_t source_count,
                              const void *start, float *variables);

#endif
