/* SPDX-License-Identifier: Apache-2.0
 *
 * Each thread has a share of the units, side by side, and when it is through with it takes the last
 * units of the others' shares. The launching thread is one of them. It may not know how long a unit
 * lasts, so it looks at the clock between units, and invites helpers once the work has lasted
 * longer than it takes to wake them.
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

static void run_unit(struct reap__host_slot *slot, size_t unit)
{
    if (slot->run->span_count > 0)
        reap__span_begin_slot(slot);
    reap__host_run_unit(slot, unit);
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

/* ---- Shares -----------------------------------------------------------------------------------*/

static uint64_t share_of(size_t begin, size_t end)
{
    return (uint64_t)end << 32 | (uint64_t)begin;
}

/* A share's first unit, or its last one. Gives whether there was one. */
static bool take_unit(struct reap__host_slot *slot, bool is_own, size_t *unit)
{
    uint64_t share = atomic_load_explicit(&slot->share, memory_order_relaxed);
    for (;;) {
        const size_t begin = (uint32_t)share, end = (size_t)(share >> 32);
        if (begin >= end)
            return false;
        *unit = is_own ? begin : end - 1;
        if (atomic_compare_exchange_weak_explicit(
                &slot->share, &share, is_own ? share_of(begin + 1, end) : share_of(begin, end - 1),
                memory_order_relaxed, memory_order_relaxed))
            return true;
    }
}

/* The next unit for a slot: of its own share, then of the others'. */
static bool find_unit(struct reap__host_run *run, size_t own, size_t *unit)
{
    for (size_t i = 0; i < run->threads; i++)
        if (take_unit(&run->slots[(own + i) % run->threads], i == 0, unit))
            return true;
    return false;
}

/* Gives how many. */
static size_t run_units(struct reap__host_run *run, size_t own, bool has_invited)
{
    size_t unit, count = 0;
    while (find_unit(run, own, &unit)) {
        run_unit(&run->slots[own], unit);
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
    const size_t units =
        run->merges_in_order ? run_chunks(run, is_own) : run_units(run, helper, is_own);
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

/* Works alone until the work has lasted, or to the end; gives the first unit that is left. */
static size_t try_alone(struct reap__host_run *run)
{
    const uint64_t begin = reap__now();
    size_t unit = 0;
    while (unit < run->units && !has_lasted(begin))
        run_unit(&run->slots[0], unit++);
    note_own(run, unit, begin);
    return unit;
}

/* Shares of neighbouring units, so that each thread reads memory in order. */
static void share_out(struct reap__host_run *run, size_t first)
{
    const size_t count = run->units - first, each = count / run->threads;
    const size_t rest = count % run->threads;
    for (size_t i = 0; i < run->threads; i++) {
        const size_t begin = first + i * each + (i < rest ? i : rest);
        atomic_store_explicit(&run->slots[i].share,
                              share_of(begin, begin + each + (i < rest ? 1 : 0)),
                              memory_order_relaxed);
    }
}

static void run_together(struct reap__host_run *run)
{
    run->job.work = help;
    reap__pool_invite(&run->job, run->threads - 1);
    help(&run->job, 0);
    const size_t helpers = reap__pool_dismiss(&run->job);
    if (helpers > run->helpers)
        run->helpers = helpers;
}

void reap__host_run_batch(struct reap__host_run *run, bool eager)
{
    const size_t pieces = run->batch_end - run->first_piece;
    run->units = ((pieces - 1) / run->unit_pieces + 1) * run->strips;
    run->all_units += run->units;
    run->next_chunk = 0;
    run->next_merge = 0;
    run->merging = false;

    struct reap__host_run *const outer = reap__host_set_running(run);
    if (run->merges_in_order && run->threads == 1) {
        run_chunks(run, false);
    } else if (run->merges_in_order) {
        run_together(run);
    } else if (run->threads == 1) {
        run_alone(run);
    } else {
        const size_t first = eager ? 0 : try_alone(run);
        if (first < run->units) {
            share_out(run, first);
            run_together(run);
        }
    }
    reap__host_set_running(outer);
}
