/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a command: its buffers are made valid on the device, the kernel's program is found or
 * compiled, the entry is launched over tiles or work-groups, and their nodes are combined to one
 * root. The device stores the results of resident variables. Other results are in flight when the
 * launch returns, and in_flight.c finishes them. Long array reductions into host memory, and those
 * whose order matters, complete within the call.
 */
#include "src/accelerator/codegen/codegen.h"
#include "src/accelerator/program/program.h"
#include "src/accelerator/runtime/in_flight.h"
#include "src/accelerator/runtime/runtime.h"
#include "src/accelerator/runtime/staging.h"
#include "src/core/allocate.h"
#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/memory/buffer.h"
#include "src/port/fp_environment.h"
#include "src/reduction/store.h"

#include <string.h>

enum { MOST_GROUPS = 1 << 20, ENTRY = 0 };

/* ---- Launches ---------------------------------------------------------------------------------*/

/* The words of the block differ between launches of a command, and the stream is in order: so each
 * launch first writes the block to the scratch buffer, if it is there. */
static reap_status enqueue(const struct reap__device_launch *launch, size_t entry, size_t groups,
                           size_t threads, size_t local_bytes)
{
    const size_t block_bytes = launch->layout.words * sizeof *launch->block;
    const uint64_t block_at = launch->block_at;
    const bool is_in_memory = reap__block_is_in_memory(&launch->layout);
    if (is_in_memory)
        REAP_TRY(reap__accelerator_write(launch->accelerator,
                                         &launch->memories[REAP__MEMORY_SCRATCH], launch->block_at,
                                         launch->block, block_bytes));
    const struct reap__grid grid = {
        .program = launch->program,
        .entry = entry,
        .groups = groups,
        .threads = threads,
        .local_bytes = local_bytes,
        .block = is_in_memory ? &block_at : launch->block,
        .block_bytes = is_in_memory ? sizeof block_at : block_bytes,
        .memories = launch->memories,
        .memory_count = launch->layout.memories,
    };
    return launch->accelerator->driver->launch(launch->accelerator, &grid);
}

/* The numbers of the other entries, in the order of reap__entry_names. */
static size_t commit_entry(void)
{
    return ENTRY + 1;
}

static size_t sort_entry(void)
{
    return commit_entry() + 1;
}

static size_t fold_entry(const struct reap__device_launch *launch)
{
    return commit_entry() + (reap__has_commit(&launch->layout) ? 1 : 0) +
           (launch->layout.mode == REAP__SPANS_LOGGED ? 2 : 0);
}

static size_t finish_entry(const struct reap__device_launch *launch)
{
    return fold_entry(launch) + (launch->layout.has_groups ? 1 : 0);
}

reap_status reap__device_launch_entry(struct reap__device_launch *launch, size_t first,
                                      size_t count)
{
    launch->block[REAP__WORD_FIRST] = first;
    launch->block[REAP__WORD_TILES] = count;
    if (launch->layout.logs_items)
        return enqueue(launch, ENTRY, (launch->command->items - 1) / launch->layout.threads + 1,
                       launch->layout.threads, 0);
    return enqueue(launch, ENTRY, reap__least(count, launch->tile_groups), launch->layout.threads,
                   launch->layout.has_local_spans ? launch->local_bytes : 0);
}

/* A group of threads is one work-group. */
reap_status reap__device_launch_groups(struct reap__device_launch *launch, size_t first,
                                       size_t count)
{
    launch->block[REAP__WORD_FIRST] = first;
    return enqueue(launch, ENTRY, count, launch->group_items, launch->local_bytes);
}

reap_status reap__device_launch_sort(struct reap__device_launch *launch, size_t groups)
{
    return enqueue(launch, sort_entry(), groups, launch->layout.sort_threads, 0);
}

reap_status reap__device_launch_fold_spans(struct reap__device_launch *launch, size_t groups)
{
    return enqueue(launch, sort_entry() + 1, groups, launch->layout.sort_threads, 0);
}

static reap_status launch_all_groups(struct reap__device_launch *launch)
{
    for (size_t first = 0; first < launch->groups; first += REAP__MOST_WORK_GROUPS)
        REAP_TRY(reap__device_launch_groups(
            launch, first, reap__least(launch->groups - first, REAP__MOST_WORK_GROUPS)));
    return REAP_OK;
}

/* Combines the values of work-groups into nodes. */
static reap_status fold(const struct reap__device_launch *launch)
{
    if (!launch->layout.has_groups || launch->layout.scalar_count == 0)
        return REAP_OK;
    return enqueue(launch, fold_entry(launch), launch->tile_groups, launch->layout.fold_threads, 0);
}

/* Launches the entry that finishes the results, unless the last group of an earlier entry does
 * that. */
static reap_status deliver(const struct reap__device_launch *launch)
{
    if (launch->layout.folds_at_once || launch->layout.scalar_count == 0 ||
        launch->layout.logs_items || launch->layout.has_lines)
        return REAP_OK;
    return enqueue(launch, finish_entry(launch), 1, launch->layout.fold_threads, 0);
}

/* Launches the entry that commits spans, unless the last group does that. */
static reap_status commit(const struct reap__device_launch *launch)
{
    size_t longest = 1;
    for (size_t s = 0; s < launch->layout.span_count; s++)
        if (launch->command->spans[s].count > longest)
            longest = launch->command->spans[s].count;
    if (!reap__has_commit(&launch->layout))
        return REAP_OK;
    const size_t threads = launch->layout.fold_threads;
    return enqueue(launch, commit_entry(), reap__least((longest - 1) / threads + 1, MOST_GROUPS),
                   threads, 0);
}

/* Copies the results, with the index outside of a span, to the host's view. */
static reap_status fetch(const struct reap__device_launch *launch, unsigned char *view)
{
    return launch->accelerator->driver->fetch_results(
        launch->accelerator, &launch->memories[REAP__MEMORY_RESULTS],
        launch->block[REAP__WORD_RESULTS], launch->results_bytes, view);
}

static bool returns_results(const struct reap__device_launch *launch)
{
    for (size_t s = 0; s < launch->layout.scalar_count; s++)
        if (!launch->layout.scalars[s].is_resident)
            return true;
    return launch->layout.span_count > 0;
}

/* ---- Commands that stay in flight -------------------------------------------------------------*/

static reap_status run_later(struct reap__device_launch *launch, unsigned char *view)
{
    if (launch->layout.has_groups)
        REAP_TRY(launch_all_groups(launch));
    else
        REAP_TRY(reap__device_launch_entry(launch, 0, launch->groups));
    REAP_TRY(fold(launch));
    REAP_TRY(commit(launch));
    REAP_TRY(reap__spans_bring(launch));
    REAP_TRY(deliver(launch));
    if (returns_results(launch))
        REAP_TRY(fetch(launch, view));
    reap__spans_note_clean(launch);
    reap__in_flight_add(launch, view);
    return REAP_OK;
}

/* ---- Commands that complete within the call ---------------------------------------------------*/

static reap_status check_outside(const struct reap__device_launch *launch,
                                 const unsigned char *view)
{
    const struct reap__target *spans[REAP__MOST_PARAMETERS];
    for (size_t s = 0; s < launch->layout.span_count; s++)
        spans[s] = &launch->command->spans[s];
    return reap__check_outside(launch->command->kernel, view, spans);
}

/* Resident scalars are stored only after the check that no index was outside of a span. */
static reap_status run_spans(struct reap__device_launch *launch, unsigned char *view,
                             const struct reap__host_totals *totals,
                             const struct reap__snapshot *saved)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    if (launch->layout.mode == REAP__SPANS_LOGGED)
        REAP_TRY(reap__log_run(launch, saved));
    else if (launch->layout.has_groups)
        REAP_TRY(launch_all_groups(launch));
    else
        REAP_TRY(reap__device_launch_entry(launch, 0, launch->groups));
    REAP_TRY(fold(launch));
    REAP_TRY(commit(launch));
    REAP_TRY(fetch(launch, view));
    REAP_TRY(reap__spans_read(launch, totals->rows));
    REAP_TRY(reap__accelerator_finish(accelerator));
    REAP_TRY(check_outside(launch, view));
    REAP_TRY(deliver(launch));
    REAP_TRY(fetch(launch, view));
    return reap__accelerator_finish(accelerator);
}

static reap_status run_now(struct reap__device_launch *launch, unsigned char *view)
{
    struct reap__host_totals totals = {0};
    struct reap__snapshot saved = {0};
    reap_status status = reap__host_totals_create(launch, &totals);
    if (status == REAP_OK && launch->layout.mode == REAP__SPANS_LOGGED)
        status = reap__snapshot_take(launch, &saved);
    if (status == REAP_OK)
        status = run_spans(launch, view, &totals, &saved);
    if (status == REAP_OK)
        status = reap__host_totals_store(launch, view, &totals);
    if (status == REAP_ERROR_OUT_OF_MEMORY)
        status = reap__snapshot_restore_after(launch, &saved, status);
    reap__snapshot_release(&saved);
    reap__host_totals_release(&totals);
    return status;
}

/* ---- The command ------------------------------------------------------------------------------*/

/* Whether the call finishes the command: array reductions whose order matters, or long ones into
 * host memory. */
static bool leaves_nothing(const struct reap__device_launch *launch)
{
    return launch->layout.mode == REAP__SPANS_LOGGED ||
           (launch->layout.span_count > 0 && !launch->layout.spans_are_resident &&
            !launch->spans_follow);
}

/* Such a launch first completes the commands in flight, so later failures are its own. */
static bool completes_within(const struct reap__device_launch *launch)
{
    return leaves_nothing(launch) || launch->command->completes_at_once ||
           reap__bind_must_complete(launch);
}

/* A program that was compiled for exactly this size is limited by the device only. */
static reap_status check_group(const struct reap__device_launch *launch)
{
    const size_t most = launch->layout.threads == launch->group_items
                            ? launch->accelerator->device.info.max_work_group_size
                            : launch->program->most_threads[ENTRY];
    if (!launch->layout.has_groups || launch->group_items <= most)
        return REAP_OK;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': a work-group of %zu work-items is too large: device '%s' takes "
                      "at most %zu for this kernel",
                      launch->command->kernel->name, launch->group_items,
                      launch->accelerator->device.info.name, most);
}

/* Takes the scratch buffer and initialises it for the launch. */
static reap_status allocate_scratch(struct reap__device_launch *launch, size_t bytes)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    struct reap__memory *scratch = &launch->memories[REAP__MEMORY_SCRATCH];
    bool fresh;
    REAP_TRY(reap__accelerator_scratch(accelerator, bytes, scratch, &fresh));
    if (fresh)
        REAP_TRY(accelerator->driver->fill(accelerator, scratch, 0, 0, REAP__SCRATCH_RESULTS));
    return reap__kernel_params_set_reductions(launch);
}

/* Makes the compute stream wait for earlier accesses, and for the command's dependencies. */
static reap_status wait_for_dependencies(struct reap__device_launch *launch)
{
    launch->before = launch->command->execution->timeline;
    for (size_t u = 0; u < launch->access_count; u++)
        reap__last_access_wait_for(launch->accesses[u].last_access, launch->accesses[u].writes,
                                   &launch->before);
    return reap__stream_after(launch->accelerator, REAP__STREAM_COMPUTE, &launch->before);
}

static bool has_sums(const struct reap__device_launch *launch)
{
    for (size_t s = 0; s < launch->layout.scalar_count; s++)
        if (launch->layout.scalars[s].is_exact)
            return true;
    return false;
}

/* A launch that stops at an index outside of a span may leave words that are not 0. */
reap_status reap__device_launch_clear_sums(const struct reap__device_launch *launch)
{
    if (!has_sums(launch) || launch->layout.span_count == 0)
        return REAP_OK;
    return launch->accelerator->driver->fill(launch->accelerator,
                                             &launch->memories[REAP__MEMORY_SCRATCH],
                                             REAP__SCRATCH_COUNTER + REAP__SUMS_COUNTERS, 0,
                                             REAP__SUM_BYTES * (size_t)REAP__MOST_PARAMETERS);
}

/* With the lock held: everything that can fail before a work-item runs. */
static reap_status prepare(struct reap__device_launch *launch, unsigned char **view)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    REAP_TRY(reap__program_get(accelerator, &launch->layout, &launch->program));
    REAP_TRY(check_group(launch));
    REAP_TRY(wait_for_dependencies(launch));
    launch->completes_within = completes_within(launch);
    if (launch->completes_within)
        reap__in_flight_complete(accelerator); /* failures are noted at the queues */
    REAP_TRY(reap__in_flight_reserve(launch, view));
    REAP_TRY(allocate_scratch(launch, launch->scratch_bytes));
    REAP_TRY(reap__device_launch_clear_sums(launch));
    return reap__spans_begin(launch);
}

/* Notes that later accesses to the same memory must wait for this launch, and for what it waited
 * for. */
static void advance_timeline(const struct reap__device_launch *launch)
{
    const struct reap__accelerator *accelerator = launch->accelerator;
    struct reap__timeline_value timeline = launch->before;
    timeline.at[REAP__STREAM_COMPUTE] = accelerator->streams[REAP__STREAM_COMPUTE].enqueued;
    for (size_t u = 0; u < launch->access_count; u++)
        reap__last_access_note(launch->accesses[u].last_access, launch->accesses[u].writes,
                               &timeline);
    launch->command->execution->timeline = timeline;
}

/* Copies the results of lines whose variables are not in buffers to the host, and waits. */
static reap_status read_lines(const struct reap__device_launch *launch)
{
    for (size_t s = 0; s < launch->layout.scalar_count && launch->layout.has_lines; s++) {
        const struct reap__target *target = &launch->command->scalars[s];
        if (reap__is_copied_line(target))
            REAP_TRY(reap__accelerator_read(launch->accelerator,
                                            &launch->memories[REAP__MEMORY_SCRATCH],
                                            launch->variables_of[s], target->variable,
                                            target->count * target->parameter->size));
    }
    return launch->layout.has_lines ? reap__accelerator_finish(launch->accelerator) : REAP_OK;
}

static reap_status run_items(struct reap__device_launch *launch)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    unsigned char *view = NULL;
    REAP_TRY(reap__accelerator_enter(accelerator));
    reap_status status = prepare(launch, &view);
    if (status == REAP_OK) {
        launch->command->execution->started = true;
        reap__device_record_begin(accelerator, REAP__STREAM_COMPUTE, launch->command->execution);
        status = leaves_nothing(launch) ? run_now(launch, view) : run_later(launch, view);
        advance_timeline(launch);
        if (status == REAP_OK && launch->completes_within)
            status = reap__in_flight_complete(accelerator); /* no other command is in flight */
        if (status == REAP_OK && launch->layout.delivers_rows)
            status = reap__part_deliver(launch);
        if (status == REAP_OK && launch->completes_within)
            status = read_lines(launch);
    }
    return reap__accelerator_leave(accelerator, status);
}

/* Without work-items each result is the lanes' start value, which the host stores. */
static reap_status run_empty(struct reap__device_launch *launch)
{
    const struct reap__launch *command = launch->command;
    struct reap__host_totals totals = {0};
    unsigned char *view = reap__allocate(2 * launch->layout.results_bytes);
    if (view == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its results",
                          command->kernel->name);
    reap_status status = reap__host_totals_create(launch, &totals);
    if (status != REAP_OK) {
        reap__free(view);
        return status;
    }
    for (size_t s = 0; s < launch->layout.scalar_count; s++) {
        const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
        unsigned char *to = view + scalar->delivered;
        if (scalar->is_exact) {
            memset(to, 0, REAP__SUM_BYTES);
            continue;
        }
        const void *start =
            reap__lane_start(&command->scalars[s], view + launch->layout.results_bytes);
        if (start != NULL)
            memcpy(to, start, scalar->size);
        memset(to + reap__tags_offset(scalar->size, 1), scalar->has_location ? 0xff : start != NULL,
               reap__tag_bytes(scalar));
    }
    status = reap__host_totals_store(launch, view, &totals);
    reap__host_totals_release(&totals);
    reap__free(view);
    return status;
}

static reap_status store_empty_lines(const struct reap__launch *command)
{
    for (size_t s = 0; s < command->scalar_count; s++)
        REAP_TRY(reap__buffer_on_host(command->scalars[s].variable, true));
    return reap__store_empty_lines(command);
}

static reap_status check_block(const struct reap__device_launch *launch)
{
    if (launch->layout.words <= REAP__MOST_BLOCK_WORDS)
        return REAP_OK;
    return reap__fail(
        REAP_ERROR_INVALID_ARGUMENT,
        "kernel '%s': its parameters have %zu bytes, and a launch on device '%s' takes "
        "at most %zu: pass large values as arrays",
        launch->command->kernel->name, launch->layout.words * sizeof *launch->block,
        launch->accelerator->device.info.name, sizeof launch->block);
}

static reap_status check_sums(const struct reap__device_launch *launch)
{
    const struct reap__accelerator *accelerator = launch->accelerator;
    if (!has_sums(launch) || accelerator->has_wide_atomics)
        return REAP_OK;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': exact sums need atomic operations of 64 bits, which device "
                      "'%s' does not have",
                      launch->command->kernel->name, accelerator->device.info.name);
}

/* Counts work-groups. reap__kernel_params_plan counts tiles. */
static void count_groups(struct reap__device_launch *launch)
{
    const reap_range *range = launch->command->range;
    const size_t items = launch->command->items;
    launch->group_items = 1;
    for (unsigned d = 0; d < range->dimensions && launch->layout.has_groups && items > 0; d++)
        launch->group_items *= range->group[d];
    launch->groups = items / launch->group_items;
}

void reap__device_launch_lay_out(struct reap__device_launch *launch)
{
    reap__layout_make(&launch->layout, launch->accelerator, launch->command);
    reap__layout_place_spans(&launch->layout, launch->accelerator, launch->command);
    reap__bind_choose_resident(launch);
}

/* Runs a command whose layout is made. */
static reap_status run_command(struct reap__device_launch *launch)
{
    count_groups(launch);
    REAP_TRY(check_block(launch));
    REAP_TRY(check_sums(launch));
    memset(launch->block, 0, launch->layout.words * sizeof *launch->block);
    memset(launch->memories, 0, launch->layout.memories * sizeof *launch->memories);
    reap__kernel_params_plan(launch);
    REAP_TRY(reap__kernel_params_set(launch));
    REAP_TRY(reap__bind_all(launch));
    if (launch->command->items > 0)
        return run_items(launch);
    reap__device_wait(&launch->accelerator->device); /* commands that write the same variables */
    if (launch->layout.has_lines)
        return store_empty_lines(launch->command);
    return run_empty(launch);
}

static reap_status run_with_staging(struct reap__device_launch *launch)
{
    const struct reap__launch *command = launch->command;
    struct reap__usm_staging usm_copy;
    REAP_TRY(reap__usm_staging_begin(launch, &usm_copy));
    return reap__usm_staging_end(command, &usm_copy, run_command(launch));
}

/* Whether a launch for each line is faster. On a processor: if there are too few lines to divide
 * evenly among its units. On a card, one team of threads a line does not use the memory's full
 * bandwidth, which needs TEAMS_OF_A_UNIT teams a multiprocessor. But a launch costs the time of
 * LAUNCH_ITEMS items at full bandwidth, and a launch over a column also loads COLUMNS_READ - 1
 * columns that it does not use. (Estimates: 5 us, floats and 32 bytes on an H100.) */
enum { LONG_LINE = 1 << 18, LAUNCH_ITEMS = 1 << 22, TEAMS_OF_A_UNIT = 4, COLUMNS_READ = 8 };
static bool has_few_lines(const reap_device *device, const struct reap__launch *command)
{
    const struct reap__lines *lines = &command->lines;
    const size_t units = device->info.compute_units, teams = TEAMS_OF_A_UNIT * units;
    if (!command->has_lines || command->items == 0)
        return false;
    const size_t read = lines->count * (lines->are_columns ? COLUMNS_READ : 1);
    if (reap__accelerator_of(device)->is_processor)
        return lines->count <= 2 * units && lines->items >= LONG_LINE;
    return read < teams && lines->items / lines->count >= LAUNCH_ITEMS / (teams - read);
}

static reap_status run_one(const reap_device *device, const struct reap__launch *command)
{
    struct reap__device_launch launch;
    launch.accelerator = reap__accelerator_of(device);
    launch.command = command;
    launch.access_count = 0;
    launch.local_bytes = 0;
    reap__device_launch_lay_out(&launch);
    return reap__usm_staging_is_needed(&launch) ? run_with_staging(&launch) : run_command(&launch);
}

/* Runs line `number` as a launch over a part of the range. */
static reap_status run_line(const reap_device *device, const struct reap__launch *command,
                            struct reap__target *targets, size_t number)
{
    struct reap__launch line = *command;
    line.has_lines = false;
    line.is_line = true; /* also the first, so that all have the same program */
    line.items = command->lines.items;
    line.first = command->lines.are_columns ? number : number * line.items;
    line.stride = command->lines.are_columns ? command->lines.count : 0;
    line.scalars = targets;
    for (size_t s = 0; s < line.scalar_count; s++) {
        targets[s] = command->scalars[s];
        targets[s].count = 1;
        targets[s].variable =
            (unsigned char *)targets[s].variable + number * targets[s].parameter->size;
    }
    return run_one(device, &line);
}

/* All lines have the command's execution; the last one has its event, which the first one's begin
 * is recorded in. */
static reap_status run_few_lines(const reap_device *device, const struct reap__launch *command)
{
    struct reap__target *targets = reap__allocate(command->scalar_count * sizeof *targets);
    reap_event *const event = command->execution->event;
    const size_t count = command->lines.count;
    reap_status status = REAP_OK;
    if (targets == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its results",
                          command->kernel->name);
    for (size_t l = 0; l < count && status == REAP_OK; l++) {
        command->execution->event = l + 1 < count ? NULL : event;
        status = run_line(device, command, targets, l);
    }
    command->execution->event = event;
    reap__free(targets);
    return status;
}

/* The environment is for what is computed here, and for the threads that a driver or its compiler
 * creates. */
reap_status reap__device_run(const reap_device *device, const struct reap__launch *command)
{
    const reap__fp_environment before = reap__fp_enter();
    const reap_status status =
        has_few_lines(device, command) ? run_few_lines(device, command) : run_one(device, command);
    reap__fp_leave(before);
    return status;
}

/* Spans whose order matters on this device cannot be logged for single items, only for tiles. */
static reap_status check_log(const struct reap__layout *layout, const reap_device *device)
{
    if (layout->mode != REAP__SPANS_LOGGED)
        return REAP_OK;
    return reap__fail(
        REAP_ERROR_INVALID_ARGUMENT,
        "kernel '%s': on device '%s' a launch into parts must begin and end at multiples of 2048 "
        "work-items, since the type of an array reduction has neither 32 nor 64 bits",
        layout->kernel->name, device->info.name);
}

reap_status reap__device_log_items(const reap_device *device, const struct reap__launch *command,
                                   size_t first, size_t count, struct reap__item_log *log)
{
    struct reap__layout layout;
    struct reap__launch logged = *command;
    logged.first = first;
    logged.items = count;
    logged.item_log = log;
    reap__layout_make(&layout, reap__accelerator_of(device), &logged);
    REAP_TRY(check_log(&layout, device));
    return count > 0 ? reap__device_run(device, &logged) : REAP_OK;
}
