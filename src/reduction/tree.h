/* SPDX-License-Identifier: Apache-2.0
 *
 * The reduction shape above a leaf: rows of lanes that combine as a binary tree, and the root's
 * lanes that fold to a result (docs/reduction-shape.md). The functions do not handle reductions
 * with a location, except those of the last section: such reductions need no order.
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
    unsigned char *set; /* whether each is there; NULL: all are */
};

/* Array reductions (docs/spans.md): how many items a chunk has at least, for a span of that many
 * elements, a power of two; and over how many replicas a chunk spreads its values, as its log2. */
enum { REAP__DENSE_SPAN_BYTES = 16384 };
size_t reap__span_chunk_items(size_t count);
unsigned reap__span_replicas_log2(size_t bytes);

/* into[i] = op(into[i], from[i]), where a value that is not there is skipped. Reductions with a
 * location, too. */
void reap__combine(const struct reap__reduction *reduction, const struct reap__results *into,
                   const struct reap__results *from, size_t count);

/* Element i of a row of results. */
struct reap__results reap__results_at(const struct reap__reduction *reduction,
                                      const struct reap__results *results, size_t i);

/* into[i] = value, for things of that many bytes. */
void reap__repeat(void *into, const void *value, size_t size, size_t count);

/* Fills `count` results with copies of the identity, or marks them as not there. */
void reap__fill(const struct reap__reduction *reduction, const void *identity,
                const struct reap__results *results, size_t count);

/* How many of `count` lanes have a partner `half` lanes further. */
static inline size_t reap__fold_pairs(size_t count, size_t half)
{
    return count <= half ? 0 : count - half < half ? count - half : half;
}

/* Folds a row of `width` lanes, of which the first `count` have items, by halving into its first.
 * Reductions with a location, too. */
void reap__fold_by_halving(const struct reap__reduction *reduction, const struct reap__results *row,
                           size_t count, size_t width);

/* The same of some rows, one after the other: number j ends as element j of all. */
void reap__fold_rows(const struct reap__reduction *reduction, const struct reap__results *rows,
                     size_t row_count, size_t count, size_t width);

/* Combines results, the values of items first, first + 1 and so on of a leaf, into its lanes. */
void reap__combine_items(const struct reap__reduction *reduction, const struct reap__results *lanes,
                         const struct reap__results *items, size_t first, size_t count);

/* Rows of lanes, each a node, become the nodes of the next level, half as many; gives their number.
 * In the last row `last_lanes` lanes have items, all in the others; that changes with it. */
size_t reap__halve(const struct reap__reduction *reduction, const struct reap__results *rows,
                   size_t count, size_t *last_lanes);

/* Does that until one row is left, the first one; returns how many of its lanes have items. */
size_t reap__join(const struct reap__reduction *reduction, const struct reap__results *rows,
                  size_t count, size_t last_lanes);

/* Nodes that come in order, of any levels at which they are aligned: those that are complete are
 * combined at once, so that there are few at a time. */
enum { REAP__TREE_NODES = 64 };
struct reap__operator_functions;
struct reap__tree {
    const struct reap__reduction *reduction;
    const struct reap__operator_functions *functions; /* for whole rows; NULL: there are none */
    struct reap__results rows;
    size_t count;
    size_t last_lanes; /* of the last node's lanes so many have items */
    unsigned char levels[REAP__TREE_NODES];
};

/* The bytes that a tree of so many leaves needs, and a tree in them. */
size_t reap__tree_bytes(const struct reap__reduction *reduction, size_t leaves);
void reap__tree_begin(struct reap__tree *tree, const struct reap__reduction *reduction,
                      size_t leaves, void *memory);

/* Takes the next node, of 2^level leaves or the end of the range. The first `lanes` lanes of its
 * row have items: all, except in the range's last leaf. The row is changed. */
void reap__tree_add(struct reap__tree *tree, unsigned level, const struct reap__results *row,
                    size_t lanes);

/* The same for the eight nodes that are to become one of 2^level leaves, all complete: a row each,
 * that may be changed. */
void reap__tree_add_eight(struct reap__tree *tree, unsigned level,
                          const struct reap__results *rows);

/* Combines what is there to one row, which it gives, and how many of its lanes have items. */
struct reap__results reap__tree_finish(struct reap__tree *tree, size_t *lanes);

/* ---- Locations --------------------------------------------------------------------------------*/

/* Reductions with a location. A lane holds its best value and the row that it came from; what lanes
 * come to is a result: a value and the number of the work-item that has it. Whatever order pairs
 * are combined in, the answer is the same. */

/* Lanes that have nothing yet: what they hold as their value, one of value_size bytes. */
const void *reap__location_start(const struct reap__reduction *reduction, const void *identity);

/* The most rows that lanes can tell apart. */
size_t reap__location_most_rows(const struct reap__reduction *reduction);

/* Combines so many lanes into a result. A row is as long as the reduction's are, and the first item
 * of row 0 has the number `first`. */
void reap__location_fold(const struct reap__reduction *reduction, const struct reap__lanes *lanes,
                         size_t count, uint64_t first, void *result);

/* into[i] = the better of into[i] and from[i], which are results. */
void reap__location_combine(const struct reap__reduction *reduction, void *into, const void *from,
                            size_t count);

#endif
