/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges of parts. Nodes are kept as a launch over all items would combine them: two neighbours of
 * one level of which the first has an even number are combined to their parent, so a range has at
 * most two nodes of a level. The later items of a leaf must be combined into the lanes of its
 * earlier items, so the values of a leaf that began before the range wait, one by one, until the
 * range before it is added.
 */
#include "src/core/allocate.h"
#include "src/core/sizes.h"
#include "src/reduction/exact_number.h"
#include "src/reduction/part.h"

#include <assert.h>
#include <string.h>

/* The capacity of a range's first list of values; small, since programs can have very many parts of
 * a few items. */
enum { FIRST_VALUES = 4 };

static size_t lanes_of(const struct reap__part_shape *shape)
{
    return shape->is_ordered ? (size_t)1 << shape->lanes_log2 : 1;
}

static size_t in_leaf(const struct reap__part_shape *shape, uint64_t item)
{
    return (size_t)(item & (((uint64_t)1 << shape->leaf_log2) - 1));
}

size_t reap__part_row_bytes(const struct reap__part_shape *shape)
{
    return lanes_of(shape) * shape->reduction->result_size;
}

size_t reap__part_totals_bytes(const struct reap__part_shape *shape)
{
    const size_t value = shape->reduction->value_size;
    return shape->count * (shape->is_exact_span ? (size_t)8 * REAP__EXACT_WORDS(value) : value);
}

/* ---- Memory -----------------------------------------------------------------------------------*/

void reap__part_fill(const struct reap__part_shape *shape, const struct reap__results *row,
                     size_t count)
{
    reap__fill(shape->reduction, shape->has_start ? shape->start : NULL, row, count);
}

struct reap__part_node *reap__part_node_create(const struct reap__part_shape *shape, uint64_t leaf,
                                               unsigned level)
{
    const size_t header = reap__align(sizeof(struct reap__part_node));
    const size_t values = reap__align(reap__part_row_bytes(shape));
    unsigned char *memory = reap__allocate(header + values + lanes_of(shape));
    if (memory == NULL)
        return NULL;
    struct reap__part_node *node = (struct reap__part_node *)(void *)memory;
    const bool has_flags = !shape->reduction->has_identity;
    *node = (struct reap__part_node){
        .leaf = leaf,
        .level = level,
        .row = {memory + header, has_flags ? memory + header + values : NULL}};
    memset(node->row.values, 0, values);
    reap__part_fill(shape, &node->row, lanes_of(shape));
    return node;
}

struct reap__part_values *reap__part_values_create(const struct reap__part_shape *shape,
                                                   size_t capacity)
{
    const size_t header = reap__align(sizeof(struct reap__part_values));
    const size_t size = shape->reduction->value_size;
    if (capacity > SIZE_MAX / 4 / size)
        return NULL;
    const size_t values = reap__align(capacity * size);
    unsigned char *memory = reap__allocate(header + values + capacity * sizeof(uint16_t));
    if (memory == NULL)
        return NULL;
    struct reap__part_values *made = (struct reap__part_values *)(void *)memory;
    *made = (struct reap__part_values){.capacity = capacity,
                                       .positions = (uint16_t *)(void *)(memory + header + values),
                                       .values = memory + header};
    return made;
}

struct reap__part_range *reap__part_range_create(const struct reap__part_shape *shape,
                                                 uint64_t begin)
{
    struct reap__part_range *range = reap__allocate(sizeof *range);
    if (range == NULL)
        return NULL;
    *range = (struct reap__part_range){.begin = begin, .end = begin};
    if (shape->is_ordered || shape->is_span)
        return range;
    range->result = reap__part_node_create(shape, 0, 0);
    if (range->result == NULL) {
        reap__free(range);
        return NULL;
    }
    return range;
}

void reap__part_range_release(struct reap__part_range *range)
{
    if (range == NULL)
        return;
    for (struct reap__part_values *values = range->head, *next; values != NULL; values = next) {
        next = values->next;
        reap__free(values);
    }
    for (struct reap__part_node *node = range->first, *next; node != NULL; node = next) {
        next = node->next;
        reap__free(node);
    }
    reap__free(range->tail);
    reap__free(range->result);
    reap__free(range);
}

static void link_node(struct reap__part_range *range, struct reap__part_node *node)
{
    node->next = NULL;
    node->previous = range->last;
    if (range->last != NULL)
        range->last->next = node;
    else
        range->first = node;
    range->last = node;
}

static void link_values(struct reap__part_range *range, struct reap__part_values *values)
{
    if (range->head_last != NULL)
        range->head_last->next = values;
    else
        range->head = values;
    while (values->next != NULL)
        values = values->next;
    range->head_last = values;
}

static struct reap__part_node *copy_node(const struct reap__part_shape *shape,
                                         const struct reap__part_node *node)
{
    struct reap__part_node *copy = reap__part_node_create(shape, node->leaf, node->level);
    if (copy == NULL)
        return NULL;
    memcpy(copy->row.values, node->row.values, reap__part_row_bytes(shape));
    if (copy->row.set != NULL)
        memcpy(copy->row.set, node->row.set, lanes_of(shape));
    return copy;
}

/* Copies a node, which may be NULL. Returns false without memory. */
static bool copy_single(const struct reap__part_shape *shape, const struct reap__part_node *node,
                        struct reap__part_node **copy)
{
    *copy = node != NULL ? copy_node(shape, node) : NULL;
    return node == NULL || *copy != NULL;
}

static bool copy_lists(const struct reap__part_shape *shape, const struct reap__part_range *from,
                       struct reap__part_range *into)
{
    const size_t size = shape->reduction->value_size;
    for (const struct reap__part_values *v = from->head; v != NULL; v = v->next) {
        struct reap__part_values *copy = reap__part_values_create(shape, v->count);
        if (copy == NULL)
            return false;
        copy->count = v->count;
        memcpy(copy->positions, v->positions, v->count * sizeof *v->positions);
        memcpy(copy->values, v->values, v->count * size);
        link_values(into, copy);
    }
    for (const struct reap__part_node *n = from->first; n != NULL; n = n->next) {
        struct reap__part_node *copy = copy_node(shape, n);
        if (copy == NULL)
            return false;
        link_node(into, copy);
    }
    return true;
}

struct reap__part_range *reap__part_range_copy(const struct reap__part_shape *shape,
                                               const struct reap__part_range *range)
{
    struct reap__part_range *copy = reap__allocate(sizeof *copy);
    if (copy == NULL)
        return NULL;
    *copy = (struct reap__part_range){.begin = range->begin, .end = range->end};
    if (copy_lists(shape, range, copy) && copy_single(shape, range->tail, &copy->tail) &&
        copy_single(shape, range->result, &copy->result))
        return copy;
    reap__part_range_release(copy);
    return NULL;
}

/* ---- Items ------------------------------------------------------------------------------------*/

/* Whether the next item is of the leaf that began before the range. */
static bool is_in_head(const struct reap__part_shape *shape, const struct reap__part_range *range)
{
    return range->tail == NULL && in_leaf(shape, range->end) != 0;
}

bool reap__part_range_begin_item(const struct reap__part_shape *shape,
                                 struct reap__part_range *range)
{
    if (!shape->is_ordered || in_leaf(shape, range->end) != 0)
        return true;
    range->tail = reap__part_node_create(shape, range->end >> shape->leaf_log2, 0);
    return range->tail != NULL;
}

static void combine_into_lane(const struct reap__part_shape *shape,
                              const struct reap__part_node *leaf, size_t position,
                              const void *value)
{
    unsigned char is_set = 1;
    const size_t lane = position & (((size_t)1 << shape->lanes_log2) - 1);
    const struct reap__results into = reap__results_at(shape->reduction, &leaf->row, lane);
    const struct reap__results from = {(unsigned char *)value,
                                       leaf->row.set != NULL ? &is_set : NULL};
    reap__combine(shape->reduction, &into, &from, 1);
}

/* Appends a value to the last list; a full list is followed by one of twice the size. */
static bool append_value(const struct reap__part_shape *shape, struct reap__part_range *range,
                         const void *value)
{
    const size_t size = shape->reduction->value_size;
    struct reap__part_values *log = range->head_last;
    if (log == NULL || log->count == log->capacity) {
        log = reap__part_values_create(shape, log == NULL ? FIRST_VALUES : 2 * log->capacity);
        if (log == NULL)
            return false;
        link_values(range, log);
    }
    log->positions[log->count] = (uint16_t)in_leaf(shape, range->end);
    memcpy(log->values + log->count++ * size, value, size);
    return true;
}

bool reap__part_range_add_value(const struct reap__part_shape *shape,
                                struct reap__part_range *range, const void *value)
{
    if (is_in_head(shape, range))
        return append_value(shape, range, value);
    combine_into_lane(shape, range->tail, in_leaf(shape, range->end), value);
    return true;
}

/* ---- Nodes ------------------------------------------------------------------------------------*/

static struct reap__part_node *unlink_last(struct reap__part_range *range)
{
    struct reap__part_node *node = range->last;
    range->last = node->previous;
    if (range->last != NULL)
        range->last->next = NULL;
    else
        range->first = NULL;
    return node;
}

/* Appends a node, combined with its siblings before it. */
static void push(const struct reap__part_shape *shape, struct reap__part_range *range,
                 struct reap__part_node *node)
{
    while (range->last != NULL && range->last->level == node->level &&
           (node->leaf >> node->level & 1) != 0) {
        struct reap__part_node *left = unlink_last(range);
        reap__combine(shape->reduction, &left->row, &node->row, lanes_of(shape));
        left->level++;
        reap__free(node);
        node = left;
    }
    link_node(range, node);
}

/* Adds the leaf at the end to the nodes if it is complete now. */
static void end_leaf(const struct reap__part_shape *shape, struct reap__part_range *range)
{
    struct reap__part_node *leaf = range->tail;
    if (leaf == NULL || in_leaf(shape, range->end) != 0)
        return;
    range->tail = NULL;
    push(shape, range, leaf);
}

void reap__part_range_end_item(const struct reap__part_shape *shape, struct reap__part_range *range)
{
    range->end++;
    if (shape->is_ordered)
        end_leaf(shape, range);
}

void reap__part_range_add_node(const struct reap__part_shape *shape, struct reap__part_range *range,
                               struct reap__part_node *node)
{
    assert(range->tail == NULL && node->leaf == range->end >> shape->leaf_log2);
    range->end += (uint64_t)1 << (shape->leaf_log2 + node->level);
    push(shape, range, node);
}

void reap__part_range_add_tail(const struct reap__part_shape *shape, struct reap__part_range *range,
                               struct reap__part_node *tail, size_t items)
{
    assert(range->tail == NULL && in_leaf(shape, range->end) == 0);
    (void)shape;
    range->tail = tail;
    range->end += items;
}

/* ---- Two ranges -------------------------------------------------------------------------------*/

/* Adds the values of the next range's first items: combines them into the lanes of this range's
 * last leaf, or appends them to the list if that leaf, too, began before the range. */
static void append_head(const struct reap__part_shape *shape, struct reap__part_range *range,
                        struct reap__part_range *next)
{
    const size_t size = shape->reduction->value_size;
    if (next->head == NULL)
        return;
    if (range->tail == NULL) {
        link_values(range, next->head);
        next->head = next->head_last = NULL;
        return;
    }
    for (const struct reap__part_values *v = next->head; v != NULL; v = v->next)
        for (size_t i = 0; i < v->count; i++)
            combine_into_lane(shape, range->tail, v->positions[i], v->values + i * size);
}

static void append_nodes(const struct reap__part_shape *shape, struct reap__part_range *range,
                         struct reap__part_range *next)
{
    for (struct reap__part_node *node = next->first, *following; node != NULL; node = following) {
        following = node->next;
        push(shape, range, node);
    }
    next->first = next->last = NULL;
    if (next->tail != NULL) {
        range->tail = next->tail;
        next->tail = NULL;
    }
}

/* Returns the first item of the next range that is not of a leaf which began before it. */
static uint64_t end_of_head(const struct reap__part_shape *shape,
                            const struct reap__part_range *next)
{
    const size_t begun = in_leaf(shape, next->begin);
    const uint64_t rest = begun == 0 ? 0 : ((uint64_t)1 << shape->leaf_log2) - begun;
    return next->end - next->begin < rest ? next->end : next->begin + rest;
}

void reap__part_range_append(const struct reap__part_shape *shape, struct reap__part_range *range,
                             struct reap__part_range *next)
{
    assert(range->end == next->begin);
    if (shape->is_ordered) {
        append_head(shape, range, next);
        range->end = end_of_head(shape, next);
        end_leaf(shape, range);
        append_nodes(shape, range, next);
    } else if (!shape->is_span) {
        reap__combine(shape->reduction, &range->result->row, &next->result->row, 1);
    }
    range->end = next->end;
    reap__part_range_release(next);
}

/* ---- The result -------------------------------------------------------------------------------*/

static void copy_row(const struct reap__part_shape *shape, const struct reap__results *into,
                     const struct reap__results *from)
{
    memcpy(into->values, from->values, reap__part_row_bytes(shape));
    if (into->set != NULL)
        memcpy(into->set, from->set, lanes_of(shape));
}

/* Combines the nodes from the last to the first, in the lanes that have items in the right one, and
 * folds the root. This equals the tree, in which missing siblings are skipped. */
static void fold(const struct reap__part_shape *shape, const struct reap__part_range *range,
                 const struct reap__results rows[2], struct reap__results *result)
{
    const size_t width = lanes_of(shape), rest = in_leaf(shape, range->end);
    const struct reap__part_node *node = range->tail != NULL ? range->tail : range->last;
    size_t lanes = range->tail != NULL && rest < width ? rest : width, at = 0;
    copy_row(shape, &rows[0], &node->row);
    for (node = range->tail != NULL ? range->last : node->previous; node != NULL;
         node = node->previous, at = 1 - at) {
        copy_row(shape, &rows[1 - at], &node->row);
        reap__combine(shape->reduction, &rows[1 - at], &rows[at], lanes);
        lanes = width;
    }
    reap__fold_by_halving(shape->reduction, &rows[at], lanes, width);
    *result = rows[at];
}

void reap__part_range_fold(const struct reap__part_shape *shape,
                           const struct reap__part_range *range, const struct reap__results rows[2],
                           struct reap__results *result)
{
    if (range == NULL) {
        reap__part_fill(shape, &rows[0], 1);
        *result = rows[0];
    } else if (shape->is_ordered) {
        fold(shape, range, rows, result);
    } else {
        copy_row(shape, &rows[0], &range->result->row);
        *result = rows[0];
    }
}
