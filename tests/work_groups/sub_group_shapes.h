/* SPDX-License-Identifier: Apache-2.0
 *
 * nd_ranges for sub-groups: groups of 1 to 1024 items in one, two and three dimensions, with and
 * without a last sub-group of fewer than 32.
 */
#ifndef TESTS_WORK_GROUPS_SUB_GROUP_SHAPES_H
#define TESTS_WORK_GROUPS_SUB_GROUP_SHAPES_H

#include "tests/work_groups/shapes.h"

static const struct shape sub_group_shapes[] = {
    SHAPE_1D(3, 1),
    SHAPE_1D(2, 2),
    SHAPE_1D(3, 31),
    SHAPE_1D(4, 32),
    SHAPE_1D(3, 33),
    SHAPE_1D(2, 63),
    SHAPE_1D(2, 64),
    SHAPE_1D(2, 65),
    SHAPE_1D(5, 100),
    SHAPE_1D(2, 256),
    SHAPE_1D(1, 1000),
    SHAPE_1D(2, 1024),
    {2, {3, 7, 1}, {3, 2, 1}},
    {2, {4, 8, 1}, {2, 1, 1}},
    {2, {5, 33, 1}, {2, 2, 1}},
    {2, {25, 40, 1}, {1, 2, 1}},
    {3, {2, 3, 4}, {2, 2, 1}},
    {3, {4, 4, 4}, {1, 2, 1}},
    {3, {7, 1, 13}, {2, 1, 2}},
    {3, {10, 10, 10}, {1, 1, 2}},
    {3, {8, 8, 16}, {1, 1, 1}},
};
enum { SUB_GROUP_SHAPES = sizeof sub_group_shapes / sizeof *sub_group_shapes };

/* The next one, from this on, that fits the device. */
static inline size_t sub_group_next(size_t s)
{
    while (s < SUB_GROUP_SHAPES && !shape_fits(&sub_group_shapes[s], 0))
        s++;
    return s;
}

#endif
