/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts a command's work-items into tiles and takes its memory. A tile holds whole blocks of every
 * reduction, so that what a tile computes does not depend on how tiles are dealt out. Where there
 * are fewer tiles than threads could share, a unit of work is a strip of a tile's lanes instead:
 * lanes are independent of each other as well.
 */
#include "src/host/plan.h"

#include "src/core/status.h"
#include "src/host/span.h"

#include <math.h>
#include <reap/half.h>
#include <string.h>

enum {
    BATCH_BYTES = 1 << 22, /* of one reduction's results */
    MOST_BATCH_TILES = 1 << 15,
    LEAST_BATCH_TILES = 64,
    MOST_UNIT_TILES = 8,
    UNITS_PER_THREAD = 16,
    LANES_APART = 8192,    /* between threads: what a processor fetches ahead of one's lanes is
                              not another's, which would have to give it up */
    LANES_ASIDE = 1088,    /* between reductions: rows of lanes, and of most arrays, are pages long,
                              and what lies pages apart is in one place of a first-level cache */
    LARGE_BYTES = 1 << 26, /* of arrays: more than most caches' */
    SPAN_TILE_LOG2 = 12 /* where neither a scalar reduction nor an order says how long a tile is */
};

/* ---- Sizes ------------------------------------------------------------------------------------*/

static void plan_scalar(struct reap__host_scalar *scalar, const struct reap__target *target)
{
    scalar->target = target;
    scalar->reduction = target->reduction;
    scalar->width = (size_t)1 << target->reduction->lanes_log2;
    scalar->block_log2 = target->reduction->lanes_log2 + REAP__ROWS_LOG2;
    scalar->has_flags = target->reduction->identity == NULL;
}

/* How many blocks, of 2^log2 items, so many items have. */
static size_t blocks_of(size_t items, int log2)
{
    return items > 0 ? ((items - 1) >> log2) + 1 : 0;
}

/* Of a chunk, whose items go by the longest span. */
static size_t count_chunk_tiles(const struct reap__host_run *run, size_t tile_items)
{
    if (!run->merges_in_order)
        return 1;
    const size_t tiles = reap__span_chunk_items(reap__span_longest(run)) / tile_items;
    return tiles > 1 ? tiles : 1;
}

/* Whether arrays with an element for each item come from memory. */
static bool is_large(const struct reap__command *command)
{
    size_t bytes = 0;
    for (size_t p = 1; p < command->kernel->parameter_count; p++)
        if (reap__is_array(&command->kernel->parameters[p]))
            bytes += command->kernel->parameters[p].size;
    return bytes > 0 && command->items > LARGE_BYTES / bytes;
}

static void plan_tiles(struct reap__host_run *run)
{
    int least = REAP__PLAIN_LANES_LOG2;
    int most = run->scalar_count > 0 && run->span_count == 0 ? 0 : REAP__PLAIN_LANES_LOG2;
    for (size_t s = 0; s < run->scalar_count; s++) {
        const int lanes = run->scalars[s].reduction->lanes_log2;
        least = lanes < least ? lanes : least;
        most = lanes > most ? lanes : most;
    }
    run->width = (size_t)1 << least;
    run->width_log2 = least;
    run->is_uniform = most == least;
    run->tile_log2 = most + REAP__ROWS_LOG2;
    if (run->span_count > 0 && run->scalar_count == 0 && !run->merges_in_order)
        run->tile_log2 = SPAN_TILE_LOG2;
    run->tiles = blocks_of(run->command->items, run->tile_log2);
    run->chunk_tiles = count_chunk_tiles(run, (size_t)1 << run->tile_log2);
    run->is_large = is_large(run->command);
}

/* Groups of an nd_range are tiles of one block each. */
static void plan_groups(struct reap__host_run *run)
{
    const size_t *group = run->command->range->group;
    const size_t items = run->command->items > 0 ? group[0] * group[1] * group[2] : 1;
    size_t width = 1;
    while (width < items)
        width *= 2;
    run->width = width;
    run->is_uniform = true;
    run->tile_log2 = 0;
    run->tiles = run->command->items / items;
    for (size_t s = 0; s < run->scalar_count; s++) {
        run->scalars[s].width = width;
        run->scalars[s].block_log2 = 0;
    }
    run->chunk_tiles = count_chunk_tiles(run, items);
}

static void plan_batch(struct reap__host_run *run)
{
    size_t tiles = MOST_BATCH_TILES;
    run->batch_tiles = run->tiles;
    if (run->tiles <= LEAST_BATCH_TILES)
        return;
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        const size_t bytes = scalar->reduction->result_size
                             << (run->tile_log2 - scalar->block_log2);
        tiles = BATCH_BYTES / bytes < tiles ? BATCH_BYTES / bytes : tiles;
    }
    tiles = tiles > LEAST_BATCH_TILES ? tiles : LEAST_BATCH_TILES;
    tiles = (tiles + run->chunk_tiles - 1) / run->chunk_tiles * run->chunk_tiles;
    run->batch_tiles = run->tiles < tiles ? run->tiles : tiles;
}

/* How many threads, and what they take at a time. */
static void plan_units(struct reap__host_run *run, size_t threads)
{
    const size_t wanted = threads * UNITS_PER_THREAD;
    run->strips = 1;
    run->threads = 1;
    run->slot_count = 1;
    run->tiles_per_unit = run->merges_in_order ? run->chunk_tiles : run->tiles;
    if (threads <= 1 || run->tiles == 0)
        return;
    run->tiles_per_unit = run->batch_tiles / wanted;
    run->tiles_per_unit = run->tiles_per_unit > 1 ? run->tiles_per_unit : 1;
    run->tiles_per_unit =
        run->tiles_per_unit < MOST_UNIT_TILES ? run->tiles_per_unit : MOST_UNIT_TILES;
    if (run->merges_in_order) {
        run->tiles_per_unit = run->chunk_tiles;
    } else if (run->span_count == 0 && run->is_uniform && run->tiles < 4 * threads &&
               !reap__has_groups(run->kernel)) {
        const size_t lanes = run->command->items < run->width ? run->command->items : run->width;
        run->strips = (wanted + run->tiles - 1) / run->tiles;
        run->strips = run->strips < lanes ? run->strips : lanes;
    }
    const size_t units = (run->tiles + run->tiles_per_unit - 1) / run->tiles_per_unit * run->strips;
    run->threads = units < threads ? units : threads;
    /* A thread whose chunk cannot be merged yet may begin another. */
    run->slot_count = run->threads;
    if (run->merges_in_order && run->threads > 1)
        run->slot_count = units < 2 * run->threads ? units : 2 * run->threads;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

static reap_status take_reductions(struct reap__host_run *run, struct reap__scratch *scratch)
{
    const struct reap__command *command = run->command;
    run->scalar_count = command->scalar_count;
    run->span_count = command->span_count;
    run->scalars = reap__scratch_take(scratch, run->scalar_count, sizeof *run->scalars);
    run->spans = reap__scratch_take(scratch, run->span_count, sizeof *run->spans);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t s = 0; s < run->scalar_count; s++)
        plan_scalar(&run->scalars[s], &command->scalars[s]);
    reap__span_plan(run);
    return REAP_OK;
}

static void take_lanes(const struct reap__host_run *run, struct reap__scratch *scratch,
                       struct reap__lanes *lanes)
{
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        const size_t size = scalar->reduction->value_size, width = scalar->width;
        reap__scratch_take(scratch, run->scalar_count > 1 ? LANES_ASIDE : 0, 1);
        lanes[s] = (struct reap__lanes){.values = reap__scratch_take(scratch, width, size)};
        if (scalar->has_flags)
            lanes[s].set = reap__scratch_take(scratch, width, 1);
        if (scalar->reduction->location_offset > 0) {
            lanes[s].rows = reap__scratch_take(scratch, width, size);
            lanes[s].spare = reap__scratch_take(scratch, width, size);
        }
    }
}

static reap_status take_slots(struct reap__host_run *run, struct reap__scratch *scratch)
{
    const size_t lane_sets = run->strips > 1 ? run->tiles : run->slot_count;
    const size_t scalars = run->scalar_count, apart = run->threads > 1 ? LANES_APART : 0;
    struct reap__lanes *lanes =
        reap__scratch_take(scratch, (lane_sets + run->slot_count) * scalars, sizeof *lanes);
    run->slots = reap__scratch_take(scratch, run->slot_count, sizeof *run->slots);
    REAP_TRY(reap__scratch_check(scratch));
    run->tile_lanes = lanes;
    for (size_t set = 0; set < lane_sets && scalars > 0; set++) {
        reap__scratch_take(scratch, apart, 1);
        take_lanes(run, scratch, lanes + set * scalars);
    }
    reap__scratch_take(scratch, apart, 1);
    for (size_t i = 0; i < run->slot_count; i++) {
        struct reap__host_slot *slot = &run->slots[i];
        *slot = (struct reap__host_slot){.run = run, .state = SLOT_FREE};
        if (scalars > 0) {
            slot->lanes = lanes + (run->strips > 1 ? 0 : i * scalars);
            slot->row = lanes + (lane_sets + i) * scalars;
        }
    }
    return run->span_count > 0 ? reap__span_take(run, scratch) : reap__scratch_check(scratch);
}

/* Whether the kernel's code makes the lanes start, in a tile's first rows, so that nobody fills
 * them. */
static bool is_begun_by_code(const struct reap__host_run *run,
                             const struct reap__host_scalar *scalar)
{
    const struct reap__reduction *reduction = scalar->reduction;
    return run->begins_in_code && !scalar->has_flags && reduction->location_offset == 0 &&
           reduction->value_size <= REAP__MOST_LOCAL_BYTES;
}

/* A command of one block folds straight into its result. */
static void take_result(struct reap__host_run *run, struct reap__host_scalar *scalar,
                        struct reap__scratch *scratch)
{
    const struct reap__reduction *reduction = scalar->reduction;
    const size_t blocks = run->batch_tiles << (run->tile_log2 - scalar->block_log2);
    const bool has_identity = reduction->identity != NULL || scalar->target->identity != NULL;
    const size_t room = (reduction->result_size + REAP__MEMORY_ALIGNMENT - 1) &
                        ~(size_t)(REAP__MEMORY_ALIGNMENT - 1);
    unsigned char *memory = reap__scratch_take(scratch, 3, room);
    unsigned char *set = scalar->has_flags ? reap__scratch_take(scratch, 1, 1) : NULL;
    scalar->blocks = reap__has_groups(run->kernel)
                         ? run->tiles
                         : blocks_of(run->command->items, scalar->block_log2);
    scalar->result.values = scalar->batch.values = memory;
    scalar->result.set = scalar->batch.set = set;
    scalar->room = memory + room;
    scalar->identity = has_identity ? memory + 2 * room : NULL;
    scalar->start = NULL;
    scalar->start_row = NULL;
    scalar->is_begun_by_code = is_begun_by_code(run, scalar);
    if (scalar->blocks <= 1)
        return;
    if (has_identity && !scalar->is_begun_by_code)
        scalar->start_row = reap__scratch_take(scratch, scalar->width, reduction->value_size);
    scalar->batch.values = reap__scratch_take(scratch, blocks, reduction->result_size);
    if (scalar->has_flags)
        scalar->batch.set = reap__scratch_take(scratch, blocks, 1);
}

static reap_status take_results(struct reap__host_run *run, struct reap__scratch *scratch)
{
    run->begins_in_code = run->span_count == 0 && !reap__has_groups(run->kernel) &&
                          run->is_uniform && run->strips == 1 &&
                          run->command->range->dimensions == 1;
    for (size_t s = 0; s < run->scalar_count; s++)
        take_result(run, &run->scalars[s], scratch);
    return reap__scratch_check(scratch);
}

static reap_status make_folds(struct reap__host_run *run, struct reap__scratch *scratch)
{
    for (size_t s = 0; s < run->scalar_count && run->tiles > 0; s++) {
        struct reap__host_scalar *scalar = &run->scalars[s];
        if (scalar->blocks <= 1)
            continue;
        void *memory =
            reap__scratch_take(scratch, reap__fold_bytes(scalar->reduction, scalar->blocks), 1);
        if (memory != NULL)
            reap__fold_make(&scalar->fold, scalar->reduction, scalar->identity, scalar->blocks,
                            memory);
    }
    return reap__scratch_check(scratch);
}

/* ---- Values -----------------------------------------------------------------------------------*/

/* What a lane of a reduction with a location starts as: NaN, where its type has one (operators.h).
 */
static const void *located_start(const struct reap__host_scalar *scalar)
{
    static const float single = NAN;
    static const double wide = NAN;
    static const reap_half half = {0x7e00};
    switch (scalar->reduction->number) {
    case REAP__IS_FLOAT:
        return &single;
    case REAP__IS_DOUBLE:
        return &wide;
    case REAP__IS_HALF:
        return &half;
    default:
        return scalar->identity;
    }
}

static void make_identity(struct reap__host_scalar *scalar)
{
    const struct reap__reduction *reduction = scalar->reduction;
    if (scalar->identity == NULL)
        return;
    if (reduction->identity != NULL)
        reduction->identity(scalar->identity);
    if (scalar->target->identity != NULL)
        memcpy(scalar->identity, scalar->target->identity, reduction->value_size);
    scalar->start = reduction->location_offset > 0 ? located_start(scalar) : scalar->identity;
    if (scalar->start_row != NULL)
        reap__repeat(scalar->start_row, scalar->start, reduction->value_size, scalar->width);
}

reap_status reap__host_plan(struct reap__host_run *run, size_t threads,
                            struct reap__scratch *scratch)
{
    REAP_TRY(take_reductions(run, scratch));
    if (reap__has_groups(run->kernel))
        plan_groups(run);
    else
        plan_tiles(run);
    plan_batch(run);
    plan_units(run, reap__span_threads(run, threads));
    REAP_TRY(take_results(run, scratch));
    REAP_TRY(take_slots(run, scratch));
    for (size_t s = 0; s < run->scalar_count; s++)
        make_identity(&run->scalars[s]);
    REAP_TRY(make_folds(run, scratch));
    return reap__has_groups(run->kernel) && run->tiles > 0 ? reap__host_take_groups(run, scratch)
                                                           : REAP_OK;
}

/* ---- A row ------------------------------------------------------------------------------------*/

bool reap__host_is_row(const struct reap__command *command)
{
    if (command->range->dimensions != 1 || command->items == 0 || command->span_count > 0 ||
        command->scalar_count == 0 || reap__has_groups(command->kernel))
        return false;
    for (size_t s = 0; s < command->scalar_count; s++)
        if (command->items > (size_t)1 << command->scalars[s].reduction->lanes_log2)
            return false;
    return true;
}

reap_status reap__host_plan_row(struct reap__host_run *run, struct reap__scratch *scratch)
{
    REAP_TRY(take_reductions(run, scratch));
    struct reap__lanes *lanes = reap__scratch_take(scratch, run->scalar_count, sizeof *lanes);
    REAP_TRY(reap__scratch_check(scratch));
    run->tile_log2 = REAP__PLAIN_LANES_LOG2 + REAP__ROWS_LOG2;
    run->tiles = run->batch_tiles = 1;
    run->first_tile = 0;
    run->begins_in_code = true;
    for (size_t s = 0; s < run->scalar_count; s++)
        take_result(run, &run->scalars[s], scratch);
    take_lanes(run, scratch, lanes);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t s = 0; s < run->scalar_count; s++) {
        make_identity(&run->scalars[s]);
        lanes[s].start = run->scalars[s].start;
    }
    run->tile_lanes = lanes;
    return REAP_OK;
}
