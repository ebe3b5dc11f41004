/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads take units of work from a counter, in order. The launching thread is one of them. It does
 * not know how long a unit lasts, so it looks at the clock between units, and invites helpers once
 * the work has lasted longer than it takes to wake them.
 *
 * With spans that are merged in order a unit is a chunk. A thread takes a free slot and then the
 * next chunk; a finished chunk waits in its slot until all before it have been merged, and
 * whichever thread finds the next one finished merges it. The chunk to be merged next is always
 * running or finished, never waiting for a slot, so some thread always goes on.
 */
#include "src/host/schedule.h"

#include "src/host/span.h"
#include "src/port/cancellation.h"
#include "src/port/cpu.h"
#include "src/port/fp_environment.h"

enum { LASTING_NANOSECONDS = 5000 };

/* Where strips are shared, each tile has lanes of its own. */
static struct reap__lanes *lanes_of_tile(const struct reap__host_run *run, size_t tile)
{
    return run->scalar_count > 0 ? run->tile_lanes + tile * run->scalar_count : NULL;
}

static void run_unit(struct reap__host_slot *slot, size_t unit)
{
    struct reap__host_run *run = slot->run;
    if (run->span_count > 0)
        reap__span_begin_slot(slot);
    if (run->strips > 1) {
        const size_t tile = unit / run->strips;
        slot->lanes = lanes_of_tile(run, tile);
        reap__host_run_strip(slot, tile, unit % run->strips);
        return;
    }
    const size_t first = run->first_tile + unit * run->tiles_per_unit;
    const size_t end = first + run->tiles_per_unit;
    for (size_t tile = first; tile < end && tile < run->batch_end; tile++)
        reap__host_run_tile(slot, tile);
}

/* ---- Chunks -----------------------------------------------------------------------------------*/

static struct reap__host_slot *find_slot(struct reap__host_run *run, enum reap__slot_state state,
                                         size_t chunk)
{
    for (size_t i = 0; i < run->slot_count; i++)
        if (run->slots[i].state == state && (state == SLOT_FREE || run->slots[i].chunk == chunk))
            return &run->slots[i];
    return NULL;
}

/* A free slot with the next chunk; NULL when all chunks are taken. With the lock held. */
static struct reap__host_slot *take_chunk(struct reap__host_run *run)
{
    while (run->next_chunk < run->units) {
        struct reap__host_slot *slot = find_slot(run, SLOT_FREE, 0);
        if (slot != NULL) {
            slot->state = SLOT_BUSY;
            slot->chunk = run->next_chunk++;
            return slot;
        }
        reap__condition_wait(&run->slot_freed, &run->merge_lock);
    }
    return NULL;
}

/* Merges what can be merged, unless another thread is at it. With the lock held, which it gives up
 * while it merges. */
static void merge_chunks(struct reap__host_run *run)
{
    struct reap__host_slot *slot;
    if (run->merging)
        return;
    run->merging = true;
    while ((slot = find_slot(run, SLOT_FULL, run->next_merge)) != NULL) {
        pthread_mutex_unlock(&run->merge_lock);
        reap__span_merge(slot);
        pthread_mutex_lock(&run->merge_lock);
        slot->state = SLOT_FREE;
        run->next_merge++;
        pthread_cond_broadcast(&run->slot_freed);
    }
    run->merging = false;
}

/* Gives how many. */
static size_t run_chunks(struct reap__host_run *run, bool has_invited)
{
    struct reap__host_slot *slot;
    size_t count = 0;
    pthread_mutex_lock(&run->merge_lock);
    while ((slot = take_chunk(run)) != NULL) {
        pthread_mutex_unlock(&run->merge_lock);
        run_unit(slot, slot->chunk);
        count++;
        if (has_invited)
            reap__pool_remind(&run->job);
        pthread_mutex_lock(&run->merge_lock);
        slot->state = SLOT_FULL;
        merge_chunks(run);
    }
    pthread_mutex_unlock(&run->merge_lock);
    return count;
}

/* The same for units that are in no order. */
static size_t run_units(struct reap__host_run *run, struct reap__host_slot *slot, bool has_invited)
{
    size_t unit, count = 0;
    while ((unit = atomic_fetch_add_explicit(&run->next_unit, 1, memory_order_relaxed)) <
           run->units) {
        run_unit(slot, unit);
        count++;
        if (has_invited)
            reap__pool_remind(&run->job);
    }
    return count;
}

/* ---- Threads ----------------------------------------------------------------------------------*/

/* What the launching thread has done by itself, from which the command's cost is learnt: how long
 * it took in all says more about when the helpers woke. */
static void note_own(struct reap__host_run *run, size_t units, uint64_t begin)
{
    run->own_units += units;
    run->own_nanoseconds += reap__now() - begin;
}

/* Helper 0 is the launching thread. */
static void help(struct reap__job *job, size_t helper)
{
    struct reap__host_run *run = (struct reap__host_run *)job;
    const bool is_own = helper == 0;
    const uint64_t begin = is_own ? reap__now() : 0;
    const reap__fp_environment before = reap__fp_enter();
    struct reap__host_run *const outer = reap__host_set_running(run);
    const size_t units = run->merges_in_order ? run_chunks(run, is_own)
                                              : run_units(run, &run->slots[helper], is_own);
    if (is_own)
        note_own(run, units, begin);
    reap__host_set_running(outer);
    reap__fp_leave(before);
}

static bool has_lasted(uint64_t begin)
{
    return reap__now() - begin >= LASTING_NANOSECONDS;
}

static void run_alone(struct reap__host_run *run)
{
    for (size_t unit = 0; unit < run->units; unit++)
        run_unit(&run->slots[0], unit);
}

/* Works alone until the work has lasted, or to the end; gives whether units are left. */
static bool try_alone(struct reap__host_run *run)
{
    const uint64_t begin = reap__now();
    size_t unit = 0;
    while (unit < run->units && !has_lasted(begin))
        run_unit(&run->slots[0], unit++);
    atomic_store_explicit(&run->next_unit, unit, memory_order_relaxed);
    note_own(run, unit, begin);
    return unit < run->units;
}

void reap__host_run_batch(struct reap__host_run *run, bool eager)
{
    const size_t tiles = run->batch_end - run->first_tile;
    run->units = (tiles + run->tiles_per_unit - 1) / run->tiles_per_unit * run->strips;
    run->all_units += run->units;
    atomic_store_explicit(&run->next_unit, 0, memory_order_relaxed);
    run->next_chunk = 0;
    run->next_merge = 0;
    run->merging = false;
    if (run->strips > 1)
        for (size_t tile = run->first_tile; tile < run->batch_end; tile++)
            reap__host_fill_lanes(run, lanes_of_tile(run, tile), reap__host_tile_size(run, tile));

    run->job.work = help;
    struct reap__host_run *const outer = reap__host_set_running(run);
    if (run->merges_in_order && run->threads == 1) {
        run_chunks(run, false);
    } else if (run->threads == 1) {
        run_alone(run);
    } else if (eager || run->merges_in_order || try_alone(run)) {
        reap__pool_invite(&run->job, run->threads - 1);
        help(&run->job, 0);
        const size_t helpers = reap__pool_dismiss(&run->job);
        if (helpers > run->helpers)
            run->helpers = helpers;
    }

    reap__host_set_running(outer);
    if (run->strips > 1)
        for (size_t tile = run->first_tile; tile < run->batch_end; tile++)
            reap__host_fold_lanes(run, lanes_of_tile(run, tile), tile);
}
