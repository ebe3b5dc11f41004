/* SPDX-License-Identifier: Apache-2.0
 *
 * Where rows of lanes, and rows of a range in two or three dimensions, cut each other: a segment is
 * in one of both.
 */
#ifndef REAP_HOST_SEGMENTS_H
#define REAP_HOST_SEGMENTS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/host/isa.h>
#include <reap/host/operators.h>
#include <reap/range.h>
#include <stdbool.h>
#include <stddef.h>

/* How many items of the range's own row follow from this id and lane on, up to the end of the
 * lanes. First those up to a multiple of 16 lanes, where that is worth it: of a type of 4 bytes, or
 * a multiple of that, it begins a cache line (of a smaller one it need not), and stores across two
 * lines cost twice. (Not so for clang: isa.h.) */
REAP__INLINE size_t reap__segment_size(const reap_range *range, const size_t *id, size_t lane,
                                       size_t lanes)
{
    const unsigned last = range->dimensions - 1;
    const size_t in_row = range->size[last] - id[last];
    const size_t most = lanes - lane, items = in_row < most ? in_row : most;
    const size_t beyond = lane % REAP__ALIGNED_LANES;
    return beyond != 0 && items > 64 ? REAP__ALIGNED_LANES - beyond : items;
}

/* The id that is n items further, within the row or at the begin of the next. */
REAP__INLINE void reap__segment_advance(const reap_range *range, size_t *id, size_t n)
{
    unsigned d = range->dimensions - 1;
    id[d] += n;
    for (; d > 0 && id[d] == range->size[d]; d--) {
        id[d] = 0;
        id[d - 1]++;
    }
}

/* In two dimensions: the id that is n items further, over as many rows as it takes; the id as it
 * was goes to `old`. */
REAP__INLINE void reap__row_advance(const reap_range *range, size_t *id, size_t n, size_t *old)
{
    for (unsigned d = 0; d < 3; d++)
        old[d] = id[d];
    while (n > 0) {
        const size_t in_row = range->size[1] - id[1], step = n < in_row ? n : in_row;
        reap__segment_advance(range, id, step);
        n -= step;
    }
}

/* How many items, `most` at most, each of four rows has before its row of the range ends. */
REAP__INLINE size_t reap__common_size(const reap_range *range, size_t (*ids)[3], size_t most)
{
    for (unsigned row = 0; row < 4; row++)
        if (range->size[1] - ids[row][1] < most)
            most = range->size[1] - ids[row][1];
    return most;
}

/* Whether the range has two dimensions, and rows so long that four rows of lanes have few ends. */
REAP__INLINE bool reap__has_long_rows(const reap_range *range, size_t lanes)
{
    return range->dimensions == 2 && range->size[1] >= lanes / 2;
}

#endif
