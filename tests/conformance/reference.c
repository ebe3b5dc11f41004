/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/reduction-shape.md in code. The numbered comments are that page's rules. A value that may be
 * missing, since nothing was combined yet, is a place in memory and a bool beside it.
 */
#include "tests/conformance/reference.h"

#include "tests/support/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The page's table of constants. */
enum { ROWS = 32 };
static const struct {
    size_t bytes, lanes;
} lanes_up_to[] = {
    {16, 1024}, {32, 512},  {64, 256}, {128, 128}, {256, 64},
    {512, 32},  {1024, 16}, {2048, 8}, {4096, 4},  {8192, 2},
};

size_t reference_lanes(size_t bytes)
{
    for (size_t i = 0; i < sizeof lanes_up_to / sizeof *lanes_up_to; i++)
        if (bytes <= lanes_up_to[i].bytes)
            return lanes_up_to[i].lanes;
    return 1;
}

size_t reference_block_items(size_t bytes)
{
    return reference_lanes(bytes) * ROWS;
}

/* Values in a row, some of them missing: the lanes of a block, or the results of a level's blocks.
 * The latter are the items of the next level. */
struct row {
    size_t count, bytes;
    unsigned char *values;
    bool *present;
};

static struct row new_row(size_t count, size_t bytes)
{
    const struct row row = {count, bytes, test_allocate(count * bytes),
                            test_allocate(count * sizeof(bool))};
    return row;
}

static void free_row(struct row *row)
{
    free(row->values);
    free(row->present);
}

static size_t row_values(void *context, size_t item, const void **first)
{
    const struct row *row = context;
    *first = row->values + item * row->bytes;
    return row->present[item] ? 1 : 0;
}

/* place = op(place, value); a place without a value takes the value as it is. */
static void combine(const struct reference_operator *op, struct row *row, size_t place,
                    const void *value)
{
    unsigned char *left = row->values + place * op->bytes;
    if (row->present[place])
        op->combine(left, value, op->bytes);
    else
        memcpy(left, value, op->bytes);
    row->present[place] = true;
}

/* Rule 2: each lane starts as the identity, and combines its items' values in order. */
static void fill_lanes(const struct reference_operator *op, const void *identity,
                       const struct reference_items *items, size_t begin, size_t end,
                       struct row *lanes)
{
    assert(lanes->count > 0);
    for (size_t lane = 0; lane < lanes->count; lane++) {
        lanes->present[lane] = identity != NULL;
        if (identity != NULL)
            memcpy(lanes->values + lane * op->bytes, identity, op->bytes);
    }
    for (size_t item = begin; item < end; item++) {
        const void *first = NULL;
        const size_t values = items->values(items->context, item, &first);
        for (size_t k = 0; k < values; k++)
            combine(op, lanes, (item - begin) % lanes->count, (const char *)first + k * op->bytes);
    }
}

/* Rule 3: the lanes fold by halving; a partner without items, or without a value, is skipped. */
static void halve(const struct reference_operator *op, struct row *lanes, size_t with_items)
{
    for (size_t h = lanes->count / 2; h >= 1; h /= 2)
        for (size_t lane = 0; lane < h; lane++)
            if (lane + h < with_items && lanes->present[lane + h])
                combine(op, lanes, lane, lanes->values + (lane + h) * op->bytes);
}

/* Rules 2 and 3 for every block of a level. */
static struct row fold_level(const struct reference_operator *op, const void *identity,
                             const struct reference_items *items)
{
    const size_t W = reference_lanes(op->bytes), block_items = W * ROWS;
    struct row results = new_row((items->count + block_items - 1) / block_items, op->bytes);
    struct row lanes = new_row(W, op->bytes);
    for (size_t block = 0; block < results.count; block++) {
        const size_t begin = block * block_items, left = items->count - begin;
        const size_t end = begin + (left < block_items ? left : block_items);
        fill_lanes(op, identity, items, begin, end, &lanes);
        halve(op, &lanes, end - begin < W ? end - begin : W);
        results.present[block] = lanes.present[0];
        if (lanes.present[0])
            memcpy(results.values + block * op->bytes, lanes.values, op->bytes);
    }
    free_row(&lanes);
    return results;
}

/* Rule 5: once, at last, the variable. */
static void finish(const struct reference_operator *op, const void *result, bool initialize,
                   void *variable)
{
    if (result == NULL)
        return;
    if (initialize)
        memcpy(variable, result, op->bytes);
    else
        op->combine(variable, result, op->bytes);
    if (op->settle != NULL)
        op->settle(variable);
}

/* Rules 4 and 5: a level's results are the next level's items, until one is left. */
static void finish_levels(const struct reference_operator *op, const void *identity,
                          struct row level, bool initialize, void *variable)
{
    while (level.count > 1) {
        const struct reference_items next = {level.count, row_values, &level};
        struct row results = fold_level(op, identity, &next);
        free_row(&level);
        level = results;
    }
    finish(op, level.present[0] ? level.values : NULL, initialize, variable);
    free_row(&level);
}

void reference_reduce(const struct reference_operator *op, const struct reference_items *items,
                      const struct reference_launch *launch, void *variable)
{
    const void *identity = launch->identity != NULL ? launch->identity : op->identity;
    if (items->count == 0)
        finish(op, identity, launch->initialize, variable);
    else
        finish_levels(op, identity, fold_level(op, identity, items), launch->initialize, variable);
}

/* The first level of an nd_range: a block for each group. */
static struct row fold_groups(const struct reference_operator *op, const void *identity,
                              const struct reference_items *items, size_t group_items)
{
    size_t width = 1;
    while (width < group_items)
        width *= 2;
    struct row results = new_row(items->count / group_items, op->bytes);
    struct row lanes = new_row(width, op->bytes);
    for (size_t group = 0; group < results.count; group++) {
        const size_t begin = group * group_items;
        fill_lanes(op, identity, items, begin, begin + group_items, &lanes);
        halve(op, &lanes, group_items);
        results.present[group] = lanes.present[0];
        if (lanes.present[0])
            memcpy(results.values + group * op->bytes, lanes.values, op->bytes);
    }
    free_row(&lanes);
    return results;
}

void reference_reduce_groups(const struct reference_operator *op,
                             const struct reference_items *items, size_t group_items,
                             const struct reference_launch *launch, void *variable)
{
    const void *identity = launch->identity != NULL ? launch->identity : op->identity;
    if (items->count == 0)
        finish(op, identity, launch->initialize, variable);
    else
        finish_levels(op, identity, fold_groups(op, identity, items, group_items),
                      launch->initialize, variable);
}
