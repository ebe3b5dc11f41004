/* SPDX-License-Identifier: Apache-2.0
 *
 * How many work-items a kernel runs as, in one, two or three dimensions, and in an nd_range how
 * many make a work-group. Work-items are numbered in row-major order: the last dimension varies
 * fastest (SYCL 2020, sections 4.9.1.1 and 4.9.1.2).
 */
#ifndef REAP_RANGE_H
#define REAP_RANGE_H

#include <stddef.h>

/* How many work-items there are in each dimension, and in a work-group. Build one with the
 * functions below. The sizes of dimensions that a range does not have are 1. */
typedef struct reap_range {
    size_t size[3];      /* work-items in each dimension; 0 in one of them: none run */
    size_t group[3];     /* of an nd_range: work-items of a work-group; else 0 */
    unsigned dimensions; /* 1, 2 or 3 */
} reap_range;

/* A range of one dimension: that many work-items, for a REAP_KERNEL. Like all of these it cannot
 * fail, and takes any sizes; a launch refuses ranges of 2^64 work-items or more. */
static inline reap_range reap_range_1d(size_t items)
{
    reap_range range = {{items, 1, 1}, {0, 0, 0}, 1};
    return range;
}

/* A range of two dimensions: rows * columns work-items. */
static inline reap_range reap_range_2d(size_t rows, size_t columns)
{
    reap_range range = {{rows, columns, 1}, {0, 0, 0}, 2};
    return range;
}

/* A range of three dimensions: planes * rows * columns work-items. */
static inline reap_range reap_range_3d(size_t planes, size_t rows, size_t columns)
{
    reap_range range = {{planes, rows, columns}, {0, 0, 0}, 3};
    return range;
}

/* An nd_range of one dimension, for a REAP_ND_KERNEL or REAP_GROUP_KERNEL: the size of the whole
 * range, then that of a work-group, which must divide it. The launch checks that, and what the
 * device has room for. */
static inline reap_range reap_nd_range_1d(size_t items, size_t group_items)
{
    reap_range range = {{items, 1, 1}, {group_items, 1, 1}, 1};
    return range;
}

/* An nd_range of two dimensions, in each of which the work-group divides the range. */
static inline reap_range reap_nd_range_2d(size_t rows, size_t columns, size_t group_rows,
                                          size_t group_columns)
{
    reap_range range = {{rows, columns, 1}, {group_rows, group_columns, 1}, 2};
    return range;
}

/* An nd_range of three dimensions, in each of which the work-group divides the range. */
static inline reap_range reap_nd_range_3d(size_t planes, size_t rows, size_t columns,
                                          size_t group_planes, size_t group_rows,
                                          size_t group_columns)
{
    reap_range range = {{planes, rows, columns}, {group_planes, group_rows, group_columns}, 3};
    return range;
}

#endif
