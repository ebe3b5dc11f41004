/* SPDX-License-Identifier: Apache-2.0
 *
 * A command on a device: arrays are brought there, the kernel's program is found or compiled, the
 * entry is launched over tiles or work-groups and its parts folded until one is left; then the
 * results come back and the variables are finished on the host, as the host's own commands do it.
 */
#include "src/device/run.h"

#include "src/core/buffer.h"
#include "src/core/finish.h"
#include "src/core/memory.h"
#include "src/core/status.h"
#include "src/device/launch.h"
#include "src/device/programs.h"
#include "src/port/fp_environment.h"

#include <string.h>

enum { MOST_GROUPS = 1 << 20, MOST_WORK_GROUPS = 1 << 30, ENTRY = 0, FOLD = 1 };

/* ---- Where things lie -------------------------------------------------------------------------*/

static reap_status place_array(struct reap__device_launch *launch, size_t p)
{
    const struct reap__command *command = launch->command;
    const struct reap__parameter *parameter = &command->kernel->parameters[p];
    const reap_device *device = &launch->accelerator->device;
    struct reap__layout *layout = &launch->layout;
    struct reap__piece piece;
    const void *array = reap__array(command, parameter);
    if (array == NULL)
        return REAP_OK;
    REAP_TRY(reap__buffer_on_device(array, device, parameter->kind != REAP__IN, &piece));
    if (!piece.is_found)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': argument '%s' points to %p, memory of the host that device "
                          "'%s' cannot reach: make it a buffer with reap_buffer_wrap, or take one "
                          "from reap_buffer_create",
                          command->kernel->name, parameter->name, array, device->info.name);
    launch->memories[layout->memory_of[p]] = piece.memory;
    launch->block[layout->word_of[p]] = piece.offset;
    layout->is_aligned[p] = piece.offset % 16 == 0;
    return REAP_OK;
}

static reap_status place_arrays(struct reap__device_launch *launch)
{
    for (size_t p = 1; p < launch->command->kernel->parameter_count; p++)
        if (reap__is_array(&launch->command->kernel->parameters[p]))
            REAP_TRY(place_array(launch, p));
    return REAP_OK;
}

static size_t take(size_t *bytes, size_t more)
{
    const size_t at = *bytes;
    *bytes += (more + 63) / 64 * 64;
    return at;
}

size_t reap__launch_parts(const struct reap__device_launch *launch, size_t s)
{
    return launch->layout.has_groups
               ? launch->groups
               : reap__blocks(&launch->layout.scalars[s], launch->command->items);
}

/* Parts of all levels stand one behind the other. */
static size_t parts_bytes(const struct reap__layout_scalar *scalar, size_t count)
{
    size_t bytes = 0;
    while (count > 1) {
        bytes += reap__parts_bytes(scalar, count);
        count = reap__blocks(scalar, count);
    }
    return bytes;
}

static void plan_scratch(struct reap__device_launch *launch)
{
    const struct reap__layout *layout = &launch->layout;
    size_t bytes = REAP__SCRATCH_RESULTS;
    for (size_t s = 0; s < layout->scalar_count; s++)
        launch->result_of[s] = take(&bytes, reap__parts_bytes(&layout->scalars[s], 1));
    launch->results_end = bytes;
    for (size_t s = 0; s < layout->scalar_count; s++) {
        const struct reap__layout_scalar *scalar = &layout->scalars[s];
        launch->start_of[s] = take(&bytes, scalar->start.in_block ? 0 : scalar->size);
        launch->parts_of[s] = take(&bytes, parts_bytes(scalar, reap__launch_parts(launch, s)));
    }
    launch->scratch_bytes = bytes;
    reap__spans_plan(launch);
}

/* ---- The block --------------------------------------------------------------------------------*/

static const void *start_of(const struct reap__target *target, bool has_location, void *room)
{
    if (target->identity != NULL && !has_location)
        return target->identity;
    if (target->reduction->identity == NULL)
        return NULL;
    target->reduction->identity(room);
    return room;
}

/* The start of lanes or elements, in the block or in scratch memory. */
static reap_status set_start(struct reap__device_launch *launch,
                             const struct reap__layout_start *start, const void *value, size_t size,
                             size_t offset)
{
    const struct reap__memory *scratch = &launch->memories[0];
    launch->block[start->set_word] = value != NULL;
    if (start->in_block && value != NULL)
        memcpy(&launch->block[start->word], value, size);
    if (start->in_block)
        return REAP_OK;
    launch->block[start->word] = offset;
    return value == NULL ? REAP_OK
                         : launch->accelerator->driver->write(launch->accelerator, scratch, offset,
                                                              value, size);
}

static reap_status set_scalar(struct reap__device_launch *launch, size_t s, void *room)
{
    const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
    const size_t parts = reap__launch_parts(launch, s);
    launch->block[scalar->to_word] = parts == 1 ? launch->result_of[s] : launch->parts_of[s];
    launch->block[scalar->parts_word] = parts;
    launch->block[scalar->from_word] = launch->result_of[s];
    return set_start(launch, &scalar->start,
                     start_of(&launch->command->scalars[s], scalar->has_location, room),
                     scalar->size, launch->start_of[s]);
}

static reap_status set_span(struct reap__device_launch *launch, size_t s, void *room)
{
    const struct reap__layout_span *span = &launch->layout.spans[s];
    const struct reap__target *target = &launch->command->spans[s];
    const size_t size = span->reduction->value_size;
    void *start = (char *)room + size;
    const bool has_identity = target->identity != NULL || target->reduction->identity != NULL;
    reap__span_start(target, has_identity ? room : NULL, start);
    launch->block[span->count_word] = target->count;
    launch->block[span->values_word] = launch->values_of[s];
    launch->block[span->set_word] = launch->set_of[s];
    launch->block[span->replicas_word] = reap__span_replicas_log2(target->count * size);
    return set_start(launch, &span->start, has_identity ? start : NULL, size,
                     launch->span_start_of[s]);
}

static void set_range(struct reap__device_launch *launch)
{
    const reap_range *range = launch->command->range;
    launch->block[REAP__WORD_ITEMS] = launch->command->items;
    for (unsigned d = 0; d < 3; d++) {
        launch->block[REAP__WORD_SIZE + d] = range->size[d];
        launch->block[REAP__WORD_LOCAL + d] = range->group[d] > 0 ? range->group[d] : 1;
    }
    launch->block[REAP__WORD_CHUNK] = launch->chunk_items;
    launch->block[REAP__WORD_OUTSIDE] = REAP__SCRATCH_OUTSIDE;
    launch->block[REAP__WORD_COUNTER] = REAP__SCRATCH_COUNTER;
}

static size_t align(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Local memory: first what items exchange, then the kernel's own, each aligned for any type. */
static reap_status set_local(struct reap__device_launch *launch)
{
    const struct reap_kernel *kernel = launch->command->kernel;
    const reap_device_info *device = &launch->accelerator->device.info;
    size_t bytes = 16 * launch->group_items;
    for (size_t s = 0; s < launch->layout.scalar_count; s++) {
        const size_t fold = reap__parts_bytes(&launch->layout.scalars[s], launch->group_items);
        bytes = fold > bytes ? fold : bytes;
    }
    const size_t exchange = align(bytes);
    bytes = exchange;
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (kernel->parameters[p].kind == REAP__LOCAL) {
            launch->block[launch->layout.word_of[p]] = bytes;
            bytes += align(reap__local_count(launch->command, &kernel->parameters[p]) *
                           kernel->parameters[p].size);
        }
    launch->local_bytes = bytes;
    if (bytes <= device->local_memory_bytes)
        return REAP_OK;
    return reap__fail(
        REAP_ERROR_INVALID_ARGUMENT,
        "kernel '%s': a work-group of %zu work-items takes %zu bytes of local memory, "
        "%zu of them for what its items exchange, and device '%s' has %zu",
        kernel->name, launch->group_items, bytes, exchange, device->name,
        device->local_memory_bytes);
}

static reap_status set_parameters(struct reap__device_launch *launch)
{
    const struct reap_kernel *kernel = launch->command->kernel;
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (kernel->parameters[p].kind == REAP__VALUE)
            memcpy(&launch->block[launch->layout.word_of[p]],
                   (const char *)launch->command->arguments + kernel->parameters[p].offset,
                   kernel->parameters[p].size);
    return launch->layout.has_groups ? set_local(launch) : REAP_OK;
}

/* Room for one result of the largest reduction, twice. */
static size_t room_bytes(const struct reap__command *command)
{
    size_t most = sizeof(uint64_t);
    for (size_t s = 0; s < command->scalar_count; s++)
        if (command->scalars[s].reduction->result_size > most)
            most = command->scalars[s].reduction->result_size;
    for (size_t s = 0; s < command->span_count; s++)
        if (command->spans[s].reduction->result_size > most)
            most = command->spans[s].reduction->result_size;
    return 2 * most;
}

static reap_status set_reductions(struct reap__device_launch *launch)
{
    void *room = reap__allocate(room_bytes(launch->command));
    reap_status status = REAP_OK;
    if (room == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its results",
                          launch->command->kernel->name);
    for (size_t s = 0; s < launch->layout.scalar_count && status == REAP_OK; s++)
        status = set_scalar(launch, s, room);
    for (size_t s = 0; s < launch->layout.span_count && status == REAP_OK; s++)
        status = set_span(launch, s, room);
    reap__free(room);
    return status;
}

/* ---- Launches ---------------------------------------------------------------------------------*/

static reap_status enqueue(const struct reap__device_launch *launch, size_t entry, size_t groups,
                           size_t threads, size_t local_bytes)
{
    const struct reap__grid grid = {
        .program = launch->program,
        .entry = entry,
        .groups = groups,
        .threads = threads,
        .local_bytes = local_bytes,
        .block = launch->block,
        .block_bytes = launch->layout.words * sizeof(uint64_t),
        .memories = launch->memories,
        .memory_count = launch->layout.memories,
    };
    return launch->accelerator->driver->launch(launch->accelerator, &grid);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

reap_status reap__launch_entry(struct reap__device_launch *launch, size_t first, size_t count)
{
    launch->block[REAP__WORD_FIRST] = first;
    launch->block[REAP__WORD_TILES] = count;
    return enqueue(launch, ENTRY, least(count, MOST_GROUPS), launch->layout.threads, 0);
}

/* A group of threads is one work-group, and one launch takes so many. */
static reap_status launch_work_groups(struct reap__device_launch *launch)
{
    for (size_t first = 0; first < launch->groups; first += MOST_WORK_GROUPS) {
        launch->block[REAP__WORD_FIRST] = first;
        REAP_TRY(enqueue(launch, ENTRY, least(launch->groups - first, MOST_WORK_GROUPS),
                         launch->group_items, launch->local_bytes));
    }
    return REAP_OK;
}

/* One more level for every scalar that has several parts left: `parts` and `from` are theirs. */
static reap_status fold_level(struct reap__device_launch *launch, size_t *parts, size_t *from,
                              bool *is_done)
{
    size_t most = 0;
    *is_done = true;
    for (size_t s = 0; s < launch->layout.scalar_count; s++) {
        const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
        const size_t count = parts[s] > 1 ? reap__blocks(scalar, parts[s]) : 0;
        const size_t to =
            count == 1 ? launch->result_of[s] : from[s] + reap__parts_bytes(scalar, parts[s]);
        launch->block[scalar->from_word] = from[s];
        launch->block[scalar->count_word] = parts[s];
        launch->block[scalar->to_word] = to;
        launch->block[scalar->parts_word] = count;
        most = count > most ? count : most;
        parts[s] = count > 0 ? count : parts[s];
        from[s] = to;
    }
    if (most == 0)
        return REAP_OK;
    *is_done = false;
    return enqueue(launch, FOLD, least(most, MOST_GROUPS), launch->layout.fold_threads, 0);
}

static reap_status fold(struct reap__device_launch *launch)
{
    size_t parts[REAP__MOST_PARAMETERS], from[REAP__MOST_PARAMETERS];
    bool is_done = launch->layout.folds_at_once;
    for (size_t s = 0; s < launch->layout.scalar_count; s++) {
        parts[s] = reap__launch_parts(launch, s);
        from[s] = launch->parts_of[s];
    }
    while (!is_done)
        REAP_TRY(fold_level(launch, parts, from, &is_done));
    return REAP_OK;
}

/* ---- Results ----------------------------------------------------------------------------------*/

struct results {
    unsigned char *head;                                /* the begin of the scratch memory */
    struct reap__results totals[REAP__MOST_PARAMETERS]; /* of spans */
    void *room;
};

static reap_status check_outside(const struct reap__device_launch *launch,
                                 const unsigned char *head)
{
    uint32_t flag;
    uint64_t number, index;
    memcpy(&flag, head + REAP__SCRATCH_OUTSIDE, sizeof flag);
    memcpy(&number, head + REAP__SCRATCH_OUTSIDE + 8, sizeof number);
    memcpy(&index, head + REAP__SCRATCH_OUTSIDE + 16, sizeof index);
    if (flag == 0)
        return REAP_OK;
    const struct reap__target *target = &launch->command->spans[number];
    return reap__fail(REAP_ERROR_INDEX_OUT_OF_RANGE,
                      "kernel '%s': index %td is outside span '%s', which has %zu elements",
                      launch->command->kernel->name, (ptrdiff_t)index, target->parameter->name,
                      target->count);
}

/* A result as the host has it: the location behind the value. */
static void finish_scalar(const struct reap__device_launch *launch, size_t s,
                          const struct results *results)
{
    const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
    const struct reap__target *target = &launch->command->scalars[s];
    const struct reap__reduction *reduction = scalar->reduction;
    const unsigned char *from = results->head + launch->result_of[s];
    const unsigned char *tag = from + reap__tags_offset(scalar->size, 1);
    unsigned char *value = results->room, *spare = value + reduction->result_size;
    unsigned char is_set = scalar->has_flags ? *tag : 1;
    memcpy(value, from, scalar->size);
    if (scalar->has_location)
        memcpy(value + reduction->location_offset, tag, sizeof(uint64_t));
    if (scalar->has_location && target->identity != NULL) {
        reduction->identity(spare);
        memcpy(spare, target->identity, scalar->size);
        reduction->combine(value, spare, 1);
    }
    const struct reap__results result = {value, scalar->has_flags ? &is_set : NULL};
    reap__finish_scalar(target, &result, spare);
}

static void finish_span(const struct reap__device_launch *launch, size_t s,
                        const struct results *results)
{
    const struct reap__target *target = &launch->command->spans[s];
    const struct reap__results all = {target->variable, NULL};
    unsigned char *identity = results->room, *start = identity + target->reduction->result_size;
    reap__span_start(
        target, target->identity != NULL || target->reduction->identity != NULL ? identity : NULL,
        start);
    if (target->initialize)
        reap__fill(target->reduction, identity, &all, target->count);
    reap__finish_span(target, start, &results->totals[s], 0, target->count);
}

static void finish(const struct reap__device_launch *launch, const struct results *results)
{
    const reap__fp_environment before = reap__fp_enter();
    for (size_t s = 0; s < launch->layout.scalar_count; s++)
        finish_scalar(launch, s, results);
    for (size_t s = 0; s < launch->layout.span_count; s++)
        finish_span(launch, s, results);
    reap__fp_leave(before);
}

/* Where no work-item runs, each result is what lanes start as. */
static void make_empty_results(struct reap__device_launch *launch, const struct results *results)
{
    for (size_t s = 0; s < launch->layout.scalar_count; s++) {
        const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
        unsigned char *to = results->head + launch->result_of[s];
        unsigned char *tag = to + reap__tags_offset(scalar->size, 1);
        const void *start =
            start_of(&launch->command->scalars[s], scalar->has_location, results->room);
        if (start != NULL)
            memcpy(to, start, scalar->size);
        if (scalar->has_flags)
            *tag = start != NULL;
        if (scalar->has_location)
            memset(tag, 0xff, sizeof(uint64_t));
    }
}

static reap_status allocate_results(const struct reap__device_launch *launch,
                                    struct results *results)
{
    const struct reap__command *command = launch->command;
    size_t bytes = align(launch->results_end);
    const size_t room = bytes;
    bytes += align(room_bytes(command));
    for (size_t s = 0; s < command->span_count; s++)
        bytes += align(command->spans[s].count * command->spans[s].parameter->size) +
                 align(command->spans[s].count);
    results->head = reap__allocate(bytes);
    if (results->head == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its results",
                          command->kernel->name);
    results->room = results->head + room;
    bytes = room + align(room_bytes(command));
    for (size_t s = 0; s < command->span_count; s++) {
        const struct reap__target *target = &command->spans[s];
        results->totals[s].values = results->head + bytes;
        bytes += align(target->count * target->parameter->size);
        results->totals[s].set = target->reduction->identity == NULL ? results->head + bytes : NULL;
        bytes += align(target->count);
    }
    return REAP_OK;
}

/* ---- The command ------------------------------------------------------------------------------*/

static void begin_totals(const struct reap__device_launch *launch, const struct results *results)
{
    for (size_t s = 0; s < launch->layout.span_count; s++) {
        const struct reap__target *target = &launch->command->spans[s];
        unsigned char *identity = results->room;
        unsigned char *start = identity + target->reduction->result_size;
        const bool has = target->identity != NULL || target->reduction->identity != NULL;
        reap__span_start(target, has ? identity : NULL, start);
        reap__fill(target->reduction, has ? start : NULL, &results->totals[s], target->count);
    }
}

static reap_status run_items(struct reap__device_launch *launch, const struct results *results)
{
    const struct reap__layout *layout = &launch->layout;
    if (layout->mode == REAP__SPANS_EXACT)
        REAP_TRY(reap__spans_run(launch, results->totals));
    else if (layout->has_groups)
        REAP_TRY(launch_work_groups(launch));
    else
        REAP_TRY(reap__launch_entry(launch, 0, launch->groups));
    REAP_TRY(fold(launch));
    REAP_TRY(launch->accelerator->driver->read(launch->accelerator, &launch->memories[0], 0,
                                               results->head, launch->results_end));
    if (layout->mode == REAP__SPANS_SHARED)
        REAP_TRY(reap__spans_read(launch, results->totals));
    return check_outside(launch, results->head);
}

/* With the lock held. */
static reap_status prepare(struct reap__device_launch *launch)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    const size_t zero_bytes = REAP__SCRATCH_RESULTS;
    bool fresh;
    REAP_TRY(reap__program_get(accelerator, &launch->layout, &launch->program));
    if (launch->layout.has_groups && launch->group_items > launch->program->most_threads[ENTRY])
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': a work-group of %zu work-items is larger than device '%s' "
                          "takes for this kernel, which is %zu",
                          launch->command->kernel->name, launch->group_items,
                          accelerator->device.info.name, launch->program->most_threads[ENTRY]);
    REAP_TRY(reap__accelerator_scratch(accelerator, launch->scratch_bytes, &launch->memories[0],
                                       &fresh));
    if (fresh || launch->layout.span_count > 0)
        REAP_TRY(accelerator->driver->fill(accelerator, &launch->memories[0], 0, 0, zero_bytes));
    REAP_TRY(set_reductions(launch));
    return reap__spans_begin(launch);
}

static reap_status run_placed(struct reap__device_launch *launch, const struct results *results,
                              bool *started)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    REAP_TRY(reap__accelerator_enter(accelerator));
    reap_status status = prepare(launch);
    if (status == REAP_OK) {
        *started = true;
        status = run_items(launch, results);
    }
    return reap__accelerator_leave(accelerator, status);
}

static reap_status check_block(const struct reap__device_launch *launch)
{
    const size_t bytes = launch->layout.words * sizeof(uint64_t);
    const struct reap__accelerator *accelerator = launch->accelerator;
    if (bytes <= accelerator->max_block_bytes)
        return REAP_OK;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': its arguments take %zu bytes, and device '%s' takes %zu: give "
                      "large values as arrays",
                      launch->command->kernel->name, bytes, accelerator->device.info.name,
                      accelerator->max_block_bytes);
}

static reap_status check_mode(const struct reap__device_launch *launch)
{
    if (launch->layout.mode != REAP__SPANS_EXACT || !launch->layout.has_groups)
        return REAP_OK;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': device '%s' takes array reductions in work-groups only of "
                      "integers of 32 or 64 bits with built-in operators; use the host",
                      launch->command->kernel->name, launch->accelerator->device.info.name);
}

static reap_status run(struct reap__device_launch *launch, struct results *results, bool *started)
{
    const size_t tile = reap__tile_items(&launch->layout), items = launch->command->items;
    const reap_range *range = launch->command->range;
    if (launch->layout.has_groups) {
        launch->group_items = items > 0
                                  ? range->group[0] * (range->group[1] > 0 ? range->group[1] : 1) *
                                        (range->group[2] > 0 ? range->group[2] : 1)
                                  : 1;
        launch->groups = items / launch->group_items;
    } else {
        launch->groups = items / tile + (items % tile != 0);
    }
    REAP_TRY(check_mode(launch));
    REAP_TRY(check_block(launch));
    plan_scratch(launch);
    set_range(launch);
    REAP_TRY(set_parameters(launch));
    reap_status status = allocate_results(launch, results);
    if (status == REAP_OK && items > 0)
        status = place_arrays(launch);
    if (status == REAP_OK) {
        begin_totals(launch, results);
        if (items > 0)
            status = run_placed(launch, results, started);
        else
            make_empty_results(launch, results);
    }
    if (status == REAP_OK)
        finish(launch, results);
    reap__free(results->head);
    return status;
}

reap_status reap__device_run(const reap_device *device, const struct reap__command *command,
                             bool *started)
{
    struct reap__device_launch launch = {.accelerator = reap__accelerator_of(device),
                                         .command = command};
    struct results results = {0};
    reap__layout_make(&launch.layout, launch.accelerator, command);
    launch.block = reap__allocate(launch.layout.words * sizeof *launch.block);
    launch.memories = reap__allocate(launch.layout.memories * sizeof *launch.memories);
    reap_status status;
    if (launch.block == NULL || launch.memories == NULL) {
        status = reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its arguments",
                            command->kernel->name);
    } else {
        memset(launch.block, 0, launch.layout.words * sizeof *launch.block);
        memset(launch.memories, 0, launch.layout.memories * sizeof *launch.memories);
        status = run(&launch, &results, started);
    }
    reap__free(launch.block);
    reap__free(launch.memories);
    return status;
}
