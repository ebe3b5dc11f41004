/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a launch on the host: plans it (plan.c), runs its units, combines their results in order,
 * and writes the reduction variables last, when nothing can fail any more.
 *
 * Cost. Each kernel's state has what its work-items cost on one thread. A launch that is expected
 * to be short runs on its own thread at once, mostly without reading the clock. A longer one is
 * shared with as many helpers as shorten it. If sharing has not paid off, the kernel's next
 * launches run alone.
 *
 * Shares. The units are divided into a share of consecutive units for each thread, the launching
 * thread being one of them. A thread that has finished its share takes the last units of other
 * shares. If the cost is unknown, the launching thread runs units alone, reads the clock between
 * them, and invites helpers when the rest of the work is long enough.
 *
 * Chunks. With array reductions that are merged in order, a unit is a chunk. A thread takes a free
 * slot, and with it the next chunk. A finished chunk waits in its slot until all chunks before it
 * have been merged; any thread that finds the next chunk finished merges it. The chunk to be merged
 * next is always running or finished, and never waits for a slot, so some thread always makes
 * progress.
 */
#include "src/host/launch.h"

#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/config.h"
#include "src/core/status.h"
#include "src/host/columns.h"
#include "src/host/compiled/compiled.h"
#include "src/host/group.h"
#include "src/host/lines.h"
#include "src/host/pool.h"
#include "src/host/prepared.h"
#include "src/host/run.h"
#include "src/host/span.h"
#include "src/port/cancellation.h"
#include "src/port/compiler.h"
#include "src/port/cpu.h"
#include "src/port/fp_environment.h"
#include "src/queue/queue.h"
#include "src/reduction/exact.h"
#include "src/reduction/operators.h"
#include "src/reduction/part.h"
#include "src/reduction/store.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    SHORT_NANOSECONDS = 3000,  /* a command that takes less is short: it invites no helpers */
    SHARE_NANOSECONDS = 1500,  /* the least work of each thread that shares one, if it is awake, */
    WAKE_NANOSECONDS = 20000,  /* and if it must be woken */
    BRIEF_NANOSECONDS = 20000, /* if each thread takes less, a command is brief: few, large units */
    PLAN_NANOSECONDS = 150,    /* the fixed cost of a planned command, */
    CALL_NANOSECONDS = 50,     /* of one that is a single call, */
    SIMPLE_NANOSECONDS = 30,   /* and of a simple one */
    PART_NANOSECONDS = 300,    /* to commit a part of a span, for each copy */
    MEASURED_LAUNCHES = 16,    /* one in so many short launches is timed; */
    MEASURED_TINY = 64,        /* one in so many if it has fewer items than */
    TINY_PART = 16,            /* this fraction of those of a short launch */
    TRY_NANOSECONDS = 5000,    /* between decisions to invite helpers, where the cost is unknown */
    TRIED_ALONE = 122,         /* of so many brief launches, */
    TRIES = 2, /* so many run alone, to measure the cost of items; the data of the first may be in
                  the caches of other processors, */
    MOST_ALONE_NANOSECONDS = 100000, /* if they are expected to take less than this */
    LEAST_BACKOFF_LOG2 = 3,          /* 8 launches run alone after sharing has not paid off, */
    MOST_BACKOFF_LOG2 = 8,           /* and up to 256 if it still does not */
    SLOWNESS = 16, /* the fraction of the difference by which a higher cost is taken over */
    MOST_SHORT_ITEMS = SHORT_NANOSECONDS * 1024
};

/* Written before the first command, constant afterwards. */
static enum reap__isa best_isa;
static size_t thread_count = 1;
static bool is_checked;

/* For tests. Relaxed: not exact if several threads launch. */
static atomic_ulong commands_run[REAP__ISA_COUNT];

void reap__host_configure(enum reap__isa isa, size_t threads, const struct reap__config *config)
{
    const bool checked = config->is_checked;
    is_checked = checked;
    best_isa = checked ? REAP__ISA_PLAIN : isa;
    reap__compiled_configure(config, best_isa);
    thread_count = threads;
    reap__scratch_configure(threads);
    reap__operator_functions_select(best_isa);
    reap__exact_functions_select(best_isa);
}

unsigned long reap__host_commands_run(enum reap__isa isa)
{
    return atomic_load_explicit(&commands_run[isa], memory_order_relaxed);
}

/* ---- The cost of a kernel's work-items --------------------------------------------------------*/

/* Whether the command is expected to be so short that it runs at once. */
static bool is_short(const struct reap__launch *command)
{
    return command->items < reap__host_short_items(command->kernel->state);
}

/* Counts launches. Relaxed: not exact if several threads launch. */
static unsigned count_launch(struct reap__kernel_state *state)
{
    const unsigned launches = atomic_load_explicit(&state->launches, memory_order_relaxed);
    atomic_store_explicit(&state->launches, launches + 1, memory_order_relaxed);
    return launches;
}

/* Whether a short command of `items` work-items, after so many launches, is to be timed. */
static bool is_due_after(unsigned launches, size_t items, size_t short_items)
{
    return launches % MEASURED_LAUNCHES == 0 &&
           (launches % MEASURED_TINY == 0 || items >= short_items / TINY_PART);
}

static bool is_due(const struct reap__launch *command)
{
    struct reap__kernel_state *state = command->kernel->state;
    return is_due_after(count_launch(state), command->items, reap__host_short_items(state));
}

struct reap__expectation {
    size_t threads;
    bool eager; /* it is known that the command is worth sharing */
    bool timed;
    bool brief;         /* for less than BRIEF_NANOSECONDS on each thread */
    double nanoseconds; /* the expected time on one thread; 0: unknown */
};

/* The number of threads that shorten so much work. Sleeping helpers are woken for much work only.
 * Launches of less work are reported to the pool, which wakes helpers for the next one if launches
 * follow each other. */
static size_t threads_worth(double nanoseconds, size_t most)
{
    const double parts = nanoseconds / SHARE_NANOSECONDS, wakes = nanoseconds / WAKE_NANOSECONDS;
    const size_t wanted = parts < (double)most ? (size_t)parts : most;
    const size_t woken = wakes < (double)most ? (size_t)wakes : most;
    if (wanted <= 1 || woken >= wanted)
        return wanted > 1 ? wanted : 1;
    const size_t awake = 1 + reap__pool_awake();
    if (awake < wanted)
        reap__pool_miss(wanted - 1);
    const size_t ready = awake < wanted ? awake : wanted;
    return ready > woken ? ready : woken;
}

/* ---- Backoff: after launches that were shared without gain, some run alone -------------------*/

/* Sharing has a balance: each shared launch adds the fraction of its time on one thread that
 * sharing saved, or subtracts the fraction that it cost, at most 2: so a launch that another
 * program delays costs little of a balance that others have earned. When it falls below 0, the next
 * launches run alone, each time twice as many, until the balance has recovered. The state packs the
 * number of further launches that run alone (16 bits), the logarithm of that number (8 bits), and
 * the balance. */
enum {
    BACKOFF_COUNT = 0xffff,
    BACKOFF_LOG2_SHIFT = 16,
    BALANCE_SHIFT = 24,
    BALANCE_ONE = 16,                /* the time of a launch on one thread */
    FIRST_BALANCE = 2 * BALANCE_ONE, /* the first shared launches may have to create helpers */
    MOST_BALANCE = 8 * BALANCE_ONE,
    LEAST_GAIN = -2 * BALANCE_ONE,
    RECOVERED = BALANCE_ONE
};

static bool takes_backoff(struct reap__kernel_state *state)
{
    const unsigned backoff = atomic_load_explicit(&state->backoff, memory_order_relaxed);
    if ((backoff & BACKOFF_COUNT) == 0)
        return false;
    atomic_store_explicit(&state->backoff, backoff - 1, memory_order_relaxed);
    return true;
}

/* Updates the balance after a shared launch, which was expected to take `alone` nanoseconds on one
 * thread. */
static void learn_backoff(struct reap__kernel_state *state, double alone, double nanoseconds)
{
    const unsigned backoff = atomic_load_explicit(&state->backoff, memory_order_relaxed);
    const double saved = (alone - nanoseconds) / alone * BALANCE_ONE;
    int balance = backoff == 0 ? FIRST_BALANCE : (int)(backoff >> BALANCE_SHIFT);
    unsigned log2 = backoff >> BACKOFF_LOG2_SHIFT & 0xff, count = 0;
    balance += saved < LEAST_GAIN ? LEAST_GAIN : (int)saved;
    if (balance < 0) {
        log2 = log2 < LEAST_BACKOFF_LOG2 ? LEAST_BACKOFF_LOG2 : log2 + (log2 < MOST_BACKOFF_LOG2);
        count = 1u << log2;
        balance = 0;
    } else if (balance >= RECOVERED) {
        log2 = 0;
    }
    balance = balance < MOST_BALANCE ? balance : MOST_BALANCE;
    atomic_store_explicit(&state->backoff,
                          (unsigned)balance << BALANCE_SHIFT | log2 << BACKOFF_LOG2_SHIFT | count,
                          memory_order_relaxed);
}

/* A launch that was expected to be short (`is_expected_short`) is not shared even if another thread
 * has learnt a higher cost since, because its thread can be cancelled (run_long defers that). */
static struct reap__expectation expect(const struct reap__launch *command, bool is_expected_short)
{
    struct reap__kernel_state *state = command->kernel->state;
    const unsigned short_parts = atomic_load_explicit(&state->short_items, memory_order_relaxed);
    if (is_expected_short || command->items < short_parts / REAP__PARTS_OF_ITEM)
        return (struct reap__expectation){1, false, is_due(command), true, 0};
    size_t most = thread_count;
    if (command->max_threads > 0 && command->max_threads < most)
        most = command->max_threads;
    if (short_parts == 0)
        return (struct reap__expectation){most, false, true, false, 0};
    const double nanoseconds = (double)command->items / (double)short_parts *
                               ((double)SHORT_NANOSECONDS * REAP__PARTS_OF_ITEM);
    const size_t threads = threads_worth(nanoseconds, most);
    const bool brief = nanoseconds < (double)threads * BRIEF_NANOSECONDS;
    if (brief && (takes_backoff(state) || (nanoseconds < MOST_ALONE_NANOSECONDS &&
                                           count_launch(state) % TRIED_ALONE < TRIES)))
        return (struct reap__expectation){1, false, true, true, nanoseconds};
    return (struct reap__expectation){threads, true, true, brief, nanoseconds};
}

static void learn_items(const struct reap__launch *command, double items)
{
    const double parts = items * REAP__PARTS_OF_ITEM;
    atomic_store_explicit(&command->kernel->state->short_items, parts > 1 ? (unsigned)parts : 1,
                          memory_order_relaxed);
}

/* The number of items that are short, if the command's items took so long on one thread. */
static double short_items_of(const struct reap__launch *command, double nanoseconds)
{
    const double cost = nanoseconds > 0 ? nanoseconds / (double)command->items : 0;
    return cost * MOST_SHORT_ITEMS > SHORT_NANOSECONDS ? SHORT_NANOSECONDS / cost
                                                       : MOST_SHORT_ITEMS;
}

static void learn(const struct reap__launch *command, double nanoseconds)
{
    learn_items(command, short_items_of(command, nanoseconds));
}

/* After a shared launch: items cost more when threads share them, so a higher cost is taken over
 * gradually, and only if no launch runs alone to measure it. */
static void learn_shared(const struct reap__launch *command, double expected, double nanoseconds)
{
    const double items = short_items_of(command, nanoseconds);
    const double before =
        (double)atomic_load_explicit(&command->kernel->state->short_items, memory_order_relaxed) /
        REAP__PARTS_OF_ITEM;
    if (items >= before)
        learn_items(command, items);
    else if (expected >= MOST_ALONE_NANOSECONDS)
        learn_items(command, before + (items - before) / SLOWNESS);
}

/* ---- Units ------------------------------------------------------------------------------------*/

static void run_unit(struct reap__host_slot *slot, size_t unit)
{
    if (slot->run->has_lines) {
        reap__host_run_lines(slot, unit);
        return;
    }
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

/* Returns a free slot, with the next chunk; NULL if all chunks are taken. With the lock held. */
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

/* Merges the chunks that can be merged, unless another thread is merging. With the lock held; it is
 * released while a chunk is merged. */
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

/* Runs chunks until all are taken. Returns how many. */
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

/* Takes the first unit of a thread's own share, or the last unit of another. Returns false if the
 * share is empty. */
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

/* Finds the next unit for a slot: of its own share, then of the others. */
static bool find_unit(struct reap__host_run *run, size_t own, size_t *unit)
{
    for (size_t i = 0; i < run->threads; i++)
        if (take_unit(&run->slots[(own + i) % run->threads], i == 0, unit))
            return true;
    return false;
}

/* Runs units until all are taken. Returns how many. */
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

/* The cost of items is measured by the units that the launching thread has run, since the time of
 * the whole launch depends on when helpers wake; if the launching thread came too late for any
 * unit, by those of a helper. */
static void note_own(struct reap__host_run *run, size_t units, uint64_t begin)
{
    run->own_units += units;
    run->own_nanoseconds += reap__now() - begin;
}

static void note_helper(struct reap__host_run *run, size_t units, uint64_t begin)
{
    const uint64_t each = (reap__now() - begin) / units;
    atomic_store_explicit(&run->helper_nanoseconds, each > 0 ? each : 1, memory_order_relaxed);
}

/* The work of each thread of a shared command; helper 0 is the launching thread. */
static void help(struct reap__job *job, size_t helper)
{
    struct reap__host_run *run = (struct reap__host_run *)job;
    const bool is_own = helper == 0;
    const uint64_t begin = reap__now();
    const reap__fp_environment before = reap__fp_enter();
    struct reap__host_run *const outer = reap__host_set_running(run);
    if (!is_own)
        reap__host_begin_slot(&run->slots[helper]);
    const size_t units =
        run->merges_in_order ? run_chunks(run, is_own) : run_units(run, helper, is_own);
    if (is_own)
        note_own(run, units, begin);
    else if (units > 0)
        note_helper(run, units, begin);
    reap__host_set_running(outer);
    reap__fp_leave(before);
}

static void run_alone(struct reap__host_run *run)
{
    for (size_t unit = 0; unit < run->units; unit++)
        run_unit(&run->slots[0], unit);
}

/* Runs units alone until the rest is worth sharing, or to the end. Sets the number of threads for
 * the rest. Returns the first unit that is left. */
static size_t try_alone(struct reap__host_run *run, size_t most)
{
    const uint64_t begin = reap__now();
    uint64_t next = begin + TRY_NANOSECONDS;
    size_t unit = 0;
    while (unit < run->units) {
        run_unit(&run->slots[0], unit++);
        const uint64_t now = reap__now();
        if (now < next)
            continue;
        const double rest = (double)(now - begin) / (double)unit * (double)(run->units - unit);
        run->threads = threads_worth(rest, most);
        if (run->threads > 1)
            break;
        next = now + TRY_NANOSECONDS;
    }
    note_own(run, unit, begin);
    return unit;
}

/* Gives each thread a share of neighbouring units, so that it reads memory in order. */
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
    reap__pool_dismiss(&run->job);
}

static void run_batch(struct reap__host_run *run, bool eager)
{
    const size_t grains = run->batch_end - run->first_grain;
    run->units = ((grains - 1) / run->unit_grains + 1) * run->strips;
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
        const size_t most = run->threads, first = eager ? 0 : try_alone(run, most);
        if (first < run->units) {
            share_out(run, first);
            run_together(run);
        }
        run->threads = most;
    }
    reap__host_set_running(outer);
}

/* ---- Results ----------------------------------------------------------------------------------*/

/* For a range without items: the identity, or no value. */
static void make_empty_result(struct reap__host_scalar *scalar)
{
    if (scalar->result.set != NULL)
        *scalar->result.set = scalar->identity != NULL;
    if (scalar->identity != NULL)
        memcpy(scalar->result.values, scalar->identity, scalar->reduction->result_size);
}

/* Delivers lanes, or an unordered result, to a launch into parts. The results of work-groups have
 * been appended by deliver_results. */
static void deliver(const struct reap__host_scalar *scalar)
{
    const struct reap__delivery *delivery = scalar->target->delivery;
    const size_t count = scalar->is_unordered ? 1 : scalar->width;
    if (delivery->range != NULL && !scalar->is_unordered)
        return;
    memcpy(delivery->row.values, scalar->result.values, count * scalar->reduction->result_size);
    if (delivery->row.set != NULL)
        memcpy(delivery->row.set, scalar->result.set, count);
}

static void store_scalars(const struct reap__host_run *run)
{
    if (run->has_lines)
        reap__host_end_lines(run);
    for (size_t s = 0; s < run->scalar_count; s++) {
        struct reap__host_scalar *scalar = &run->scalars[s];
        if (run->grains == 0)
            make_empty_result(scalar);
        if (scalar->target->delivery != NULL)
            deliver(scalar);
        else
            reap__store_scalar(scalar->target, &scalar->result, scalar->temporary);
    }
}

static void commit_parts(struct reap__job *job, size_t helper)
{
    struct reap__host_run *run = (struct reap__host_run *)job;
    const reap__fp_environment before = reap__fp_enter();
    struct reap__host_run *const outer = reap__host_set_running(run);
    size_t part;
    (void)helper;
    while ((part = atomic_fetch_add_explicit(&run->next_part, 1, memory_order_relaxed)) <
           run->parts)
        reap__span_commit(run, part);
    reap__host_set_running(outer);
    reap__fp_leave(before);
}

/* Commits the spans; long ones by several threads. */
static void commit_spans(struct reap__host_run *run)
{
    run->parts = reap__span_begin_commit(run);
    atomic_init(&run->next_part, 0);
    const double nanoseconds = (double)run->parts * (double)run->slot_count * PART_NANOSECONDS;
    const size_t most = run->threads < run->parts ? run->threads : run->parts;
    const size_t threads = most > 1 ? threads_worth(nanoseconds, most) : 1;
    if (threads <= 1) {
        commit_parts(&run->job, 0);
        return;
    }
    run->job.work = commit_parts;
    reap__pool_invite(&run->job, threads - 1);
    commit_parts(&run->job, 0);
    reap__pool_dismiss(&run->job);
}

void reap__host_run_fail(struct reap__host_run *run, reap_status status, const char *format, ...)
{
    va_list arguments;
    if (atomic_exchange(&run->noting, true))
        return;
    va_start(arguments, format);
    vsnprintf(run->message, sizeof run->message, format, arguments);
    va_end(arguments);
    run->failure = status;
    atomic_store(&run->failed, true);
}

REAP__RARE static reap_status fail(const struct reap__host_run *run)
{
    if (atomic_load(&run->failed))
        return reap__fail(run->failure, "%s", run->message);
    return reap__fail_outside(run->kernel, run->outside_target, run->outside_index);
}

/* ---- The command ------------------------------------------------------------------------------*/

static void clear_failure(struct reap__host_run *run)
{
    atomic_init(&run->noting, false);
    atomic_init(&run->failed, false);
}

static void begin(struct reap__host_run *run)
{
    clear_failure(run);
    run->all_units = run->own_units = 0;
    run->own_nanoseconds = 0;
    atomic_init(&run->helper_nanoseconds, 0);
    atomic_init(&run->outside, false);
    atomic_init(&run->ran, (int)(run->compiled != NULL ? best_isa : run->isa));
    if (run->span_count == 0)
        return;
    pthread_mutex_init(&run->merge_lock, NULL);
    pthread_cond_init(&run->slot_freed, NULL);
    reap__span_begin(run);
}

static void count_command(enum reap__isa ran)
{
    const unsigned long commands = atomic_load_explicit(&commands_run[ran], memory_order_relaxed);
    atomic_store_explicit(&commands_run[ran], commands + 1, memory_order_relaxed);
}

static void end(struct reap__host_run *run)
{
    count_command((enum reap__isa)atomic_load_explicit(&run->ran, memory_order_relaxed));
    if (run->span_count == 0)
        return;
    reap__span_end(run);
    pthread_mutex_destroy(&run->merge_lock);
    pthread_cond_destroy(&run->slot_freed);
}

/* The time of all units on one thread, estimated. `helper_nanoseconds` is that of a unit on a
 * helper. */
static double cost_alone(const struct reap__host_run *run, uint64_t helper_nanoseconds)
{
    const double all = (double)run->all_units;
    return run->own_units > 0 ? (double)run->own_nanoseconds * (all / (double)run->own_units)
                              : (double)helper_nanoseconds * all;
}

/* Updates the kernel's state after a command that has taken `nanoseconds`. */
static void learn_from(const struct reap__host_run *run, const struct reap__expectation *expected,
                       uint64_t nanoseconds)
{
    const uint64_t helper_nanoseconds =
        atomic_load_explicit(&run->helper_nanoseconds, memory_order_relaxed);
    if (expected->eager && expected->threads > 1)
        learn_backoff(run->kernel->state, expected->nanoseconds, (double)nanoseconds);
    if (helper_nanoseconds > 0)
        learn_shared(run->command, expected->nanoseconds, cost_alone(run, helper_nanoseconds));
    else
        learn(run->command, (double)nanoseconds - PLAN_NANOSECONDS);
}

static void run_groups(struct reap__host_run *run, const struct reap__expectation *expected)
{
    reap__host_begin_groups(run);
    for (run->first_grain = 0; run->first_grain < run->grains; run->first_grain = run->batch_end) {
        const size_t left = run->grains - run->first_grain;
        run->batch_end = run->first_grain + (left < run->batch_grains ? left : run->batch_grains);
        run_batch(run, expected->eager);
        if (atomic_load_explicit(&run->failed, memory_order_relaxed))
            return; /* some groups have no results */
        reap__host_add_groups(run);
    }
    reap__host_end_groups(run);
}

static void run_range(struct reap__host_run *run, const struct reap__expectation *expected)
{
    run->first_grain = 0;
    run->batch_end = run->grains;
    reap__host_begin_units(run);
    run_batch(run, expected->eager);
    if (atomic_load_explicit(&run->failed, memory_order_relaxed))
        return;
    if (run->has_lines && run->command->lines.are_columns)
        reap__host_end_columns(run);
    reap__host_end_units(run);
}

static void run_items(struct reap__host_run *run, const struct reap__expectation *expected)
{
    const uint64_t start = expected->timed ? reap__now() : 0;
    if (run->grains == 0)
        return;
    if (reap__has_groups(run->kernel))
        run_groups(run, expected);
    else
        run_range(run, expected);
    if (!expected->timed || atomic_load_explicit(&run->failed, memory_order_relaxed))
        return;
    learn_from(run, expected, reap__now() - start);
}

static reap_status run_planned(struct reap__host_run *run, const struct reap__expectation *expected)
{
    begin(run);
    run_items(run, expected);
    if (run->span_count > 0)
        reap__span_flush(run);
    const bool failed = atomic_load(&run->outside) || atomic_load(&run->failed);
    if (!failed) {
        store_scalars(run);
        if (run->span_count > 0)
            commit_spans(run);
    }
    end(run);
    return failed ? fail(run) : REAP_OK;
}

static reap_status run_on_fibers(struct reap__host_run *run,
                                 const struct reap__expectation *expected)
{
    const uint64_t start = reap__now();
    const reap_status status = run_planned(run, expected);
    if (!run->is_checked)
        reap__compiled_note(run->kernel, run->command->range->dimensions, reap__now() - start);
    return status;
}

/* Returns the thread's plan for such a command; NULL: there is none. */
static struct reap__host_prepared *find_shared(const struct reap__host_run *run,
                                               const struct reap__expectation *expected)
{
    struct reap__host_prepared *const plan =
        expected->eager && expected->brief && expected->threads > 1
            ? reap__host_prepared_find(run->kernel, REAP__PREPARED_SHARED)
            : NULL;
    return plan != NULL && !plan->is_busy && plan->command.items == run->command->items &&
                   plan->dimensions == run->command->range->dimensions &&
                   plan->threads == expected->threads && reap__arguments_are_plain(run->command)
               ? plan
               : NULL;
}

/* What helpers read is stored only if it differs. */
static reap_status run_shared(struct reap__host_prepared *plan, const struct reap__launch *command,
                              const struct reap__expectation *expected)
{
    plan->is_busy = true;
    if (plan->command.arguments != command->arguments)
        plan->command.arguments = plan->command.range = command->arguments;
    if (plan->command.queue != command->queue)
        plan->command.queue = command->queue;
    memcpy(plan->targets, command->scalars, command->scalar_count * sizeof *plan->targets);
    command->execution->started = true;
    const reap_status status = run_planned(&plan->run, expected);
    plan->is_busy = false;
    return status;
}

REAP__APART static reap_status run_by_plan(struct reap__host_run *run, bool is_expected_short)
{
    const struct reap__expectation expected = expect(run->command, is_expected_short);
    struct reap__host_prepared *const prepared = find_shared(run, &expected);
    if (prepared != NULL)
        return run_shared(prepared, run->command, &expected);
    struct reap__scratch spare, *const scratch = reap__scratch_borrow(&spare);
    const struct reap__block *const block = scratch->blocks;
    const unsigned char *const begin = scratch->at;
    run->is_checked = is_checked;
    run->is_brief = expected.brief;
    run->item_nanoseconds =
        run->command->items > 0 ? expected.nanoseconds / (double)run->command->items : 0;
    run->compiled = NULL;
    run->has_lines = run->command->has_lines;
    reap_status status = reap__host_plan(run, expected.threads, scratch);
    if (status == REAP_OK && expected.eager && expected.brief && expected.threads > 1 &&
        block != NULL && block == scratch->blocks)
        reap__host_prepare_shared(run, expected.threads, (size_t)(scratch->at - begin));
    if (status == REAP_OK) {
        run->command->execution->started = true;
        status = run->kernel->item != NULL && run->compiled == NULL ? run_on_fibers(run, &expected)
                                                                    : run_planned(run, &expected);
        if (reap__has_groups(run->kernel) && run->grains > 0)
            reap__host_return_groups(run);
    }
    reap__scratch_return(scratch);
    return status;
}

/* Runs a command that may take long. Cancellation of the thread is deferred, since kernels may call
 * functions that are cancellation points. */
REAP__APART static reap_status run_long(struct reap__host_run *run)
{
    reap__cancellation_defer();
    const reap_status status = run_by_plan(run, false);
    reap__cancellation_allow();
    return status;
}

/* ---- A command that is one call ---------------------------------------------------------------*/

/* `leaf`: if it is a leaf that reap__host_run_leaf takes, its functions; else NULL. */
static void run_planned_call(struct reap__host_run *run, struct reap__host_slot *slot,
                             const struct reap__operator_functions *leaf)
{
    clear_failure(run);
    atomic_init(&run->ran, (int)run->isa);
    struct reap__host_run *const outer = reap__host_set_running(run);
    if (leaf != NULL)
        reap__host_run_leaf(slot, leaf);
    else
        reap__host_run_single_call(slot);
    count_command((enum reap__isa)atomic_load_explicit(&run->ran, memory_order_relaxed));
    reap__host_set_running(outer);
    if (atomic_load(&run->failed))
        return;
    if (leaf != NULL)
        reap__store_scalar(run->scalars->target, &run->scalars->result, run->scalars->temporary);
    else
        store_scalars(run);
}

REAP__APART static reap_status run_call(struct reap__host_run *run)
{
    struct reap__scratch spare, *const scratch = reap__scratch_borrow(&spare);
    const struct reap__block *const block = scratch->blocks;
    const unsigned char *const begin = scratch->at;
    struct reap__host_slot slot; /* a single call uses few members, which are initialised below */
    slot.run = run;
    slot.spans = NULL;
    const bool is_timed = is_due(run->command);
    reap_status status = reap__host_plan_single_call(run, &slot, scratch);
    if (status == REAP_OK && block != NULL && block == scratch->blocks)
        reap__host_prepare_call(run, (size_t)(scratch->at - begin));
    if (status == REAP_OK) {
        const uint64_t start = is_timed ? reap__now() : 0;
        run->command->execution->started = true;
        run_planned_call(run, &slot, NULL);
        status = atomic_load(&run->failed) ? fail(run) : REAP_OK;
        if (is_timed)
            learn(run->command, (double)(reap__now() - start) - CALL_NANOSECONDS);
    }
    reap__scratch_return(scratch);
    return status;
}

/* ---- A command that is one call, and prepared -------------------------------------------------*/

/* The number of items of a range; 0 if it has more than `most`. */
static inline size_t count_few(const reap_range *range, size_t most)
{
    size_t items = range->size[0];
    for (unsigned d = 1; d < range->dimensions; d++)
        items = items <= most && range->size[d] <= most ? items * range->size[d] : 0;
    return items <= most ? items : 0;
}

/* Whether a launch of so many items, 0 if they are too many, may run by the plan. Those that are to
 * be timed do not. */
static bool is_prepared(const struct reap__host_prepared *plan, const reap_range *range,
                        size_t items, const reap_launch_options *options)
{
    const struct reap__kernel_state *state = plan->kernel->state;
    const size_t short_items = reap__host_short_items(state);
    const unsigned launches = atomic_load_explicit(&state->launches, memory_order_relaxed);
    return items > 0 && range->group[0] == 0 && items < short_items && !plan->is_busy &&
           options->event == NULL && options->wait_for_count == 0 && options->first_item == 0 &&
           options->divided == NULL && !is_due_after(launches, items, short_items);
}

static reap_status run_again(struct reap__host_prepared *plan, reap_queue *queue,
                             const void *arguments, size_t items)
{
    const reap__fp_environment before = reap__fp_ask();
    reap_status status = REAP_OK;
    plan->is_busy = true;
    plan->command.queue = queue;
    plan->command.arguments = plan->command.range = arguments;
    plan->command.items = items;
    plan->run.grains = ((plan->command.items - 1) >> plan->run.leaf_log2) + 1;
    const size_t generation = reap__queue_enter(queue);
    reap__fp_enter_from(before);
    run_planned_call(&plan->run, &plan->slot, plan->run.grains == 1 ? plan->leaf : NULL);
    reap__fp_leave(before);
    if (REAP__SELDOM(atomic_load(&plan->run.failed))) {
        status = fail(&plan->run);
        reap__queue_note(queue, status, NULL);
    }
    reap__queue_leave(queue, generation);
    plan->is_busy = false;
    return status;
}

bool reap__host_run_prepared(reap_queue *queue, const struct reap_kernel *kernel,
                             const void *arguments, reap_status *status)
{
    struct reap__host_prepared *const plan = reap__host_prepared_find(kernel, REAP__PREPARED_CALL);
    const reap_range *const range = arguments;
    const reap_launch_options *const options =
        (const void *)((const char *)arguments + kernel->options_offset);
    if (plan == NULL || plan->dimensions != range->dimensions)
        return false;
    const size_t items = count_few(range, plan->most_items);
    if (!is_prepared(plan, range, items, options) ||
        !reap__arguments_check_again(&plan->arguments, arguments, plan->targets,
                                     plan->command.scalar_count))
        return false;
    count_launch(kernel->state);
    *status = run_again(plan, queue, arguments, items);
    return true;
}

/* ---- A command without reductions and groups, which needs no plan -----------------------------*/

static bool is_simple(const struct reap__launch *command)
{
    return command->range->dimensions == 1 && command->first == 0 &&
           command->scalar_count + command->span_count == 0 && !reap__has_groups(command->kernel);
}

/* Returns the instruction set of the code that ran. */
static inline enum reap__isa run_all(const struct reap__host_run *run)
{
    const struct reap__items items = {.arguments_ = run->command->arguments,
                                      .range_ = run->command->range,
                                      .count_ = run->command->items,
                                      .group_ = &reap__host_no_group};
    return reap__host_items_for(run, &items)(&items);
}

static inline reap_status run_simple(struct reap__host_run *run)
{
    clear_failure(run);
    struct reap__host_run *const outer = reap__host_set_running(run);
    count_command(run_all(run));
    reap__host_set_running(outer);
    return atomic_load(&run->failed) ? fail(run) : REAP_OK;
}

REAP__APART static reap_status time_simple(struct reap__host_run *run)
{
    const uint64_t start = reap__now();
    const reap_status status = run_simple(run);
    if (run->command->items > 0)
        learn(run->command, (double)(reap__now() - start) - SIMPLE_NANOSECONDS);
    return status;
}

/* ---- Reductions of rows and columns -----------------------------------------------------------*/

/* Runs few long rows one after the other, each as a launch that all threads share. The results go
 * to copies of the variables, so that a failure leaves the variables unchanged. */
REAP__APART static reap_status run_few_lines(const struct reap__host_run *of)
{
    const struct reap__launch *command = of->command;
    struct reap__scratch spare, *const scratch = reap__scratch_borrow(&spare);
    struct reap__host_run run = *of, lines = *of;
    struct reap__launch line = *command;
    reap_status status = reap__host_take_line_targets(&lines, scratch);
    line.scalars = reap__scratch_take(scratch, command->scalar_count, sizeof *line.scalars);
    if (status == REAP_OK)
        status = reap__scratch_check(scratch);
    line.has_lines = false;
    line.items = command->lines.items;
    run.command = &line;
    for (size_t l = 0; l < command->lines.count && status == REAP_OK; l++) {
        line.first = l * line.items;
        reap__host_begin_line(&lines, l, line.scalars);
        status = run_long(&run);
    }
    if (status == REAP_OK)
        reap__host_end_lines(&lines);
    reap__scratch_return(scratch);
    return status;
}

static reap_status run_lines(struct reap__host_run *run)
{
    const struct reap__launch *command = run->command;
    if (command->items == 0) {
        command->execution->started = true;
        return reap__store_empty_lines(command);
    }
    if (reap__host_has_few_lines(command, thread_count) && command->max_threads != 1)
        return run_few_lines(run);
    return is_short(command) ? run_by_plan(run, true) : run_long(run);
}

static inline reap_status run_launch(struct reap__host_run *run)
{
    const struct reap__launch *command = run->command;
    if (command->has_lines)
        return run_lines(run);
    if (!is_short(command))
        return run_long(run);
    if (reap__host_is_single_call(command))
        return run_call(run);
    if (!is_simple(command))
        return run_by_plan(run, true);
    command->execution->started = true;
    return is_due(command) ? time_simple(run) : run_simple(run);
}

reap_status reap__host_run_launch(const reap_device *device, const struct reap__launch *command)
{
    const reap__fp_environment before = reap__fp_ask();
    struct reap__host_run run;
    (void)device;
    run.command = command;
    run.kernel = command->kernel;
    REAP_TRY(reap__isa_of_kernel(command->kernel, best_isa, &run.isa));
    run.items = command->kernel->items[run.isa];
    reap__fp_enter_from(before);
    const reap_status status = run_launch(&run);
    reap__fp_leave(before);
    return status;
}

reap_status reap__host_compile(const reap_device *device, const struct reap_kernel *kernel,
                               unsigned dimensions)
{
    (void)device;
    REAP_TRY(reap__sources_check_variables(kernel));
    if (kernel->item != NULL && !is_checked)
        reap__compiled_make(kernel, dimensions);
    return REAP_OK;
}

const char *reap__host_code(const struct reap_kernel *kernel, unsigned dimensions)
{
    if (kernel->item == NULL)
        return "compiled by the program's compiler";
    return is_checked ? "fibers: REAP_CHECK is 1" : reap__compiled_describe(kernel, dimensions);
}

/* ---- Items one by one, at the ends of a launch into parts -------------------------------------*/

static void log_all(const struct reap__host_run *run, size_t first, size_t count,
                    struct reap__item_log *log)
{
    struct reap__items items = {.arguments_ = run->command->arguments,
                                .range_ = run->command->range,
                                .count_ = 1,
                                .group_ = &reap__host_no_group};
    for (size_t i = first; i < first + count; i++) {
        items.first_ = i;
        reap__host_find_id(items.range_, i, items.id_);
        (log->begin_item)(log, i);
        (run->kernel->log_item)(&items, &log->values);
        (log->end_item)(log);
    }
}

reap_status reap__host_log_items(const reap_device *device, const struct reap__launch *command,
                                 size_t first, size_t count, struct reap__item_log *log)
{
    struct reap__host_run run = {.command = command, .kernel = command->kernel};
    (void)device;
    REAP_TRY(reap__isa_of_kernel(command->kernel, REAP__ISA_PLAIN, &run.isa));
    reap__cancellation_defer();
    command->execution->started = true;
    const reap__fp_environment before = reap__fp_enter();
    clear_failure(&run);
    struct reap__host_run *const outer = reap__host_set_running(&run);
    log_all(&run, first, count, log);
    reap__host_set_running(outer);
    reap__fp_leave(before);
    reap__cancellation_allow();
    return atomic_load(&run.failed) ? fail(&run) : REAP_OK;
}
