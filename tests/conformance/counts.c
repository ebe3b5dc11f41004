/* SPDX-License-Identifier: Apache-2.0
 *
 * See counts.h.
 */
#include "tests/conformance/counts.h"

#include "tests/conformance/reference.h"
#include "tests/support/check.h"

#include <math.h>

static const size_t primes[] = {2,   3,   5,   7,    11,   13,   17,   31,   61,    127,
                                251, 509, 521, 1021, 1031, 2039, 4093, 8191, 16381, 65537};
enum { PRIMES = sizeof primes / sizeof *primes };

/* An edge of the shape: next to a multiple of the lanes, of the leaves, or of both; often of nodes
 * of many leaves. */
static size_t draw_edge(size_t bytes, uint64_t *random)
{
    const size_t W = reference_lanes(bytes), leaf = reference_leaf_items(bytes);
    const size_t leaves = check_random(random) % 9 << check_random(random) % 5;
    const size_t rows = check_random(random) % 5;
    const uint64_t side = check_random(random) % 3;
    return leaves * leaf + (check_random(random) % 2 ? rows * W : 0) + 1 - side;
}

/* Uniform in its logarithm, so that small and large ones are as frequent. */
static size_t draw_any(size_t largest, uint64_t *random)
{
    const double exponent = (double)(check_random(random) >> 11) * 0x1p-53;
    return (size_t)pow((double)largest, exponent);
}

void counts_draw(size_t bytes, size_t largest, size_t wanted, uint64_t *random, size_t *counts)
{
    for (size_t i = 0; i < wanted; i++) {
        size_t count;
        if (i % 5 == 0)
            count = primes[i / 5 % PRIMES];
        else if (i % 5 == 1)
            count = draw_any(largest, random);
        else
            count = draw_edge(bytes, random);
        counts[i] = count <= largest ? count : draw_any(largest, random);
    }
    counts[wanted - 1] = largest;
}
