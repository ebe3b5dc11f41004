/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores a block of elements of exact sums of floats (exact_number.h), for the instruction set that
 * the including file is compiled for. That file includes this before exact_tmpl.h. It computes in
 * double; if that is not exact, it stores nothing, and the caller adds integers.
 */
#include "src/reduction/exact.h"

#include <string.h>

static inline uint64_t bits_of_sum(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Adding an integer of at most 51 bits to the bits of this double, 1.5 * 2^52, adds it to the
 * value. Vectors have no conversion from 64-bit integers before AVX-512. */
#define INTEGER_BASE 0x1.8p52
static const int64_t BASE_BITS = 0x4338000000000000, HALF_RANGE = (int64_t)1 << 50;

/* Bits that are set where an integer is outside -2^50 to 2^50 - 1. */
static inline uint64_t excess(int64_t integer)
{
    return ((uint64_t)integer + (uint64_t)HALF_RANGE) >> 51;
}

/* Adds the sources' integers; a lowest bit of a total is set if one of the sources' is. Returns
 * false if an integer is too large. */
static bool sum_sources(const int64_t *const *sources, size_t source_count, int64_t *totals)
{
    uint64_t too_large = 0;
    for (size_t s = 0; s < source_count; s++)
        for (size_t i = 0; i < REAP__EXACT_BLOCK; i++) {
            const int64_t number = sources[s][i], flag = (number | totals[i]) & 1;
            too_large |= excess(number);
            const uint64_t sum =
                ((uint64_t)totals[i] & ~(uint64_t)1) + ((uint64_t)number & ~(uint64_t)1);
            totals[i] = (int64_t)sum | flag; /* may have wrapped if a number was too large */
            too_large |= excess(totals[i]);
        }
    return too_large == 0;
}

/* Whether a double is not 0 and too small for a normal float. Without comparison, since the first
 * x86-64 processors cannot compare vectors of 64-bit integers. */
static inline uint64_t is_small(uint64_t bits)
{
    const uint64_t sign = (uint64_t)1 << 63, magnitude = bits & ~sign;
    const uint64_t least = (uint64_t)(1023 - 126) << 52;
    return ((magnitude - least) & (magnitude + (sign - 1))) >> 63;
}

static bool store_block(double scale, const int64_t *const *sources, size_t source_count,
                        float *variables)
{
    int64_t totals[REAP__EXACT_BLOCK] = {0};
    uint64_t wrong = 0;
    float sums[REAP__EXACT_BLOCK];
    if (!sum_sources(sources, source_count, totals))
        return false;
    for (size_t i = 0; i < REAP__EXACT_BLOCK; i++) {
        const int64_t bits = BASE_BITS + (totals[i] & ~(int64_t)1);
        double integer;
        memcpy(&integer, &bits, sizeof integer);
        /* The error of the sum of two doubles: Knuth, TAOCP volume 2, 4.2.2, theorem B. */
        const double addend = (integer - INTEGER_BASE) * scale, value = variables[i];
        const double sum = addend + value, back = sum - addend;
        const double error = (addend - (sum - back)) + (value - back);
        wrong |= bits_of_sum(error) << 1 | is_small(bits_of_sum(sum)); /* << 1: -0 is 0, too */
        sums[i] = (float)sum;
    }
    if (wrong != 0)
        return false;
    for (size_t i = 0; i < REAP__EXACT_BLOCK; i++) {
        const uint32_t is_there = (uint32_t) - (totals[i] & 1);
        uint32_t sum, variable;
        memcpy(&sum, &sums[i], sizeof sum);
        memcpy(&variable, &variables[i], sizeof variable);
        variable = (sum & is_there) | (variable & ~is_there);
        memcpy(&variables[i], &variable, sizeof variable);
    }
    return true;
}
