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

/* The page's constants. */
enum { ROWS = 32, MOST_LANES = 64, MOST_ROW_BYTES = 4096 };

size_t reference_lanes(size_t bytes)
{
    size_t lanes = MOST_LANES;
    while (lanes > 1 && lanes * bytes > MOST_ROW_BYTES)
        lanes /= 2;
    return lanes;
}

size_t reference_leaf_items(size_t bytes)
{
    return reference_lanes(bytes) * ROWS;
}

bool reference_is_extreme(const struct reference_operator *op)
{
    return op->settle != NULL &&
           (strcmp(op->name, "minimum") == 0 || strcmp(op->name, "maximum") == 0);
}

/* Values in a row, some of them missing: the lanes of a node or of a group, or the results of all
 * groups. A lane without items is missing, and so is one without a value. */
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

/* Rule 2: each lane that has items starts as the identity, and combines its items' values in order.
 */
static void fill_lanes(const struct reference_operator *op, const void *identity,
                       const struct reference_items *items, size_t begin, size_t end,
                       struct row *lanes)
{
    assert(lanes->count > 0);
    for (size_t lane = 0; lane < lanes->count; lane++) {
        lanes->present[lane] = identity != NULL && lane < end - begin;
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

/* Rule 4: the lanes fold by halving; a partner that is missing is skipped. */
static void halve(const struct reference_operator *op, struct row *lanes)
{
    for (size_t h = lanes->count / 2; h >= 1; h /= 2)
        for (size_t lane = 0; lane < h; lane++)
            if (lanes->present[lane + h])
                combine(op, lanes, lane, lanes->values + (lane + h) * op->bytes);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Rule 3: node (k, j) of a range that has an item in it. */
static struct row node(const struct reference_operator *op, const void *identity,
                       const struct reference_items *items, unsigned k, size_t j)
{
    const size_t leaf_items = reference_leaf_items(op->bytes);
    if (k == 0) {
        struct row leaf = new_row(reference_lanes(op->bytes), op->bytes);
        const size_t begin = j * leaf_items;
        fill_lanes(op, identity, items, begin, begin + least(items->count - begin, leaf_items),
                   &leaf);
        return leaf;
    }
    struct row left = node(op, identity, items, k - 1, 2 * j);
    const size_t middle = (2 * j + 1) << (k - 1); /* the right one's first leaf */
    if (middle <= (items->count - 1) / leaf_items) {
        struct row right = node(op, identity, items, k - 1, 2 * j + 1);
        for (size_t lane = 0; lane < left.count; lane++)
            if (right.present[lane])
                combine(op, &left, lane, right.values + lane * op->bytes);
        free_row(&right);
    }
    return left;
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

/* Rules 2 to 5. */
static void reduce(const struct reference_operator *op, const void *identity,
                   const struct reference_items *items, bool initialize, void *variable)
{
    unsigned level = 0; /* the root's */
    while ((items->count - 1) / reference_leaf_items(op->bytes) >> level > 0)
        level++;
    struct row root = node(op, identity, items, level, 0);
    halve(op, &root);
    finish(op, root.present[0] ? root.values : NULL, initialize, variable);
    free_row(&root);
}

void reference_reduce(const struct reference_operator *op, const struct reference_items *items,
                      const struct reference_launch *launch, void *variable)
{
    const void *identity = launch->identity != NULL ? launch->identity : op->identity;
    if (items->count == 0)
        finish(op, identity, launch->initialize, variable);
    else
        reduce(op, identity, items, launch->initialize, variable);
}

/* The groups' results: a lane for each item of a group, of which there may be no power of two. */
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
        halve(op, &lanes);
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
    if (items->count == 0) {
        finish(op, identity, launch->initialize, variable);
        return;
    }
    struct row results = fold_groups(op, identity, items, group_items);
    const struct reference_items groups = {results.count, row_values, &results};
    reduce(op, identity, &groups, launch->initialize, variable);
    free_row(&results);
}
