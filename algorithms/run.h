/* SPDX-License-Identifier: Apache-2.0
 *
 * The reductions of elements that follow each other, for each type of elements: what a launch of a
 * kernel of elements.kernels.h leaves in its variables becomes one value.
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

/* How many work-items the columns are, which take those in REAP__COLUMNS_BYTES bytes each, and of
 * how many levels nodes may wait for their siblings: none where the rows are one leaf. */
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

/* Of each type. There is at least one element. Reductions are sums and norms 1 and 2; extremes,
 * places and counts are those of order.h, of which frequent ones of wide types have kernels of
 * their own, too, that are up to twice as fast in a cache. */
struct reap__run {
    reap_status (*reduce)(reap_queue *queue, reap_reduction reduction, const void *x, size_t count,
                          union reap__value *value);
    /* NULL, or the reductions of reap__run_has_order(). */
    reap_status (*order)(reap_queue *queue, reap_reduction reduction, const void *x, size_t count,
                         union reap__value *value);
    /* Sums of rows of at most REAP__LEAF elements; of columns, on the host, with memory for the
     * work-items' nodes. */
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
