/* SPDX-License-Identifier: Apache-2.0
 *
 * nd_ranges worth trying: groups of one item, of sizes other than powers of two, as large as the
 * host takes, one group and very many, in one, two and three dimensions; and which work-item stands
 * where in them, counted the naive way.
 */
#ifndef TESTS_WORK_GROUPS_SHAPES_H
#define TESTS_WORK_GROUPS_SHAPES_H

#include "tests/conformance/devices.h"

#include <stdio.h>

/* The sizes of dimensions that it does not have are 1. */
struct shape {
    unsigned dimensions;
    size_t group[3], groups[3];
};

#define SHAPE_1D(groups, size)                                                                     \
    {                                                                                              \
        1, {size, 1, 1},                                                                           \
        {                                                                                          \
            groups, 1, 1                                                                           \
        }                                                                                          \
    }

/* To ThreadSanitizer each item is a thread, which takes it microseconds, unless there are too many
 * of them in a group; so a few thousand at most. */
#ifdef REAP_TESTS_FEW_ITEMS
static const struct shape shapes[] = {
    SHAPE_1D(1, 1),
    SHAPE_1D(5, 1),
    SHAPE_1D(4, 7),
    SHAPE_1D(3, 100),
    SHAPE_1D(2, 1000),
    {2, {3, 7, 1}, {2, 2, 1}},
    {3, {2, 3, 4}, {2, 1, 3}},
};

static const struct shape crowds[] = {
    SHAPE_1D(701, 1),
    SHAPE_1D(259, 3),
    {2, {1, 2, 1}, {13, 17, 1}},
    {3, {1, 2, 1}, {7, 3, 11}},
};
#else
static const struct shape shapes[] = {
    SHAPE_1D(1, 1),
    SHAPE_1D(5, 1),
    SHAPE_1D(1, 2),
    SHAPE_1D(1, 3),
    SHAPE_1D(41, 3),
    SHAPE_1D(1, 7),
    SHAPE_1D(30, 7),
    SHAPE_1D(33, 64),
    SHAPE_1D(70, 100),
    SHAPE_1D(18, 256),
    SHAPE_1D(1, 1000),
    SHAPE_1D(9, 1000),
    SHAPE_1D(4, 1024),
    SHAPE_1D(2, 4096),
    {2, {1, 1, 1}, {3, 5, 1}},
    {2, {4, 8, 1}, {5, 3, 1}},
    {2, {10, 10, 1}, {2, 7, 1}},
    {2, {1, 64, 1}, {9, 2, 1}},
    {2, {64, 1, 1}, {2, 9, 1}},
    {2, {3, 7, 1}, {1, 1, 1}},
    {2, {25, 40, 1}, {3, 2, 1}},
    {3, {1, 1, 1}, {2, 3, 4}},
    {3, {2, 3, 4}, {3, 2, 5}},
    {3, {1, 1, 100}, {2, 3, 4}},
    {3, {7, 1, 3}, {4, 5, 2}},
    {3, {10, 10, 10}, {2, 1, 3}},
    {3, {16, 16, 16}, {1, 2, 1}},
};

/* More than 2^16 groups. */
static const struct shape crowds[] = {
    SHAPE_1D(70001, 1),
    SHAPE_1D(65539, 3),
    {2, {1, 2, 1}, {270, 260, 1}},
    {3, {1, 2, 1}, {41, 40, 43}},
};
#endif
enum { SHAPES = sizeof shapes / sizeof *shapes };
enum { CROWDS = sizeof crowds / sizeof *crowds };

static inline size_t shape_group_items(const struct shape *shape)
{
    return shape->group[0] * shape->group[1] * shape->group[2];
}

static inline size_t shape_groups(const struct shape *shape)
{
    return shape->groups[0] * shape->groups[1] * shape->groups[2];
}

static inline size_t shape_items(const struct shape *shape)
{
    return shape_groups(shape) * shape_group_items(shape);
}

/* Whether the device at hand has room for its groups, where each work-item takes so many bytes of
 * local memory. */
static inline bool shape_fits(const struct shape *shape, size_t bytes)
{
    const reap_device *device;
    reap_device_info info = {0};
    if (!test_on_device())
        return true;
    if (reap_device_default(&device) == REAP_OK)
        reap_device_get_info(device, &info);
    return shape_group_items(shape) <= info.max_work_group_size &&
           shape_group_items(shape) * bytes <= info.local_memory_bytes;
}

/* The next one, from this on, that fits. */
static inline size_t shape_next_of(size_t s, size_t bytes)
{
    while (s < SHAPES && !shape_fits(&shapes[s], bytes))
        s++;
    return s;
}

static inline size_t shape_next(size_t s)
{
    return shape_next_of(s, 0);
}

static inline reap_range shape_range(const struct shape *shape)
{
    const size_t *group = shape->group;
    size_t size[3];
    for (unsigned d = 0; d < 3; d++)
        size[d] = shape->groups[d] * group[d];
    if (shape->dimensions == 1)
        return reap_nd_range_1d(size[0], group[0]);
    if (shape->dimensions == 2)
        return reap_nd_range_2d(size[0], size[1], group[0], group[1]);
    return reap_nd_range_3d(size[0], size[1], size[2], group[0], group[1], group[2]);
}

/* The global linear id of a group's item with that local linear id. */
static inline size_t shape_item(const struct shape *shape, size_t group, size_t item)
{
    size_t id[3], linear = 0;
    for (unsigned d = 3; d-- > 0;) {
        id[d] = group % shape->groups[d] * shape->group[d] + item % shape->group[d];
        group /= shape->groups[d];
        item /= shape->group[d];
    }
    for (unsigned d = 0; d < 3; d++)
        linear = linear * shape->groups[d] * shape->group[d] + id[d];
    return linear;
}

static inline void shape_tell(const struct shape *shape)
{
    fprintf(stderr, "  %zu x %zu x %zu groups of %zu x %zu x %zu\n", shape->groups[0],
            shape->groups[1], shape->groups[2], shape->group[0], shape->group[1], shape->group[2]);
}

#endif
