/* SPDX-License-Identifier: Apache-2.0
 *
 * The reduction shape above a leaf: rows of lanes are combined as a binary tree, and the root's
 * lanes fold to a result (docs/reduction-shape.md). Reductions with a location need no order: only
 * the functions of the last section, and those whose comments mention locations, take them.
 */
#ifndef REAP_REDUCTION_TREE_H
#define REAP_REDUCTION_TREE_H

#include "src/reduction/operators.h"

#include <reap/detail/kernel_table.h>
#include <stdbool.h>
#include <stddef.h>

/* Some results of one reduction: the lanes of a row, the elements of a span. */
struct reap__results {
    unsigned char *values;
    unsigned char *set; /* whether each has a value; NULL: all have */
};

/* Array reductions (docs/spans.md): the number of items of a chunk, at least, a power of two, for a
 * span of `count` elements; the number of replicas of a span of `bytes`, as a power of two. */
enum { REAP__DENSE_SPAN_BYTES = 16384 };
size_t reap__span_chunk_items(size_t count);
unsigned reap__span_replicas_log2(size_t bytes);

/* into[i] = op(into[i], from[i]); if only one of them has a value, it is taken unchanged. Also for
 * reductions with a location. */
void reap__combine(const struct reap__reduction *reduction, const struct reap__results *into,
                   const struct reap__results *from, size_t count);

/* Returns the results from number i on. */
struct reap__results reap__results_at(const struct reap__reduction *reduction,
                                      const struct reap__results *results, size_t i);

/* into[i] = value, for `count` objects of `size` bytes. */
void reap__repeat(void *into, const void *value, size_t size, size_t count);

/* Sets `count` results to the identity, or if it is NULL, to have no value. */
void reap__fill(const struct reap__reduction *reduction, const void *identity,
                const struct reap__results *results, size_t count);

/* Returns how many of `count` lanes have a partner `half` lanes further. */
static inline size_t reap__fold_pairs(size_t count, size_t half)
{
    return count <= half ? 0 : count - half < half ? count - half : half;
}

/* Folds a row of `width` lanes, of which the first `count` have items, by halving into its first
 * lane. Also for reductions with a location. */
void reap__fold_by_halving(const struct reap__reduction *reduction, const struct reap__results *row,
                           size_t count, size_t width);

/* The same for several rows: the result of row j is element j of `rows`. */
void reap__fold_rows(const struct reap__reduction *reduction, const struct reap__results *rows,
                     size_t row_count, size_t count, size_t width);

/* Combines the values of `count` items of a leaf, from item `first` of the leaf on, into its
 * lanes. */
void reap__combine_items(const struct reap__reduction *reduction, const struct reap__results *lanes,
                         const struct reap__results *items, size_t first, size_t count);

/* Combines `count` rows of lanes, each a node, to the nodes of the next level, half as many;
 * returns their number. *last_lanes: how many lanes of the last row have items; updated. */
size_t reap__halve(const struct reap__reduction *reduction, const struct reap__results *rows,
                   size_t count, size_t *last_lanes);

/* Repeats that until one row is left, the first one. Returns how many of its lanes have items. */
size_t reap__join(const struct reap__reduction *reduction, const struct reap__results *rows,
                  size_t count, size_t last_lanes);

/* Nodes that are added in order, of any levels at which they are aligned. Siblings are combined as
 * soon as both are complete, so there are few nodes at a time. */
enum { REAP__TREE_NODES = 64 };
struct reap__operator_functions;
struct reap__tree {
    const struct reap__reduction *reduction;
    const struct reap__operator_functions *functions; /* for whole rows; NULL: none */
    struct reap__results rows;
    size_t count;
    size_t last_lanes; /* how many lanes of the last node have items */
    unsigned char levels[REAP__TREE_NODES];
};

/* Returns the bytes for a tree of so many leaves; makes an empty tree in them. */
size_t reap__tree_bytes(const struct reap__reduction *reduction, size_t leaves);
void reap__tree_begin(struct reap__tree *tree, const struct reap__reduction *reduction,
                      size_t leaves, void *memory);

/* Adds the next node, of 2^level leaves, or fewer at the end of the range. The first `lanes` lanes
 * of its row have items: all, except in the last leaf. The row is overwritten. */
void reap__tree_add(struct reap__tree *tree, unsigned level, const struct reap__results *row,
                    size_t lanes);

/* The same for eight complete nodes, which together are a node of 2^level leaves. Their rows may be
 * overwritten. */
void reap__tree_add_eight(struct reap__tree *tree, unsigned level,
                          const struct reap__results *rows);

/* Combines all nodes to the root. Returns its row, and how many of its lanes have items. */
struct reap__results reap__tree_finish(struct reap__tree *tree, size_t *lanes);

/* ---- Locations --------------------------------------------------------------------------------*/

/* Reductions with a location. A lane holds its best value and the row that it came from; lanes fold
 * to a result: a value and the number of its work-item. The result does not depend on the order. */

/* Returns the value with which lanes start, of value_size bytes. */
const void *reap__location_start(const struct reap__reduction *reduction, const void *identity);

/* Returns the most rows that the integers beside lanes can distinguish. */
size_t reap__location_most_rows(const struct reap__reduction *reduction);

/* Folds `count` lanes into a result. Rows have the width of the reduction; the first item of row 0
 * has the number `first`. */
void reap__location_fold(const struct reap__reduction *reduction, const struct reap__lanes *lanes,
                         size_t count, uint64_t first, void *result);

/* into[i] = the better of the results into[i] and from[i]. */
void reap__location_combine(const struct reap__reduction *reduction, void *into, const void *from,
                            size_t count);

#endif
