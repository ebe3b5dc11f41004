/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the items of a tile through the kernel's code: in one call where the rows of lanes are
 * whole, else row by row.
 */
#include "src/host/run.h"

#include <string.h>

size_t reap__host_tile_size(const struct reap__host_run *run, size_t tile)
{
    const size_t most = (size_t)1 << run->tile_log2;
    const size_t rest = run->command->items - (tile << run->tile_log2);
    return rest < most ? rest : most;
}

/* ---- Lanes ------------------------------------------------------------------------------------*/

static void fill(const struct reap__host_scalar *scalar, const struct reap__lanes *lanes,
                 size_t items)
{
    const size_t count = items < scalar->width ? items : scalar->width;
    const size_t size = scalar->reduction->value_size;
    if (scalar->is_begun_by_code)
        return;
    if (scalar->start_row != NULL)
        memcpy(lanes->values, scalar->start_row, count * size);
    else if (scalar->start != NULL)
        reap__repeat(lanes->values, scalar->start, size, count);
    if (lanes->set != NULL)
        memset(lanes->set, scalar->start != NULL, count);
    if (lanes->rows != NULL)
        memset(lanes->rows, 0xff, count * size); /* REAP__NO_ROW */
}

static void fold(const struct reap__host_run *run, const struct reap__host_scalar *scalar,
                 const struct reap__lanes *lanes, size_t first, size_t items)
{
    const size_t first_block = run->first_tile << (run->tile_log2 - scalar->block_log2);
    const size_t block = (first >> scalar->block_log2) - first_block;
    const struct reap__results result = reap__results_at(scalar->reduction, &scalar->batch, block);
    const size_t count = items < scalar->width ? items : scalar->width;
    const int is_set =
        scalar->reduction->fold[run->isa](lanes, count, scalar->width, first, result.values);
    if (result.set != NULL)
        *result.set = (unsigned char)is_set;
}

void reap__host_fill_lanes(const struct reap__host_run *run, const struct reap__lanes *lanes,
                           size_t items)
{
    for (size_t s = 0; s < run->scalar_count; s++)
        fill(&run->scalars[s], &lanes[s], items);
}

void reap__host_fold_lanes(const struct reap__host_run *run, const struct reap__lanes *lanes,
                           size_t tile)
{
    const size_t items = reap__host_tile_size(run, tile);
    for (size_t s = 0; s < run->scalar_count; s++)
        fold(run, &run->scalars[s], &lanes[s], tile << run->tile_log2, items);
}

/* The slot's lanes for a row that starts with this item. */
static void point_at_lanes(struct reap__host_slot *slot, size_t item)
{
    const struct reap__host_run *run = slot->run;
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        const struct reap__lanes *lanes = &slot->lanes[s];
        const size_t lane = item & (scalar->width - 1), size = scalar->reduction->value_size;
        slot->row[s].values = (unsigned char *)lanes->values + lane * size;
        slot->row[s].set = lanes->set != NULL ? lanes->set + lane : NULL;
        slot->row[s].rows = lanes->rows != NULL ? (unsigned char *)lanes->rows + lane * size : NULL;
        slot->row[s].start = scalar->start;
    }
}

/* ---- Rows -------------------------------------------------------------------------------------*/

static void call(struct reap__host_slot *slot, struct reap__rows *rows)
{
    struct reap__host_run *run = slot->run;
    const size_t tile_mask = ((size_t)1 << run->tile_log2) - 1;
    point_at_lanes(slot, rows->first);
    rows->arguments = run->command->arguments;
    rows->range = run->command->range;
    rows->lanes = slot->row;
    rows->spans = slot->spans;
    rows->begins = run->begins_in_code && (rows->first & tile_mask) == 0;
    rows->is_large = run->is_large;
    rows->group = &reap__host_no_group;
    const enum reap__isa ran = run->rows(rows);
    atomic_store_explicit(&run->ran, (int)ran, memory_order_relaxed);
}

static void find_id(const reap_range *range, size_t item, size_t id[3])
{
    id[0] = id[1] = id[2] = 0;
    for (unsigned d = range->dimensions; d-- > 1;) {
        id[d] = item % range->size[d];
        item /= range->size[d];
    }
    id[0] = item;
}

/* `rows` rows of `count` items each, `stride` items apart. */
static void run_rows(struct reap__host_slot *slot, size_t first, size_t count, size_t rows,
                     size_t stride)
{
    const reap_range *range = slot->run->command->range;
    if (count == 0)
        return;
    const bool in_one_call = range->dimensions == 1 || count == stride;
    const size_t rows_of_call = in_one_call ? rows : 1;
    for (size_t row = 0; row < rows; row += rows_of_call) {
        struct reap__rows all = {.first = first + row * stride,
                                 .count = count,
                                 .rows = rows_of_call,
                                 .stride = in_one_call ? stride : count};
        find_id(range, all.first, all.id);
        call(slot, &all);
    }
}

void reap__host_run_strip(struct reap__host_slot *slot, size_t tile, size_t strip)
{
    const struct reap__host_run *run = slot->run;
    const size_t width = run->width, items = reap__host_tile_size(run, tile);
    const size_t used = items < width ? items : width;
    const size_t begin = strip * used / run->strips, end = (strip + 1) * used / run->strips;
    const size_t first = tile << run->tile_log2, full_rows = items / width, rest = items % width;
    run_rows(slot, first + begin, end - begin, full_rows, width);
    if (begin < rest)
        run_rows(slot, first + full_rows * width + begin, (end < rest ? end : rest) - begin, 1,
                 width);
}

/* Reductions of several widths: a row of the least, and the blocks that begin and end with it. */
static void run_mixed_tile(struct reap__host_slot *slot, size_t first, size_t items)
{
    const struct reap__host_run *run = slot->run;
    for (size_t done = 0; done < items; done += run->width) {
        const size_t left = items - done, count = left < run->width ? left : run->width;
        for (size_t s = 0; s < run->scalar_count; s++)
            if ((done & (((size_t)1 << run->scalars[s].block_log2) - 1)) == 0)
                fill(&run->scalars[s], &slot->lanes[s], left);
        run_rows(slot, first + done, count, 1, run->width);
        for (size_t s = 0; s < run->scalar_count; s++) {
            const size_t block_items = (size_t)1 << run->scalars[s].block_log2;
            const size_t in_block = (done & (block_items - 1)) + count;
            if (in_block == block_items || left == count)
                fold(run, &run->scalars[s], &slot->lanes[s], first + done + count - in_block,
                     in_block);
        }
    }
}

void reap__host_run_tile(struct reap__host_slot *slot, size_t tile)
{
    const struct reap__host_run *run = slot->run;
    if (reap__has_groups(run->kernel)) {
        reap__host_run_group(slot, tile);
        return;
    }
    const size_t first = tile << run->tile_log2, items = reap__host_tile_size(run, tile);
    const size_t rest = items & (run->width - 1), in_full_rows = items - rest;
    if (!run->is_uniform) {
        run_mixed_tile(slot, first, items);
        return;
    }
    reap__host_fill_lanes(run, slot->lanes, items);
    run_rows(slot, first, run->width, in_full_rows >> run->width_log2, run->width);
    run_rows(slot, first + in_full_rows, rest, 1, run->width);
    reap__host_fold_lanes(run, slot->lanes, tile);
}
