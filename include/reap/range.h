/* SPDX-License-Identifier: Apache-2.0
 *
 * How many work-items a kernel runs as, in one, two or three dimensions. Work-items are numbered
 * in row-major order: the last dimension varies fastest (SYCL 2020, section 4.9.1.1).
 */
#ifndef REAP_RANGE_H
#define REAP_RANGE_H

#include <stddef.h>

/* Build one with the functions below. The sizes of dimensions that a range does not have are 1. */
typedef struct reap_range {
    size_t size[3];
    unsigned dimensions; /* 1, 2 or 3 */
} reap_range;

static inline reap_range reap_range_1d(size_t items)
{
    reap_range range = {{items, 1, 1}, 1};
    return range;
}

static inline reap_range reap_range_2d(size_t rows, size_t columns)
{
    reap_range range = {{rows, columns, 1}, 2};
    return range;
}

static inline reap_range reap_range_3d(size_t planes, size_t rows, size_t columns)
{
    reap_range range = {{planes, rows, columns}, 3};
    return range;
}

#endif
