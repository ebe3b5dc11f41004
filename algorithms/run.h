/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of contiguous elements, for each type of elements: a launch of a kernel of
 * elements.kernels.h, and the conversion of its results to one value. The functions wait.
 */
#ifndef REAP_ALGORITHMS_RUN_H
#define REAP_ALGORITHMS_RUN_H

#include "algorithms/array.h"

/* One value of a result. */
union reap__value {
    int64_t of_int64;
    uint64_t of_uint64;
    float of_float;
    double of_double;
};

/* The sums of powers of the differences from `origin`. */
struct reap__powers {
    double origin, sum, squares, cubes, fourths;
};

/* docs/reduction-shape.md */
enum { REAP__LEAF = 2048, REAP__LANES = 64, REAP__COLUMNS_BYTES = 256 };

/* The number of work-items that reduce columns, those in REAP__COLUMNS_BYTES bytes each; and the
 * levels at which nodes wait for their siblings: 0 if the rows are one leaf. */
static inline size_t reap__blocks(const struct reap__columns *columns, size_t size)
{
    const size_t width = REAP__COLUMNS_BYTES / size;
    return columns->count / width + (columns->count % width != 0);
}

static inline size_t reap__levels(const struct reap__columns *columns)
{
    size_t levels = 0;
    while ((columns->rows - 1) / REAP__LEAF >> levels > 0)
        levels++;
    return levels;
}

/* What `order` returns in place of a position if the extreme is infinite: its kernels take a NaN
 * for an infinity, so the position may be that of either. */
#define REAP__UNDECIDED UINT64_MAX

/* The functions of one type. There is at least one element. `reduce` computes sums and the norms 1
 * and 2. Extremes, locations and counts are in order.h; frequent ones of wide types have kernels of
 * their own, `order`, which are up to twice as fast for elements in a cache. */
struct reap__run {
    reap_status (*reduce)(reap_queue *queue, reap_reduction reduction, const void *x, size_t count,
                          union reap__value *value);
    /* The reductions for which reap__run_has_order is true; NULL: none. */
    reap_status (*order)(reap_queue *queue, reap_reduction reduction, const void *x, size_t count,
                         union reap__value *value);
    /* Sums of rows of at most REAP__LEAF elements. Sums of columns, on the host; `nodes` is memory
     * for the work-items' nodes. */
    reap_status (*rows)(reap_queue *queue, const struct reap__rows *rows, void *results);
    reap_status (*columns)(reap_queue *queue, const struct reap__columns *columns, void *nodes,
                           void *results);
    reap_status (*dot)(reap_queue *queue, const void *x, const void *y, size_t count,
                       union reap__value *value);
    reap_status (*powers)(reap_queue *queue, const void *x, size_t count,
                          struct reap__powers *powers);
};

const struct reap__run *reap__run_of(reap_type type);

bool reap__run_has_order(reap_reduction reduction, reap_type type);

#endif
