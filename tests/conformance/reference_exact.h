/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums for the reference: a fixed-point number of 2304 bits, to which values are added one by
 * one with all carries, and which is rounded by bisection over the floating-point numbers.
 */
#ifndef TESTS_CONFORMANCE_REFERENCE_EXACT_H
#define TESTS_CONFORMANCE_REFERENCE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

/* Two's complement; bit 0 counts 2^-1074. */
enum { REFERENCE_WORDS = 36 };
struct reference_fixed {
    uint64_t word[REFERENCE_WORDS];
};

/* What a sum has seen; all zeros: nothing. */
struct reference_sum {
    struct reference_fixed sum;
    bool has_nan, has_plus, has_minus, has_others; /* infinities; values other than -0 */
};

void reference_sum_add(struct reference_sum *all, double value);

/* The bits of the sum, rounded once, to a float or a double; -0 if only -0 was added, or nothing.
 */
uint64_t reference_sum_bits(const struct reference_sum *all, bool is_double);

#endif
