/* SPDX-License-Identifier: Apache-2.0
 *
 * Data that are hard to add: huge ranges of exponents, sums that cancel (Demmel and Hida, "Accurate
 * and efficient floating point summation", 2003), ties, subnormals, sums that overflow on the way,
 * special values; and short numbers, of which sums are faster.
 */
#ifndef TESTS_CONFORMANCE_EXACT_DATA_H
#define TESTS_CONFORMANCE_EXACT_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum exact_data {
    UNIFORM,     /* from -1 to 1 */
    HUGE_RANGE,  /* exponents from -1074 to 1023 */
    LARGE_RANGE, /* from -300 to 300 */
    CANCELLING,  /* pairs of opposite numbers apart, and a few small ones */
    TIES,        /* a number and halves of its last bit, and hardly more */
    SUBNORMAL,   /* and the smallest normal numbers */
    LARGEST,     /* the sum overflows on the way */
    SPECIAL,     /* with infinities and NaN */
    ZEROS,       /* of both signs, or one */
    SHORT,       /* of 24 bits, with exponents from -30 to 0 */
    EQUAL,       /* one number */
    CHANGING,    /* some hundred values of a kind, then of another one */
    DATA
};

struct exact_source {
    uint64_t state;
    bool is_double;
};

/* A random number below 1 in magnitude, times a power of two from the range. */
double exact_with_exponents(struct exact_source *source, int low, int high);

/* Value number i, after those before it. */
double exact_draw(struct exact_source *source, enum exact_data data, size_t i,
                  const double *before);

/* Fills both arrays with numbers of the source's type. */
void exact_fill(struct exact_source *source, enum exact_data data, double *x, float *narrow,
                size_t count);

#endif
