/* SPDX-License-Identifier: Apache-2.0
 *
 * The reduction shape above its first level: the blocks' results of a reduction, given in order,
 * become the items of the next level, until one is left (docs/reduction-shape.md).
 */
#ifndef REAP_CORE_SHAPE_H
#define REAP_CORE_SHAPE_H

#include <reap/host/code.h>
#include <stdbool.h>
#include <stddef.h>

/* A row of results of one reduction. */
struct reap__results {
    unsigned char *values;
    unsigned char *set; /* whether each is there; NULL: all are */
};

/* More than 2^64 items can need: the largest types, with 32 items a block, have 13. */
enum { REAP__MOST_LEVELS = 16 };

struct reap__level {
    struct reap__results lanes;
    struct reap__results first; /* the level's first item, as it came */
    size_t items;               /* in the present block */
    bool several;               /* more than one item has come */
};

struct reap__fold {
    const struct reap__reduction *reduction;
    const void *identity; /* NULL: lanes start from their first value */
    size_t width;         /* lanes of a row */
    struct reap__level levels[REAP__MOST_LEVELS];
    size_t level_count;
};

/* Array reductions (docs/spans.md): how many items a chunk has at least, for a span of that many
 * elements, a power of two; and over how many replicas a chunk spreads its values, as its log2. */
enum { REAP__DENSE_SPAN_BYTES = 16384 };
size_t reap__span_chunk_items(size_t count);
unsigned reap__span_replicas_log2(size_t bytes);

/* into[i] = op(into[i], from[i]), where a value that is not there is skipped. */
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

/* Folds a row by halving into its first element. */
void reap__fold_by_halving(const struct reap__reduction *reduction, const struct reap__results *row,
                           size_t count, size_t width);

/* Makes a fold for that many results of the first level. It needs memory of the size that
 * reap__fold_bytes gives; the identity and the memory must outlive it. */
size_t reap__fold_bytes(const struct reap__reduction *reduction, size_t blocks);
void reap__fold_make(struct reap__fold *fold, const struct reap__reduction *reduction,
                     const void *identity, size_t blocks, void *memory);

/* Takes the next results of the first level. */
void reap__fold_push(struct reap__fold *fold, const struct reap__results *results, size_t count);

/* Writes the last result, of at least one that was pushed. */
void reap__fold_finish(struct reap__fold *fold, const struct reap__results *result);

#endif
