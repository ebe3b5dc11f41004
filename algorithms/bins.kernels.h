/* SPDX-License-Identifier: Apache-2.0
 *
 * Histograms, and counts and sums by key. The elements' type is an argument, so one kernel serves
 * all types: since these kernels are not vectorised, a switch costs little.
 *
 * Elements and edges of histograms are compared as 64-bit keys in the order of the numbers
 * (keys.kernels.h): int64_t and uint64_t directly, other types as double, which represents all
 * their values. If `is_masked` is not 0, only elements whose `where` is not 0 count.
 */
#ifndef REAP_ALGORITHMS_BINS_KERNELS_H
#define REAP_ALGORITHMS_BINS_KERNELS_H

#include "algorithms/bins_elements.kernels.h"

/* ---- Bins -------------------------------------------------------------------------------------*/

/* The last bin whose first edge is at most the key, which is at least the first edge. `distance` is
 * that of the element from the first edge. If the edges are nearly equidistant, `scale` is the
 * number of bins per unit of distance, and the search begins at distance * scale; otherwise it is
 * 0. */
static inline size_t bins_find(const REAP_GLOBAL int64_t *edges, size_t bins, int64_t key,
                               double distance, double scale)
{
    size_t first = 0, after = bins;
    if (scale > 0) {
        const double guess = distance * scale;
        size_t bin = guess > 0 ? (guess < (double)bins ? (size_t)guess : bins - 1) : 0;
        while (bin > 0 && key < edges[bin])
            bin--;
        while (bin + 1 < bins && key >= edges[bin + 1])
            bin++;
        return bin;
    }
    while (after - first > 1) {
        const size_t middle = first + (after - first) / 2;
        if (edges[middle] <= key)
            first = middle;
        else
            after = middle;
    }
    return first;
}

#define BINS_IS_INSIDE(key) ((key) >= edges[0] && (key) <= last)

REAP_KERNEL(histogram, in(uint8_t, x), in(uint8_t, where), value(uint32_t, type),
            value(uint32_t, is_masked), in(int64_t, edges), value(size_t, bins),
            value(int64_t, last), value(double, origin), value(double, scale),
            reduce_span(plus, uint64_t, counts), reduce(plus, uint64_t, outside))
{
    const size_t i = reap_global_id(0);
    if (is_masked == 0 || where[i] != 0) {
        const double real = bins_real(x, i, type);
        const int64_t key = bins_key(x, i, type, real);
        if (BINS_IS_INSIDE(key))
            reap_combine_at(counts, bins_find(edges, bins, key, real - origin, scale), 1);
        else
            reap_combine(outside, 1);
    }
}

/* The bin of each element, as a key of the kernels below; UINT64_MAX for elements outside. */
REAP_KERNEL(find_bins, in(uint8_t, x), value(uint32_t, type), in(int64_t, edges),
            value(size_t, bins), value(int64_t, last), value(double, origin), value(double, scale),
            out(uint64_t, keys))
{
    const size_t i = reap_global_id(0);
    const double real = bins_real(x, i, type);
    const int64_t key = bins_key(x, i, type, real);
    keys[i] = BINS_IS_INSIDE(key) ? (uint64_t)bins_find(edges, bins, key, real - origin, scale)
                                  : UINT64_MAX;
}

/* ---- Keys -------------------------------------------------------------------------------------*/

/* Combines a value into the result of each key that is less than `bins`. */
#define BINS_COMBINE(value)                                                                        \
    const size_t i = reap_global_id(0);                                                            \
    if (is_masked == 0 || where[i] != 0) {                                                         \
        const uint64_t key = bins_whole(x, i, type);                                               \
        if (key < bins)                                                                            \
            reap_combine_at(results, (size_t)key, value);                                          \
        else                                                                                       \
            reap_combine(outside, 1);                                                              \
    }

REAP_KERNEL(count_by_key, in(uint8_t, x), in(uint8_t, where), value(uint32_t, type),
            value(uint32_t, is_masked), value(size_t, bins), reduce_span(plus, uint64_t, results),
            reduce(plus, uint64_t, outside)){BINS_COMBINE(1)}

REAP_KERNEL(sum_wholes_by_key, in(uint8_t, x), in(uint8_t, where), in(uint8_t, weights),
            value(uint32_t, type), value(uint32_t, weight_type), value(uint32_t, is_masked),
            value(size_t, bins), reduce_span(plus, uint64_t, results),
            reduce(plus, uint64_t, outside)){BINS_COMBINE(bins_whole(weights, i, weight_type))}

REAP_KERNEL(sum_singles_by_key, in(uint8_t, x), in(uint8_t, where), in(uint8_t, weights),
            value(uint32_t, type), value(uint32_t, weight_type), value(uint32_t, is_masked),
            value(size_t, bins), reduce_span(plus, float, results),
            reduce(plus, uint64_t, outside)){BINS_COMBINE(bins_single(weights, i, weight_type))}

REAP_KERNEL(sum_doubles_by_key, in(uint8_t, x), in(uint8_t, where), in(double, weights),
            value(uint32_t, type), value(uint32_t, is_masked), value(size_t, bins),
            reduce_span(plus, double, results), reduce(plus, uint64_t, outside))
{
    BINS_COMBINE(weights[i])
}

#endif
