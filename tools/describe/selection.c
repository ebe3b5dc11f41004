/* SPDX-License-Identifier: Apache-2.0
 *
 * Narrows spans of keys.
 */
#include "tools/describe/selection.h"

#include "tools/describe/numbers.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Limits of a pass: it collects 4 MiB of numbers, or 512 bytes of each series if that is more, and
 * each thread has up to 3 MiB of cells. */
enum { MOST_GATHERED = 1 << 19, CELLS = 1024, MOST_REFINED = 128 };

struct cell {
    uint64_t count, least, greatest;
};

struct cli_target {
    struct cli_span span;
    uint64_t *keys; /* NULL: it is divided into cells */
    atomic_uint_fast64_t
        found;      /* the number of keys; those beyond span.count were not stored; relaxed */
    unsigned shift; /* the cell of a key is its distance from span.lowest, shifted by this */
    size_t refined; /* its number among the targets that are divided into cells */
    struct cell *cells;
};

static bool is_open(const struct cli_span *span)
{
    return span->lowest < span->highest;
}

/* ---- Spans by sketches ------------------------------------------------------------------------*/

/* The least key in the span whose bucket is at least `bucket`; span.highest + 1 if there is none.
 */
static uint64_t find_first(const struct cli_sketch *sketch, enum cli_element_type type,
                           uint64_t bucket, struct cli_span span)
{
    if (cli_sketch_find(sketch, cli_key_to_double(type, span.highest)) < bucket)
        return span.highest + 1;
    while (span.lowest < span.highest) {
        const uint64_t middle = span.lowest + (span.highest - span.lowest) / 2;
        if (cli_sketch_find(sketch, cli_key_to_double(type, middle)) < bucket)
            span.lowest = middle + 1;
        else
            span.highest = middle;
    }
    return span.lowest;
}

/* Rounds the ends of a span to keys of a narrower type, whose numbers as doubles have zeros in the
 * bits of the mask. */
static void snap(struct cli_span *span, enum cli_element_type type)
{
    const uint64_t sign = (uint64_t)1 << 63;
    const unsigned rest = type == CLI_ELEMENT_f16 ? 42 : type == CLI_ELEMENT_f32 ? 29 : 0;
    const uint64_t mask = ((uint64_t)1 << rest) - 1;
    if (rest == 0)
        return;
    if ((span->lowest & sign) != 0)
        span->lowest = (span->lowest + mask) & ~mask;
    else
        span->lowest |= mask;
    if ((span->highest & sign) != 0)
        span->highest &= ~mask;
    else if ((span->highest & mask) != mask)
        span->highest = (span->highest & ~mask) - 1;
}

void cli_ranks_begin(struct cli_ranks *ranks, const struct cli_summary *summary,
                     const struct cli_sketch *sketch)
{
    const struct cli_span all = {.lowest = summary->part.minimum, .highest = summary->part.maximum};
    struct cli_bucket bucket = {.count = 0};
    bool is_there = cli_sketch_next(sketch, &bucket);
    for (size_t r = 0; r < ranks->count; r++) {
        struct cli_rank *rank = &ranks->ranks[r];
        while (is_there && rank->rank >= bucket.below + bucket.count)
            is_there = cli_sketch_next(sketch, &bucket);
        rank->span = all;
        rank->span.lowest = find_first(sketch, ranks->type, bucket.number, all);
        rank->span.highest = find_first(sketch, ranks->type, bucket.number + 1, all) - 1;
        rank->span.below = bucket.below;
        rank->span.count = bucket.count;
        snap(&rank->span, summary->type);
        if (rank->rank == 0)
            rank->span.lowest = rank->span.highest = all.lowest;
        if (rank->rank == summary->part.numbers - 1)
            rank->span.lowest = rank->span.highest = all.highest;
    }
}

/* ---- Planning ---------------------------------------------------------------------------------*/

bool cli_selection_is_open(const struct cli_selection *selection)
{
    for (size_t s = 0; s < selection->series_count; s++)
        for (size_t r = 0; r < selection->series[s].count; r++)
            if (is_open(&selection->series[s].ranks[r].span))
                return true;
    return false;
}

/* Whether the previous rank has the same span. */
static bool is_repeated(const struct cli_ranks *ranks, size_t r)
{
    return r > 0 && is_open(&ranks->ranks[r - 1].span) &&
           ranks->ranks[r - 1].span.lowest == ranks->ranks[r].span.lowest;
}

/* Adds the span to the pass if memory suffices; false: out of memory. */
static bool add_target(struct cli_selection *selection, const struct cli_span *span,
                       uint64_t *space)
{
    struct cli_target *target = &selection->targets[selection->target_count];
    const bool is_few = span->count <= *space;
    if (!is_few && selection->refined_count == MOST_REFINED)
        return true;
    *target = (struct cli_target){.span = *span, .refined = selection->refined_count};
    while ((span->highest - span->lowest) >> target->shift >= CELLS)
        target->shift++;
    if (is_few)
        target->keys = malloc((size_t)span->count * sizeof *target->keys);
    else
        target->cells = calloc(CELLS, sizeof *target->cells);
    selection->refined_count += !is_few;
    *space -= is_few ? span->count : 0;
    selection->lowest[selection->target_count] = span->lowest;
    selection->highest[selection->target_count++] = span->highest;
    return target->keys != NULL || target->cells != NULL;
}

bool cli_selection_plan(struct cli_selection *selection)
{
    const uint64_t for_each = 64 * (uint64_t)selection->series_count;
    uint64_t space = MOST_GATHERED > for_each ? MOST_GATHERED : for_each;
    size_t most = 0;
    bool is_fine = true;
    for (size_t s = 0; s < selection->series_count; s++)
        most += selection->series[s].count;
    selection->target_count = selection->refined_count = 0;
    selection->targets = calloc(most + 1, sizeof *selection->targets);
    selection->lowest = calloc(most + 1, sizeof *selection->lowest);
    selection->highest = calloc(most + 1, sizeof *selection->highest);
    selection->firsts = calloc(selection->series_count + 1, sizeof *selection->firsts);
    if (selection->targets == NULL || selection->lowest == NULL || selection->highest == NULL ||
        selection->firsts == NULL)
        return false;
    for (size_t s = 0; s < selection->series_count; s++) {
        const struct cli_ranks *ranks = &selection->series[s];
        for (size_t r = 0; r < ranks->count && is_fine; r++)
            if (is_open(&ranks->ranks[r].span) && !is_repeated(ranks, r))
                is_fine = add_target(selection, &ranks->ranks[r].span, &space);
        selection->firsts[s + 1] = selection->target_count;
    }
    return is_fine;
}

void cli_selection_free_pass(struct cli_selection *selection)
{
    for (size_t t = 0; t < selection->target_count; t++) {
        free(selection->targets[t].keys);
        free(selection->targets[t].cells);
    }
    free(selection->targets);
    free(selection->lowest);
    free(selection->highest);
    free(selection->firsts);
    selection->targets = NULL;
    selection->lowest = selection->highest = NULL;
    selection->firsts = NULL;
    selection->target_count = 0;
}

/* ---- Counting ---------------------------------------------------------------------------------*/

void *cli_selection_make_tally(const struct cli_selection *selection)
{
    return calloc(selection->refined_count * CELLS + 1, sizeof(struct cell));
}

static void add_key(struct cell *cell, uint64_t key)
{
    cell->least = cell->count == 0 || key < cell->least ? key : cell->least;
    cell->greatest = key > cell->greatest ? key : cell->greatest;
    cell->count++;
}

static void take_key(struct cli_target *target, struct cell *cells, uint64_t key)
{
    if (target->keys == NULL) {
        add_key(&cells[target->refined * CELLS + ((key - target->span.lowest) >> target->shift)],
                key);
        return;
    }
    const uint64_t at = atomic_fetch_add_explicit(&target->found, 1, memory_order_relaxed);
    if (at < target->span.count)
        target->keys[at] = key;
}

/* Collects the keys that are in one of the targets. */
static void take_keys(const struct cli_selection *selection, struct cell *cells, size_t series,
                      const uint64_t *keys, size_t count)
{
    const size_t first = selection->firsts[series];
    const size_t targets = selection->firsts[series + 1] - first;
    const uint64_t *lowest = selection->lowest + first, *highest = selection->highest + first;
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = keys[i];
        size_t at = 0;
        for (size_t left = targets; left > 1; left -= left / 2)
            at += lowest[at + left / 2] <= key ? left / 2 : 0;
        if (lowest[at] <= key && key <= highest[at])
            take_key(&selection->targets[first + at], cells, key);
    }
}

void cli_selection_count(const struct cli_selection *selection, void *tally, size_t series,
                         const struct cli_values *values)
{
    const bool is_float = selection->series[series].type == CLI_ELEMENT_f64;
    uint64_t keys[CLI_CHUNK];
    double doubles[CLI_CHUNK];
    if (selection->firsts[series] == selection->firsts[series + 1])
        return;
    for (size_t first = 0; first < values->count; first += CLI_CHUNK) {
        size_t count;
        if (is_float) {
            count = cli_values_read_doubles(values, first, doubles);
            for (size_t i = 0; i < count; i++)
                keys[i] = describe_key_of_float(doubles[i]);
        } else
            count = cli_values_read_keys(values, selection->series[series].type, first, keys);
        take_keys(selection, tally, series, keys, count);
    }
}

static void add_cell(struct cell *into, const struct cell *from)
{
    if (from->count == 0)
        return;
    if (into->count == 0 || from->least < into->least)
        into->least = from->least;
    into->greatest = from->greatest > into->greatest ? from->greatest : into->greatest;
    into->count += from->count;
}

void cli_selection_add(struct cli_selection *selection, const void *tally)
{
    const struct cell *cells = tally;
    for (size_t t = 0; t < selection->target_count; t++) {
        struct cli_target *target = &selection->targets[t];
        for (size_t c = 0; c < CELLS && target->cells != NULL; c++)
            add_cell(&target->cells[c], &cells[target->refined * CELLS + c]);
    }
}

/* ---- Between ranks ----------------------------------------------------------------------------*/

void cli_selection_put_spans(const struct cli_selection *selection, struct cli_packet *packet)
{
    for (size_t s = 0; s < selection->series_count; s++) {
        const struct cli_ranks *ranks = &selection->series[s];
        cli_packet_put_number(packet, ranks->type);
        cli_packet_put_number(packet, ranks->count);
        cli_packet_put(packet, ranks->ranks, ranks->count * sizeof *ranks->ranks);
    }
}

bool cli_selection_get_spans(struct cli_selection *selection, struct cli_packet *packet)
{
    for (size_t s = 0; s < selection->series_count; s++) {
        struct cli_ranks *ranks = &selection->series[s];
        ranks->type = (enum cli_element_type)cli_packet_get_number(packet);
        ranks->count = (size_t)cli_packet_get_number(packet);
        free(ranks->ranks);
        ranks->ranks = calloc(ranks->count + 1, sizeof *ranks->ranks);
        if (ranks->ranks == NULL) {
            ranks->count = 0;
            return false;
        }
        cli_packet_get(packet, ranks->ranks, ranks->count * sizeof *ranks->ranks);
    }
    return !packet->has_failed;
}

bool cli_selection_put_target(const struct cli_selection *selection, size_t *at,
                              struct cli_packet *packet)
{
    if (*at >= selection->target_count)
        return false;
    const struct cli_target *target = &selection->targets[*at];
    const uint64_t found = target->found;
    const size_t kept = (size_t)(found < target->span.count ? found : target->span.count);
    if (target->keys != NULL) {
        cli_packet_put_number(packet, found);
        cli_packet_put(packet, target->keys, kept * sizeof *target->keys);
    } else
        cli_packet_put(packet, target->cells, CELLS * sizeof *target->cells);
    ++*at;
    return true;
}

/* Keys that do not fit are only counted, as in a pass of one rank. */
static void get_keys(struct cli_target *target, struct cli_packet *packet)
{
    const uint64_t found = cli_packet_get_number(packet);
    const uint64_t most = target->span.count, kept = found < most ? found : most;
    for (uint64_t k = 0; k < kept; k++) {
        const uint64_t key = cli_packet_get_number(packet);
        if (target->found + k < most)
            target->keys[target->found + k] = key;
    }
    target->found += found;
}

void cli_selection_get_target(struct cli_selection *selection, size_t at, struct cli_packet *packet)
{
    assert(at < selection->target_count);
    struct cli_target *target = &selection->targets[at];
    if (target->keys != NULL) {
        get_keys(target, packet);
        return;
    }
    for (size_t c = 0; c < CELLS; c++) {
        struct cell cell;
        cli_packet_get(packet, &cell, sizeof cell);
        add_cell(&target->cells[c], &cell);
    }
}

/* ---- Narrowing --------------------------------------------------------------------------------*/

static int compare(const void *a, const void *b)
{
    const uint64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* Sorts the keys of a target; returns whether it has the expected count of numbers. */
static bool prepare(struct cli_target *target)
{
    uint64_t count = target->found;
    for (size_t c = 0; c < CELLS && target->cells != NULL; c++)
        count += target->cells[c].count;
    if (count == target->span.count && target->keys != NULL)
        qsort(target->keys, (size_t)count, sizeof *target->keys, compare);
    return count == target->span.count;
}

static void narrow(const struct cli_target *target, struct cli_rank *rank)
{
    struct cli_span *span = &rank->span;
    if (target->keys != NULL) {
        span->lowest = span->highest = target->keys[rank->rank - span->below];
        return;
    }
    for (size_t c = 0; c < CELLS; c++) {
        const struct cell *cell = &target->cells[c];
        if (rank->rank < span->below + cell->count) {
            *span = (struct cli_span){cell->least, cell->greatest, span->below, cell->count};
            return;
        }
        span->below += cell->count;
    }
}

bool cli_selection_narrow(struct cli_selection *selection)
{
    for (size_t t = 0; t < selection->target_count; t++)
        if (!prepare(&selection->targets[t]))
            return false;
    for (size_t s = 0; s < selection->series_count; s++)
        for (size_t r = 0; r < selection->series[s].count; r++) {
            struct cli_rank *rank = &selection->series[s].ranks[r];
            for (size_t t = selection->firsts[s]; t < selection->firsts[s + 1]; t++)
                if (is_open(&rank->span) && selection->lowest[t] == rank->span.lowest) {
                    narrow(&selection->targets[t], rank);
                    break;
                }
        }
    return true;
}
