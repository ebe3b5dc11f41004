/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of segments that compute in one type: see segments.kernels.h. On the host a work-item,
 * which is a group, reduces several segments. On other devices a work-item reduces a segment of at
 * most LANES elements, and a group of LANES items a longer one.
 */
REAP_KERNEL_FILE

#include "algorithms/numbers.kernels_tmpl.h"

/* The type of elements whose sums have a loop of their own. */
#if KIND == WORK_INTEGER
#define USUAL_TYPE NUMBER_INT32
#elif KIND == WORK_SINGLE
#define USUAL_TYPE NUMBER_FLOAT
#else
#define USUAL_TYPE NUMBER_DOUBLE
#endif

/* The value of empty lanes, which does not change others: a sum is never -0. */
static inline WORK NAMED(start_of)(int operation)
{
    return operation == OPERATION_SUM ? (WORK)0 : NAMED(identity_of)(operation);
}

/* A result of minimum and maximum, for which -0 equals 0, is never -0. */
static inline WORK NAMED(result_of)(int operation, WORK v)
{
    return operation == OPERATION_SUM ? v : v + (WORK)0;
}

/* Folds the filled lanes. The loop begins at a variable, so that compilers for devices do not
 * unroll all of it, which took minutes. */
static inline WORK NAMED(fold)(int operation, WORK *lanes, size_t filled)
{
    size_t half = 1;
    while (half * 2 < filled)
        half *= 2;
    for (; half > 0; half /= 2)
        for (size_t l = 0; l < half && l + half < filled; l++)
            lanes[l] = NAMED(operate)(operation, lanes[l], lanes[l + half]);
    return lanes[0];
}

/* Reduces a segment of at most LANES elements. */
static inline WORK NAMED(reduce_row)(const REAP_GLOBAL uint8_t *x, segments_work work, size_t begin,
                                     size_t count)
{
    const WORK start = NAMED(start_of)(work.operation);
    WORK lanes[LANES];
    lanes[0] = start;
    for (size_t l = 0; l < count; l++)
        lanes[l] = NAMED(operate)(work.operation, start, NAMED(number)(x, work.from, begin + l));
    return NAMED(fold)(work.operation, lanes, count);
}

/* ---- On the host ------------------------------------------------------------------------------*/

/* Combines the elements of a leaf into lanes: whole rows, and then the rest. */
static inline void NAMED(add_rows)(int operation, const WORK *values, size_t count, WORK *lanes)
{
    size_t first = 0;
    for (; first + LANES <= count; first += LANES)
        for (size_t l = 0; l < LANES; l++)
            lanes[l] = NAMED(operate)(operation, lanes[l], values[first + l]);
    for (size_t l = 0; first + l < count; l++)
        lanes[l] = NAMED(operate)(operation, lanes[l], values[first + l]);
}

/* Adds leaf `leaf` to the tree: `nodes` has at each level the node that waits for its sibling. The
 * last leaf is combined with all of them. */
static inline void NAMED(add_leaf)(int operation, size_t leaf, bool is_last, WORK *lanes,
                                   WORK *nodes)
{
    size_t level = 0;
    for (; (is_last ? leaf >> level : leaf >> level & 1) != 0; level++)
        for (size_t l = 0; (leaf >> level & 1) != 0 && l < LANES; l++)
            lanes[l] = NAMED(operate)(operation, nodes[level * LANES + l], lanes[l]);
    for (size_t l = 0; !is_last && l < LANES; l++)
        nodes[level * LANES + l] = lanes[l];
}

static inline WORK NAMED(reduce_leaves)(const REAP_GLOBAL uint8_t *x, segments_work work,
                                        size_t begin, size_t count)
{
    WORK values[LEAF], lanes[LANES], nodes[MOST_LEVELS * LANES];
    const size_t leaves = (count - 1) / LEAF + 1;
    for (size_t leaf = 0; leaf < leaves; leaf++) {
        const size_t first = leaf * LEAF, left = count - first;
        const size_t of_leaf = left < LEAF ? left : LEAF;
        for (size_t l = 0; l < LANES; l++)
            lanes[l] = NAMED(start_of)(work.operation);
        NAMED(read)(x, work.from, begin + first, of_leaf, values);
        if (work.operation == OPERATION_SUM)
            NAMED(add_rows)(OPERATION_SUM, values, of_leaf, lanes);
        else
            NAMED(add_rows)(work.operation, values, of_leaf, lanes);
        NAMED(add_leaf)(work.operation, leaf, leaf + 1 == leaves, lanes, nodes);
    }
    return NAMED(fold)(work.operation, lanes, LANES);
}

static inline void NAMED(reduce_some)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                      const REAP_GLOBAL uint8_t *offsets,
                                      REAP_GLOBAL uint8_t *results, segments_work work)
{
    const size_t item = reap_global_id(0), end = first_segment(offsets, work, item + 1);
    for (size_t s = first_segment(offsets, work, item); s < end; s++) {
        const uint64_t begin = segment_begin(offsets, work.is_wide, s);
        const uint64_t count = segment_begin(offsets, work.is_wide, s + 1) - begin;
        if (count > work.longest)
            continue;
        const WORK v = count <= LANES ? NAMED(reduce_row)(x, work, begin, count)
                                      : NAMED(reduce_leaves)(x, work, begin, count);
        NAMED(put)(results, work.to, s, NAMED(result_of)(work.operation, v));
    }
}

REAP_GROUP_KERNEL(NAMED(segments_shares), in(uint8_t, x), in(uint8_t, offsets),
                  out(uint8_t, results), value(segments_work, work))
{
    reap_for_each_item {
        NAMED(reduce_some)(REAP_THIS_ITEM, x, offsets, results, work);
    }
}

/* ---- On other devices -------------------------------------------------------------------------*/

/* With work-groups, since a thread of a device runs several items of other kernels, and compilers
 * took a minute and a half for as many copies of this body. */
REAP_ND_KERNEL(NAMED(segments_short), in(uint8_t, x), in(uint8_t, offsets), out(uint8_t, results),
               value(segments_work, work))
{
    const size_t s = reap_global_id(0);
    if (s >= work.segments)
        return;
    const uint64_t begin = segment_begin(offsets, work.is_wide, s);
    const uint64_t count = segment_begin(offsets, work.is_wide, s + 1) - begin;
    if (count <= LANES) {
        const WORK v = NAMED(reduce_row)(x, work, begin, count);
        NAMED(put)(results, work.to, s, NAMED(result_of)(work.operation, v));
    }
}

/* Combines elements of a lane of a leaf from `begin` on, `loads` of which are loaded together, with
 * `*v`, as long as there are so many. Returns where it ends. */
static inline size_t NAMED(add_together)(const REAP_GLOBAL uint8_t *x, int type, int operation,
                                         size_t begin, size_t end, size_t loads, WORK *v)
{
    WORK values[MOST_LOADS];
    size_t i = begin;
    for (; i + (loads - 1) * LANES < end; i += loads * LANES) {
        NAMED(read_apart)(x, type, i, LANES, loads, loads * LANES, values);
        for (size_t j = 0; j < loads; j++)
            *v = NAMED(operate)(operation, *v, values[j]);
    }
    return i;
}

/* Combines the elements of a lane of a leaf: first `loads` at a time, then FEW_LOADS. `type`,
 * `operation` and `loads` are constants in some calls: the loops have then no conditions but their
 * own. */
static inline WORK NAMED(add_lane_as)(const REAP_GLOBAL uint8_t *x, int type, int operation,
                                      size_t begin, size_t end, size_t loads)
{
    WORK v = NAMED(start_of)(operation), values[FEW_LOADS];
    size_t i = begin;
    if (loads > FEW_LOADS)
        i = NAMED(add_together)(x, type, operation, i, end, loads, &v);
    i = NAMED(add_together)(x, type, operation, i, end, FEW_LOADS, &v);
    if (i >= end)
        return v;
    for (size_t j = 0; j < FEW_LOADS; j++)
        values[j] = v;
    NAMED(read_apart)(x, type, i, LANES, FEW_LOADS, end - i, values);
    for (size_t j = 0; j < FEW_LOADS; j++)
        if (i + j * LANES < end)
            v = NAMED(operate)(operation, v, values[j]);
    return v;
}

static inline WORK NAMED(add_lane)(const REAP_GLOBAL uint8_t *x, segments_work work, size_t begin,
                                   size_t end)
{
    const bool is_sum = work.operation == OPERATION_SUM;
    if (is_sum && work.from == USUAL_TYPE)
        return NAMED(add_lane_as)(x, USUAL_TYPE, OPERATION_SUM, begin, end, MOST_LOADS);
    return NAMED(add_lane_as)(x, work.from, work.operation, begin, end, FEW_LOADS);
}

/* Reduces leaves, `first` and those behind it: each LANES items one of them. Their node is valid in
 * the first LANES items. */
static inline WORK NAMED(add_leaves)(REAP_ITEM, const REAP_GLOBAL uint8_t *x, segments_work work,
                                     uint64_t begin, uint64_t end, uint32_t first, uint32_t at_once,
                                     REAP_LOCAL WORK *lanes)
{
    const uint32_t item = (uint32_t)reap_local_id(0), leaf = item / LANES;
    const uint64_t at = begin + (first + leaf) * LEAF;
    WORK v = NAMED(start_of)(work.operation);
    if (at < end)
        v = NAMED(add_lane)(x, work, at + item % LANES, end - at < LEAF ? end : at + LEAF);
    for (uint32_t distance = 1; distance < at_once; distance *= 2) {
        lanes[item] = v;
        reap_barrier(REAP_LOCAL_SPACE);
        if (leaf % (2 * distance) == 0 && at + distance * LEAF < end)
            v = NAMED(operate)(work.operation, v, lanes[item + distance * LANES]);
        reap_barrier(REAP_LOCAL_SPACE);
    }
    return v;
}

/* Reduces a segment by a group of LANES items or a power of two times as many; the result is valid
 * in item 0. */
static inline WORK NAMED(reduce_by_group)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                          segments_work work, uint64_t begin, uint64_t count,
                                          REAP_LOCAL WORK *lanes)
{
    const uint32_t item = (uint32_t)reap_local_id(0);
    const uint32_t at_once = (uint32_t)reap_local_range(0) / LANES;
    const uint32_t leaves = count > 0 ? ((uint32_t)count - 1) / LEAF + 1 : 1;
    WORK nodes[MOST_LEVELS], v = 0;
    uint32_t first = 0;
    for (uint32_t node = 0; first < leaves; node++) {
        v = NAMED(add_leaves)(REAP_THIS_ITEM, x, work, begin, begin + count, first, at_once, lanes);
        first += at_once;
        const bool is_last = first >= leaves;
        uint32_t level = 0;
        for (; (is_last ? node >> level : node >> level & 1) != 0; level++)
            if ((node >> level & 1) != 0)
                v = NAMED(operate)(work.operation, nodes[level], v);
        if (!is_last)
            nodes[level] = v;
    }
    lanes[item] = v;
    for (uint32_t half = LANES / 2; half > 0; half /= 2) {
        reap_barrier(REAP_LOCAL_SPACE);
        if (item < half)
            lanes[item] = NAMED(operate)(work.operation, lanes[item], lanes[item + half]);
    }
    return NAMED(result_of)(work.operation, lanes[0]);
}

/* Reduces the segments of a list, one in each group. */
REAP_ND_KERNEL(NAMED(segments_middle), in(uint8_t, x), in(uint8_t, offsets), in(uint64_t, list),
               inout(uint8_t, results), value(segments_work, work), local(WORK, lanes))
{
    const size_t s = list[reap_group_id(0)];
    const uint64_t begin = segment_begin(offsets, work.is_wide, s);
    const uint64_t count = segment_begin(offsets, work.is_wide, s + 1) - begin;
    const WORK v = NAMED(reduce_by_group)(REAP_THIS_ITEM, x, work, begin, count, lanes);
    if (reap_local_id(0) == 0)
        NAMED(put)(results, work.to, s, v);
}

/* On a device, a group for each segment of at most `longest` elements. */
REAP_ND_KERNEL(NAMED(segments_groups), in(uint8_t, x), in(uint8_t, offsets), out(uint8_t, results),
               value(segments_work, work), local(WORK, lanes))
{
    const size_t s = reap_group_id(0);
    const uint64_t begin = segment_begin(offsets, work.is_wide, s);
    const uint64_t count = segment_begin(offsets, work.is_wide, s + 1) - begin;
    if (count > work.longest)
        return;
    const WORK v = NAMED(reduce_by_group)(REAP_THIS_ITEM, x, work, begin, count, lanes);
    if (reap_local_id(0) == 0)
        NAMED(put)(results, work.to, s, v);
}

/* Checks the group's segment first, and keeps the result's element as it was in `old`; it is loaded
 * beside the offsets. */
REAP_ND_KERNEL(NAMED(segments_groups_checked), in(uint8_t, x), in(uint8_t, offsets),
               inout(uint8_t, results), out(uint8_t, old), inout(uint64_t, found),
               value(segments_work, work), value(uint64_t, count), value(int32_t, takes_empty),
               local(WORK, lanes))
{
    const size_t s = reap_group_id(0);
    const uint64_t before = reap_local_id(0) == 0 ? load_result(results, work.result_bytes, s) : 0;
    const uint64_t begin = segment_begin(offsets, work.is_wide, s);
    const uint64_t length = segment_begin(offsets, work.is_wide, s + 1) - begin;
    const bool is_wrong = segment_is_wrong(offsets, work.is_wide, s, count);
    if (reap_local_id(0) == 0) {
        if (is_wrong)
            reap_atomic_store(&found[FOUND_WRONG], 1);
        if (length == 0 && takes_empty == 0)
            reap_atomic_store(&found[FOUND_EMPTY], 1);
        if (length > work.longest)
            reap_atomic_store(&found[FOUND_HUGE], 1);
    }
    if (is_wrong || length > work.longest)
        return;
    if (reap_local_id(0) == 0)
        store_result(old, work.result_bytes, s, before);
    const WORK v = NAMED(reduce_by_group)(REAP_THIS_ITEM, x, work, begin, length, lanes);
    if (reap_local_id(0) == 0)
        NAMED(put)(results, work.to, s, v);
}

/* ---- Exact sums -------------------------------------------------------------------------------*/

#if KIND != WORK_INTEGER
/* A work-item adds EXACT_ITEMS elements to the sums of their segments, which are exact. */
REAP_KERNEL(NAMED(segments_exact), in(uint8_t, x), in(uint8_t, offsets), value(segments_work, work),
            value(uint64_t, end), reduce_span(plus, WORK, sums))
{
    size_t i = segment_begin(offsets, work.is_wide, 0) + reap_global_id(0) * EXACT_ITEMS;
    const size_t last = end - i < EXACT_ITEMS ? end : i + EXACT_ITEMS;
    size_t low = 0, high = work.segments;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (segment_begin(offsets, work.is_wide, middle) <= i)
            low = middle;
        else
            high = middle;
    }
    for (; i < last; i++) {
        while (segment_begin(offsets, work.is_wide, low + 1) <= i)
            low++;
        reap_combine_at(sums, low, NAMED(number)(x, work.from, i));
    }
}

/* Sums start from -0, so a segment of elements -0 has the sum -0. The sum of an empty segment is 0.
 */
REAP_KERNEL(NAMED(segments_empty), in(uint8_t, offsets), value(segments_work, work),
            inout(WORK, sums))
{
    const size_t s = reap_global_id(0);
    if (segment_begin(offsets, work.is_wide, s) == segment_begin(offsets, work.is_wide, s + 1))
        sums[s] = 0;
}
#endif

#undef USUAL_TYPE
#undef NAME
#undef WORK
#undef KIND
