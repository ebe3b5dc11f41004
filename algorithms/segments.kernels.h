/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of segments of an array, for each type in which they compute. Segment s begins at
 * offsets[s] and ends before offsets[s + 1]. Within a segment the order is that of an array of its
 * elements (docs/reduction-shape.md).
 *
 * All types are in one file, since a device's kernel comes from one file.
 */
#ifndef REAP_ALGORITHMS_SEGMENTS_KERNELS_H
#define REAP_ALGORITHMS_SEGMENTS_KERNELS_H

#include "algorithms/numbers.kernels.h"

REAP_KERNEL_FILE

#define LANES 64
#define LEAF 2048
/* Longer segments have launches of their own: limits on the host and on other devices. */
#define HOST_LONGEST_LOG2 15
#define DEVICE_LONGEST_LOG2 18
#define MOST_LEVELS (DEVICE_LONGEST_LOG2 - 11 + 1)
#define EXACT_ITEMS 64 /* elements of a work-item */
/* Elements that a work-item loads together: in sums of the most frequent types; otherwise, and of
 * what is left. */
#define MOST_LOADS 16
#define FEW_LOADS 4

typedef struct {
    uint64_t segments,
        longest;      /* `longest`: the most elements of a segment that this launch reduces */
    uint64_t items;   /* work-items of the launch, on the host */
    int32_t from, to; /* types of elements and of results */
    int32_t operation, is_wide; /* is_wide: whether offsets are int64_t */
    uint64_t result_bytes;      /* of a result */
} segments_work;

static inline uint64_t segment_begin(const REAP_GLOBAL uint8_t *offsets, int32_t is_wide, size_t s)
{
    const REAP_GLOBAL void *const data = offsets;
    return is_wide ? (uint64_t)((const REAP_GLOBAL int64_t *)data)[s]
                   : (uint64_t)(int64_t)((const REAP_GLOBAL int32_t *)data)[s];
}

/* The first segment that work-item `item` reduces. Work-items have about the same number of
 * elements plus segments. The offsets have been checked. */
static inline size_t first_segment(const REAP_GLOBAL uint8_t *offsets, segments_work work,
                                   size_t item)
{
    const uint64_t begin = segment_begin(offsets, work.is_wide, 0);
    const uint64_t end = segment_begin(offsets, work.is_wide, work.segments);
    const uint64_t share = (end - begin + work.segments) / work.items + 1;
    size_t low = 0, high = work.segments;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (segment_begin(offsets, work.is_wide, middle) - begin + middle < share * item)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether the offsets of segment s decrease or are outside of `count` elements. */
static inline bool segment_is_wrong(const REAP_GLOBAL uint8_t *offsets, int32_t is_wide, size_t s,
                                    uint64_t count)
{
    const uint64_t begin = segment_begin(offsets, is_wide, s);
    const uint64_t end = segment_begin(offsets, is_wide, s + 1);
    return begin > count || end > count || end < begin;
}

static inline uint64_t segment_length(const REAP_GLOBAL uint8_t *offsets, int32_t is_wide, size_t s)
{
    return segment_begin(offsets, is_wide, s + 1) - segment_begin(offsets, is_wide, s);
}

/* On the host: checks offsets; counts segments of more than LANES elements (middle), and those of
 * more than `longest` (huge). */
REAP_KERNEL(segments_check, in(uint8_t, offsets), value(int32_t, is_wide), value(uint64_t, count),
            value(uint64_t, longest), reduce(minimum, uint64_t, first_wrong),
            reduce(minimum, uint64_t, first_empty), reduce(plus, uint64_t, middle),
            reduce(plus, uint64_t, huge))
{
    const size_t s = reap_global_id(0);
    const uint64_t length = segment_length(offsets, is_wide, s);
    reap_combine(first_wrong,
                 segment_is_wrong(offsets, is_wide, s, count) ? (uint64_t)s : UINT64_MAX);
    reap_combine(first_empty, length == 0 ? (uint64_t)s : UINT64_MAX);
    reap_combine(middle, length > LANES && length <= longest ? 1 : 0);
    reap_combine(huge, length > longest ? 1 : 0);
}

/* On devices: the results of segments_find, initially 0. For the first segment with wrong offsets,
 * and the first empty one if the reduction needs elements: UINT64_MAX minus its number. The numbers
 * of middle segments, if they are counted (an addition for each), and of huge ones. */
enum { FOUND_WRONG, FOUND_EMPTY, FOUND_MIDDLE, FOUND_HUGE, FOUND };

REAP_KERNEL(segments_find, in(uint8_t, offsets), value(int32_t, is_wide), value(uint64_t, count),
            value(uint64_t, longest), value(int32_t, takes_empty), value(int32_t, counts_middle),
            inout(uint64_t, found))
{
    const size_t s = reap_global_id(0);
    const uint64_t length = segment_length(offsets, is_wide, s);
    if (segment_is_wrong(offsets, is_wide, s, count))
        reap_atomic_fetch_max(&found[FOUND_WRONG], UINT64_MAX - s);
    if (length == 0 && takes_empty == 0)
        reap_atomic_fetch_max(&found[FOUND_EMPTY], UINT64_MAX - s);
    if (length > longest)
        reap_atomic_fetch_add(&found[FOUND_HUGE], 1);
    else if (length > LANES && counts_middle != 0)
        reap_atomic_fetch_add(&found[FOUND_MIDDLE], 1);
}

/* The bits of element s of results, which have 1, 2, 4 or 8 bytes. */
static inline uint64_t load_result(const REAP_GLOBAL uint8_t *results, uint64_t bytes, size_t s)
{
    const REAP_GLOBAL void *const data = results;
    return bytes == 8   ? ((const REAP_GLOBAL uint64_t *)data)[s]
           : bytes == 4 ? ((const REAP_GLOBAL uint32_t *)data)[s]
           : bytes == 2 ? ((const REAP_GLOBAL uint16_t *)data)[s]
                        : results[s];
}

static inline void store_result(REAP_GLOBAL uint8_t *results, uint64_t bytes, size_t s,
                                uint64_t bits)
{
    REAP_GLOBAL void *const data = results;
    if (bytes == 8)
        ((REAP_GLOBAL uint64_t *)data)[s] = bits;
    else if (bytes == 4)
        ((REAP_GLOBAL uint32_t *)data)[s] = (uint32_t)bits;
    else if (bytes == 2)
        ((REAP_GLOBAL uint16_t *)data)[s] = (uint16_t)bits;
    else
        results[s] = (uint8_t)bits;
}

/* Copies back what a launch that checks its segments has replaced. */
REAP_KERNEL(segments_restore, in(uint8_t, offsets), in(uint8_t, old), inout(uint8_t, results),
            value(segments_work, work), value(uint64_t, count))
{
    const size_t s = reap_global_id(0);
    if (!segment_is_wrong(offsets, work.is_wide, s, count) &&
        segment_length(offsets, work.is_wide, s) <= work.longest)
        store_result(results, work.result_bytes, s, load_result(old, work.result_bytes, s));
}

/* Lists segments in any order: of middle ones the numbers, if they have been counted, of huge ones
 * the numbers, begins, and lengths. */
REAP_KERNEL(segments_list, in(uint8_t, offsets), inout(uint64_t, counts), out(uint64_t, middle),
            out(uint64_t, huge), value(segments_work, work), value(int32_t, has_middle))
{
    const size_t s = reap_global_id(0);
    const uint64_t begin = segment_begin(offsets, work.is_wide, s);
    const uint64_t length = segment_begin(offsets, work.is_wide, s + 1) - begin;
    if (length > work.longest) {
        const uint64_t at = 3 * reap_atomic_fetch_add(&counts[0], 1);
        huge[at] = s;
        huge[at + 1] = begin;
        huge[at + 2] = length;
    } else if (length > LANES && has_middle != 0) {
        middle[reap_atomic_fetch_add(&counts[1], 1)] = s;
    }
}

#define NAME i64
#define WORK int64_t
#define KIND WORK_INTEGER
#include "algorithms/segments.kernels_tmpl.h"

#define NAME f32
#define WORK float
#define KIND WORK_SINGLE
#include "algorithms/segments.kernels_tmpl.h"

#define NAME f64
#define WORK double
#define KIND WORK_DOUBLE
#include "algorithms/segments.kernels_tmpl.h"

#endif
