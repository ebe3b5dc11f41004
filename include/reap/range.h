/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Ranges: how many work-items a kernel runs as, in one, two or three dimensions, and in an nd_range
 * also the size of a work-group (SYCL 2020, sections 4.9.1.1 and 4.9.1.2).
 *
 * Work-items are numbered in row-major order: the last dimension varies fastest.
 */
#ifndef REAP_RANGE_H
#define REAP_RANGE_H

#include <stddef.h>

/** The number of work-items in each dimension, and in a work-group. The functions below make one.
 * In dimensions that the range does not have, sizes are 1. */
typedef struct reap_range {
    size_t size[3];      /**< work-items in each dimension; if one is 0, nothing runs */
    size_t group[3];     /**< nd_range: work-items of a work-group in each dimension; else 0 */
    unsigned dimensions; /**< 1, 2 or 3 */
} reap_range;

/** A range of one dimension, for a REAP_KERNEL.
 *
 * Like all functions of this header it accepts any sizes and cannot fail. A launch refuses a range
 * of 2^64 work-items or more.
 *
 * @param items  work-items
 * @return the range */
static inline reap_range reap_range_1d(size_t items)
{
    reap_range range = {{items, 1, 1}, {0, 0, 0}, 1};
    return range;
}

/** A range of two dimensions: rows * columns work-items, for a REAP_KERNEL.
 *
 * @param rows     size in dimension 0
 * @param columns  size in dimension 1
 * @return the range */
static inline reap_range reap_range_2d(size_t rows, size_t columns)
{
    reap_range range = {{rows, columns, 1}, {0, 0, 0}, 2};
    return range;
}

/** A range of three dimensions: planes * rows * columns work-items, for a REAP_KERNEL.
 *
 * @param planes   size in dimension 0
 * @param rows     size in dimension 1
 * @param columns  size in dimension 2
 * @return the range */
static inline reap_range reap_range_3d(size_t planes, size_t rows, size_t columns)
{
    reap_range range = {{planes, rows, columns}, {0, 0, 0}, 3};
    return range;
}

/** An nd_range of one dimension, for a REAP_ND_KERNEL, a REAP_GROUP_KERNEL or a
 * REAP_ANY_KERNEL.
 *
 * The launch checks that the size of a work-group divides that of the range, and that the device
 * supports it.
 *
 * @param items        work-items of the whole range
 * @param group_items  work-items of a work-group
 * @return the range */
static inline reap_range reap_nd_range_1d(size_t items, size_t group_items)
{
    reap_range range = {{items, 1, 1}, {group_items, 1, 1}, 1};
    return range;
}

/** An nd_range of two dimensions; in each, the size of a work-group divides that of the range.
 *
 * @param rows           size of the whole range in dimension 0
 * @param columns        size of the whole range in dimension 1
 * @param group_rows     size of a work-group in dimension 0
 * @param group_columns  size of a work-group in dimension 1
 * @return the range */
static inline reap_range reap_nd_range_2d(size_t rows, size_t columns, size_t group_rows,
                                          size_t group_columns)
{
    reap_range range = {{rows, columns, 1}, {group_rows, group_columns, 1}, 2};
    return range;
}

/** An nd_range of three dimensions; in each, the size of a work-group divides that of the range.
 *
 * @param planes         size of the whole range in dimension 0
 * @param rows           size of the whole range in dimension 1
 * @param columns        size of the whole range in dimension 2
 * @param group_planes   size of a work-group in dimension 0
 * @param group_rows     size of a work-group in dimension 1
 * @param group_columns  size of a work-group in dimension 2
 * @return the range */
static inline reap_range reap_nd_range_3d(size_t planes, size_t rows, size_t columns,
                                          size_t group_planes, size_t group_rows,
                                          size_t group_columns)
{
    reap_range range = {{planes, rows, columns}, {group_planes, group_rows, group_columns}, 3};
    return range;
}

#endif
