/* SPDX-License-Identifier: Apache-2.0
 *
 * Levels of lanes. A level keeps the lanes of the block that it is in; a full block is folded by
 * halving, and its result goes to the level above. A level that has seen one item only has nothing
 * to fold: that item is the answer, so each level also keeps its first item as it came.
 *
 * The bits that come out of here are promised by docs/reduction-shape.md; tests/conformance holds
 * them against a serial reference written from that page.
 */
#include "src/core/shape.h"

#include "src/core/memory.h"

#include <assert.h>
#include <string.h>

size_t reap__span_chunk_items(size_t count)
{
    size_t items = (size_t)1 << 15;
    while (items < (size_t)1 << 20 && items < 64 * count)
        items *= 2;
    while (items < count)
        items *= 2;
    return items;
}

unsigned reap__span_replicas_log2(size_t bytes)
{
    return bytes <= REAP__DENSE_SPAN_BYTES ? 3 : 2;
}

struct reap__results reap__results_at(const struct reap__reduction *reduction,
                                      const struct reap__results *results, size_t i)
{
    return (struct reap__results){
        .values = results->values + i * reduction->result_size,
        .set = results->set != NULL ? results->set + i : NULL,
    };
}

static void combine_present(const struct reap__reduction *reduction,
                            const struct reap__results *into, const struct reap__results *from,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct reap__results a = reap__results_at(reduction, into, i);
        const struct reap__results b = reap__results_at(reduction, from, i);
        if (!*b.set)
            continue;
        if (*a.set)
            reduction->combine(a.values, b.values, 1);
        else
            memcpy(a.values, b.values, reduction->result_size);
        *a.set = 1;
    }
}

void reap__combine(const struct reap__reduction *reduction, const struct reap__results *into,
                   const struct reap__results *from, size_t count)
{
    if (into->set == NULL)
        reduction->combine(into->values, from->values, count);
    else
        combine_present(reduction, into, from, count);
}

/* The first copies are made from registers: to copy what has only just been stored in smaller
 * pieces takes the processor long. */
static size_t repeat_small(unsigned char *bytes, const void *value, size_t size, size_t total)
{
    enum { FIRST_BYTES = 256 };
    unsigned char pattern[16];
    const size_t first = total < FIRST_BYTES ? total : FIRST_BYTES;
    size_t done = 0;
    for (size_t i = 0; i < sizeof pattern; i += size)
        memcpy(pattern + i, value, size);
    for (; done + sizeof pattern <= first; done += sizeof pattern)
        memcpy(bytes + done, pattern, sizeof pattern);
    memcpy(bytes + done, pattern, first - done);
    return first;
}

static size_t repeat_first(unsigned char *bytes, const void *value, size_t size, size_t total)
{
    switch (size) {
    case 1:
        return repeat_small(bytes, value, 1, total);
    case 2:
        return repeat_small(bytes, value, 2, total);
    case 4:
        return repeat_small(bytes, value, 4, total);
    case 8:
        return repeat_small(bytes, value, 8, total);
    default:
        memcpy(bytes, value, size);
        return size;
    }
}

void reap__repeat(void *into, const void *value, size_t size, size_t count)
{
    unsigned char *bytes = into;
    const size_t total = count * size;
    if (count == 0)
        return;
    for (size_t done = repeat_first(bytes, value, size, total); done < total;) {
        const size_t more = done < total - done ? done : total - done;
        memcpy(bytes + done, bytes, more);
        done += more;
    }
}

void reap__fill(const struct reap__reduction *reduction, const void *identity,
                const struct reap__results *results, size_t count)
{
    if (identity != NULL)
        reap__repeat(results->values, identity, reduction->result_size, count);
    if (results->set != NULL)
        memset(results->set, identity != NULL, count);
}

void reap__fold_by_halving(const struct reap__reduction *reduction, const struct reap__results *row,
                           size_t count, size_t width)
{
    for (size_t half = width / 2; half > 0; half /= 2) {
        const struct reap__results partners = reap__results_at(reduction, row, half);
        reap__combine(reduction, row, &partners, reap__fold_pairs(count, half));
    }
}

/* How many levels lie above the first for so many of its results. */
static size_t levels_above(size_t width, size_t blocks)
{
    size_t levels = 1;
    while (blocks > width * REAP__ROWS_OF_A_BLOCK) {
        blocks = (blocks - 1) / (width * REAP__ROWS_OF_A_BLOCK) + 1;
        levels++;
    }
    return levels;
}

static size_t level_bytes(const struct reap__reduction *reduction, size_t width)
{
    size_t bytes = 0;
    const bool fits = reap__add_bytes(&bytes, width + 1, reduction->result_size) &&
                      reap__add_bytes(&bytes, width + 1, 1);
    assert(fits); /* a width shrinks as its type grows */
    (void)fits;
    return bytes;
}

size_t reap__fold_bytes(const struct reap__reduction *reduction, size_t blocks)
{
    const size_t width = REAP__LANES(reduction->result_size);
    return blocks > 1 ? levels_above(width, blocks) * level_bytes(reduction, width) : 0;
}

void reap__fold_make(struct reap__fold *fold, const struct reap__reduction *reduction,
                     const void *identity, size_t blocks, void *memory)
{
    fold->reduction = reduction;
    fold->identity = identity;
    fold->width = REAP__LANES(reduction->result_size);
    fold->level_count = levels_above(fold->width, blocks);
    const bool has_flags = reduction->identity == NULL;
    unsigned char *at = memory;
    for (size_t l = 0; l < fold->level_count; l++) {
        struct reap__level *level = &fold->levels[l];
        size_t values_bytes = 0;
        reap__add_bytes(&values_bytes, fold->width + 1, reduction->result_size);
        level->lanes.values = at;
        level->lanes.set = has_flags ? at + values_bytes : NULL;
        level->first = reap__results_at(reduction, &level->lanes, fold->width);
        level->items = 0;
        level->several = false;
        at += level_bytes(reduction, fold->width);
    }
}

/* The present block of a level into its first lane. */
static void fold_block(const struct reap__fold *fold, struct reap__level *level)
{
    const size_t lanes = level->items < fold->width ? level->items : fold->width;
    reap__fold_by_halving(fold->reduction, &level->lanes, lanes, fold->width);
}

static void push(struct reap__fold *fold, size_t at, const struct reap__results *results,
                 size_t count);

/* The present block of a level becomes an item of the next. */
static void close_block(struct reap__fold *fold, size_t at)
{
    struct reap__level *level = &fold->levels[at];
    fold_block(fold, level);
    level->items = 0;
    push(fold, at + 1, &level->lanes, 1);
}

static void keep_first(struct reap__fold *fold, struct reap__level *level,
                       const struct reap__results *results)
{
    memcpy(level->first.values, results->values, fold->reduction->result_size);
    if (level->first.set != NULL)
        *level->first.set = *results->set;
}

/* Takes results up to the end of a row of lanes, and gives how many. */
static size_t push_row(struct reap__fold *fold, struct reap__level *level,
                       const struct reap__results *results, size_t count)
{
    const size_t lane = level->items % fold->width;
    const size_t taken = count < fold->width - lane ? count : fold->width - lane;
    if (level->items == 0)
        reap__fill(fold->reduction, fold->identity, &level->lanes, fold->width);
    const struct reap__results into = reap__results_at(fold->reduction, &level->lanes, lane);
    reap__combine(fold->reduction, &into, results, taken);
    level->items += taken;
    return taken;
}

static void push(struct reap__fold *fold, size_t at, const struct reap__results *results,
                 size_t count)
{
    assert(at < fold->level_count);
    struct reap__level *level = &fold->levels[at];
    if (level->items == 0 && !level->several)
        keep_first(fold, level, results);
    for (size_t i = 0; i < count;) {
        const struct reap__results rest = reap__results_at(fold->reduction, results, i);
        level->several |= i > 0 || count > 1 || level->items > 0;
        i += push_row(fold, level, &rest, count - i);
        if (level->items == fold->width * REAP__ROWS_OF_A_BLOCK && at + 1 < fold->level_count)
            close_block(fold, at);
    }
}

void reap__fold_push(struct reap__fold *fold, const struct reap__results *results, size_t count)
{
    push(fold, 0, results, count);
}

void reap__fold_finish(struct reap__fold *fold, const struct reap__results *result)
{
    size_t last = 0;
    while (fold->levels[last].several && last + 1 < fold->level_count) {
        if (fold->levels[last].items > 0)
            close_block(fold, last);
        last++;
    }
    struct reap__level *level = &fold->levels[last];
    if (level->several)
        fold_block(fold, level);
    const struct reap__results *answer = level->several ? &level->lanes : &level->first;
    memcpy(result->values, answer->values, fold->reduction->result_size);
    if (result->set != NULL)
        *result->set = *answer->set;
}
