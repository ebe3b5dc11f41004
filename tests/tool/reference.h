/* SPDX-License-Identifier: Apache-2.0
 *
 * What `reap describe` should find: the simplest loops there are, in long double.
 */
#ifndef TESTS_CLI_REFERENCE_H
#define TESTS_CLI_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

struct reference {
    size_t count, nans, infinities;
    size_t minimum_at, maximum_at; /* in the values' order; the first of equal ones */
    long double minimum, maximum;
    long double sum;      /* of all values except NaNs */
    long double absolute; /* the sum of absolute values, by which a sum's error is measured */
    int64_t sum_high;     /* integers: the sum is sum_high * 2^32 + sum_low, */
    uint32_t sum_low;     /* exactly */
    long double mean, deviation;
    long double skewness;
    long double absolute_skewness; /* with the absolute values of the cubes: measures its error */
};

void reference_describe(const long double *values, size_t count, struct reference *found);

#endif
