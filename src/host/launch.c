/* SPDX-License-Identifier: Apache-2.0
 *
 * A command from plan to result: take memory, run the units, combine what they come to in order,
 * and write the variables last, when nothing can fail any more.
 *
 * Whether helpers are worth waking is learnt: each kernel remembers what its items cost, and a
 * launch that is expected to be short runs at once on its own thread, without a look at the clock.
 */
#include "src/host/launch.h"

#include "src/core/status.h"
#include "src/host/group.h"
#include "src/host/plan.h"
#include "src/host/schedule.h"
#include "src/host/span.h"
#include "src/port/cancellation.h"
#include "src/port/compiler.h"
#include "src/port/cpu.h"
#include "src/port/fp_environment.h"
#include "src/reduction/operators.h"
#include "src/reduction/store.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    SHORT_NANOSECONDS = 5000,  /* a command that lasts less is not worth a helper's coming */
    SHARE_NANOSECONDS = 2500,  /* a thread's part of one that is, if it is awake, */
    WAKE_NANOSECONDS = 20000,  /* and if it must be woken */
    BRIEF_NANOSECONDS = 20000, /* of each thread: units are large rather than even */
    PLAN_NANOSECONDS = 150,    /* of a planned command's time, what its items do not cost */
    CALL_NANOSECONDS = 50,     /* of one in a call, */
    SIMPLE_NANOSECONDS = 30,   /* and of a simple command's */
    MEASURED_LAUNCHES = 16,    /* one in so many short launches is timed, */
    MEASURED_TINY = 64,        /* and of those that are shorter by far one in so many */
    TINY_PART = 16,
    TRIED_ALONE = 61, /* one in so many brief launches is run alone, to learn what its items cost */
    MOST_ALONE_NANOSECONDS = 100000, /* if that is expected to take no longer */
    SLOWNESS = 16,
    MOST_SHORT_ITEMS = SHORT_NANOSECONDS * 1024
};

/* Written before the first command, constant afterwards. */
static enum reap__isa best_isa;
static size_t thread_count = 1;
static bool is_checked;

/* For tests; relaxed, and not exact where several threads launch. */
static atomic_ulong commands_run[REAP__ISA_COUNT];

void reap__host_configure(enum reap__isa isa, size_t threads, bool checked)
{
    is_checked = checked;
    best_isa = checked ? REAP__ISA_PLAIN : isa;
    thread_count = threads;
    reap__operator_functions_select(best_isa);
}

unsigned long reap__host_commands_run(enum reap__isa isa)
{
    return atomic_load_explicit(&commands_run[isa], memory_order_relaxed);
}

/* ---- What a kernel's launches are like --------------------------------------------------------*/

/* Whether it is expected to be so short that it runs at once. */
static bool is_short(const struct reap__launch *command)
{
    return command->items <
           atomic_load_explicit(&command->kernel->state->short_items, memory_order_relaxed);
}

/* Counts launches; relaxed, and not exact where several threads launch. */
static unsigned count_launch(struct reap__kernel_state *state)
{
    const unsigned launches = atomic_load_explicit(&state->launches, memory_order_relaxed);
    atomic_store_explicit(&state->launches, launches + 1, memory_order_relaxed);
    return launches;
}

/* Whether a short one is to be timed. */
static bool is_due(const struct reap__launch *command)
{
    struct reap__kernel_state *state = command->kernel->state;
    const unsigned short_items = atomic_load_explicit(&state->short_items, memory_order_relaxed);
    const unsigned launches = count_launch(state);
    return launches % MEASURED_LAUNCHES == 0 &&
           (launches % MEASURED_TINY == 0 || command->items >= short_items / TINY_PART);
}

struct reap__expectation {
    size_t threads;
    bool eager; /* the command is expected to last */
    bool timed;
    bool brief; /* but not for long */
};

/* Helpers that sleep are woken for much work only; where launches of less follow each other, the
 * pool is told, so that helpers are awake for the next one. */
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

/* What is expected to be short stays so, whatever is learnt meanwhile: its thread may be cancelled.
 */
static struct reap__expectation expect(const struct reap__launch *command, bool is_expected_short)
{
    struct reap__kernel_state *state = command->kernel->state;
    const size_t short_items = atomic_load_explicit(&state->short_items, memory_order_relaxed);
    if (is_expected_short || command->items < short_items)
        return (struct reap__expectation){1, false, is_due(command), true};
    size_t most = thread_count;
    if (command->max_threads > 0 && command->max_threads < most)
        most = command->max_threads;
    if (short_items == 0)
        return (struct reap__expectation){most, false, true, false};
    const double nanoseconds = (double)command->items / (double)short_items * SHORT_NANOSECONDS;
    const size_t threads = threads_worth(nanoseconds, most);
    const bool brief = nanoseconds < (double)threads * BRIEF_NANOSECONDS;
    if (brief && nanoseconds < MOST_ALONE_NANOSECONDS && count_launch(state) % TRIED_ALONE == 0)
        return (struct reap__expectation){1, false, true, true};
    return (struct reap__expectation){threads, true, true, brief};
}

static void learn_items(const struct reap__launch *command, double items)
{
    atomic_store_explicit(&command->kernel->state->short_items, items > 1 ? (unsigned)items : 1,
                          memory_order_relaxed);
}

/* How many items are short, from what a command's items cost in all, on one thread. */
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

/* Items cost more where threads share them: what that says is believed by and by, unless they cost
 * less. So a command that is not worth sharing is found out. */
static void learn_shared(const struct reap__launch *command, double nanoseconds)
{
    const double items = short_items_of(command, nanoseconds);
    const double before =
        atomic_load_explicit(&command->kernel->state->short_items, memory_order_relaxed);
    learn_items(command, items < before ? before + (items - before) / SLOWNESS : items);
}

/* ---- Results ----------------------------------------------------------------------------------*/

/* Where no item was run: the identity, or nothing. */
static void make_empty_result(struct reap__host_scalar *scalar)
{
    if (scalar->result.set != NULL)
        *scalar->result.set = scalar->identity != NULL;
    if (scalar->identity != NULL)
        memcpy(scalar->result.values, scalar->identity, scalar->reduction->result_size);
}

static void finish(struct reap__host_run *run)
{
    for (size_t s = 0; s < run->scalar_count; s++) {
        struct reap__host_scalar *scalar = &run->scalars[s];
        if (run->pieces == 0)
            make_empty_result(scalar);
        reap__store_scalar(scalar->target, &scalar->result, scalar->temporary);
    }
    for (size_t i = 0; run->span_count > 0 && i < run->slot_count; i++)
        reap__span_merge(&run->slots[i]);
    for (size_t s = 0; s < run->span_count; s++)
        reap__span_commit(run, s);
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

/* An index is shown as signed: one beyond PTRDIFF_MAX was a negative number to the user. */
REAP__RARE static reap_status fail(const struct reap__host_run *run)
{
    if (atomic_load(&run->failed))
        return reap__fail(run->failure, "%s", run->message);
    const struct reap__target *target = run->outside_target;
    return reap__fail(REAP_ERROR_INDEX_OUT_OF_RANGE,
                      "kernel '%s': index %td is outside span '%s', which has %zu elements",
                      run->kernel->name, (ptrdiff_t)run->outside_index, target->parameter->name,
                      target->count);
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
    run->helpers = 0;
    run->all_units = run->own_units = 0;
    run->own_nanoseconds = 0;
    atomic_init(&run->outside, false);
    atomic_init(&run->ran, (int)run->isa);
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
    pthread_mutex_destroy(&run->merge_lock);
    pthread_cond_destroy(&run->slot_freed);
}

/* What the command would have cost one thread, from how long it took. */
static double cost_alone(const struct reap__host_run *run, uint64_t nanoseconds)
{
    if (run->helpers > 0 && run->own_units > 0)
        return (double)run->own_nanoseconds * ((double)run->all_units / (double)run->own_units);
    return ((double)nanoseconds - PLAN_NANOSECONDS) * (double)(1 + run->helpers);
}

static void run_groups(struct reap__host_run *run, const struct reap__expectation *expected)
{
    reap__host_begin_groups(run);
    for (run->first_piece = 0; run->first_piece < run->pieces; run->first_piece = run->batch_end) {
        const size_t left = run->pieces - run->first_piece;
        run->batch_end = run->first_piece + (left < run->batch_pieces ? left : run->batch_pieces);
        reap__host_run_batch(run, expected->eager);
        if (atomic_load_explicit(&run->failed, memory_order_relaxed))
            return; /* there are groups without results */
        reap__host_add_groups(run);
    }
    reap__host_end_groups(run);
}

static void run_range(struct reap__host_run *run, const struct reap__expectation *expected)
{
    run->first_piece = 0;
    run->batch_end = run->pieces;
    reap__host_begin_units(run);
    reap__host_run_batch(run, expected->eager);
    if (!atomic_load_explicit(&run->failed, memory_order_relaxed))
        reap__host_end_units(run);
}

static void run_items(struct reap__host_run *run, const struct reap__expectation *expected)
{
    const uint64_t start = expected->timed ? reap__now() : 0;
    if (run->pieces == 0)
        return;
    if (reap__has_groups(run->kernel))
        run_groups(run, expected);
    else
        run_range(run, expected);
    if (!expected->timed || atomic_load_explicit(&run->failed, memory_order_relaxed))
        return;
    const double nanoseconds = cost_alone(run, reap__now() - start);
    if (run->helpers > 0)
        learn_shared(run->command, nanoseconds);
    else
        learn(run->command, nanoseconds);
}

static reap_status run_planned(struct reap__host_run *run, const struct reap__expectation *expected,
                               reap__fp_environment before)
{
    reap__fp_enter_from(before);
    begin(run);
    run_items(run, expected);
    const bool failed = atomic_load(&run->outside) || atomic_load(&run->failed);
    if (!failed)
        finish(run);
    end(run);
    reap__fp_leave(before);
    return failed ? fail(run) : REAP_OK;
}

REAP__APART static reap_status run_by_plan(struct reap__host_run *run, reap__fp_environment before,
                                           bool is_expected_short)
{
    struct reap__scratch spare, *const scratch = reap__scratch_borrow(&spare);
    const struct reap__expectation expected = expect(run->command, is_expected_short);
    run->is_checked = is_checked;
    run->is_brief = expected.brief;
    reap_status status = reap__host_plan(run, expected.threads, scratch);
    if (status == REAP_OK) {
        run->command->execution->started = true;
        status = run_planned(run, &expected, before);
        if (reap__has_groups(run->kernel) && run->pieces > 0)
            reap__host_return_groups(run);
    }
    reap__scratch_return(scratch);
    return status;
}

/* It lasts, or may: what its kernel calls does not cancel the thread. */
REAP__APART static reap_status run_long(struct reap__host_run *run, reap__fp_environment before)
{
    reap__cancellation_defer();
    const reap_status status = run_by_plan(run, before, false);
    reap__cancellation_allow();
    return status;
}

/* ---- A command that is one call: it is not cut ------------------------------------------------*/

static void run_planned_call(struct reap__host_run *run, struct reap__host_slot *slot,
                             reap__fp_environment before)
{
    clear_failure(run);
    atomic_init(&run->ran, (int)run->isa);
    reap__fp_enter_from(before);
    struct reap__host_run *const outer = reap__host_set_running(run);
    reap__host_run_single_call(slot);
    count_command((enum reap__isa)atomic_load_explicit(&run->ran, memory_order_relaxed));
    reap__host_set_running(outer);
    if (!atomic_load(&run->failed))
        finish(run);
    reap__fp_leave(before);
}

REAP__APART static reap_status run_call(struct reap__host_run *run, reap__fp_environment before)
{
    struct reap__scratch spare, *const scratch = reap__scratch_borrow(&spare);
    struct reap__host_slot slot = {.run = run};
    const bool is_timed = is_due(run->command);
    reap_status status = reap__host_plan_single_call(run, &slot, scratch);
    if (status == REAP_OK) {
        const uint64_t start = is_timed ? reap__now() : 0;
        run->command->execution->started = true;
        run_planned_call(run, &slot, before);
        status = atomic_load(&run->failed) ? fail(run) : REAP_OK;
        if (is_timed)
            learn(run->command, (double)(reap__now() - start) - CALL_NANOSECONDS);
    }
    reap__scratch_return(scratch);
    return status;
}

/* ---- A command that is all but its items: there is nothing to plan ----------------------------*/

static bool is_simple(const struct reap__launch *command)
{
    return command->range->dimensions == 1 && command->scalar_count + command->span_count == 0 &&
           !reap__has_groups(command->kernel);
}

/* Gives the instruction set of the code that ran. */
static inline enum reap__isa run_all(const struct reap__host_run *run)
{
    const struct reap__items items = {.arguments = run->command->arguments,
                                      .range = run->command->range,
                                      .count = run->command->items,
                                      .group = &reap__host_no_group};
    return (run->items)(&items);
}

static inline reap_status run_simple(struct reap__host_run *run, reap__fp_environment before)
{
    clear_failure(run);
    reap__fp_enter_from(before);
    struct reap__host_run *const outer = reap__host_set_running(run);
    count_command(run_all(run));
    reap__host_set_running(outer);
    reap__fp_leave(before);
    return atomic_load(&run->failed) ? fail(run) : REAP_OK;
}

REAP__APART static reap_status time_simple(struct reap__host_run *run, reap__fp_environment before)
{
    const uint64_t start = reap__now();
    const reap_status status = run_simple(run, before);
    if (run->command->items > 0)
        learn(run->command, (double)(reap__now() - start) - SIMPLE_NANOSECONDS);
    return status;
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
    if (!is_short(command))
        return run_long(&run, before);
    if (reap__host_is_single_call(command))
        return run_call(&run, before);
    if (!is_simple(command))
        return run_by_plan(&run, before, true);
    command->execution->started = true;
    return is_due(command) ? time_simple(&run, before) : run_simple(&run, before);
}
