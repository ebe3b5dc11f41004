/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch on a combined device. Each device runs its share of the work-items, on a thread of its
 * own, into ranges of parts. Then the ranges are joined, and stored as one launch would store them.
 * A launch that cannot be divided runs on one device: it has array reductions whose order matters,
 * or arrays that are written and that `.launch.divided` does not name, or arrays in a device's
 * memory, or a written array that overlaps another argument; or it reduces rows or columns.
 */
#include "src/combined/combined.h"
#include "src/combined/division.h"
#include "src/core/allocate.h"
#include "src/core/stack.h"
#include "src/memory/registry.h"
#include "src/memory/usm.h"
#include "src/port/cancellation.h"
#include "src/port/cpu.h"
#include "src/port/fp_environment.h"
#include "src/queue/queue.h"
#include "src/reduction/part.h"
#include "src/reduction/store.h"

#include <stdio.h>
#include <string.h>

struct share {
    const struct divided_launch *launch;
    const reap_device *device;
    size_t first, items;
    struct reap__launch command;
    struct reap__targets targets;
    struct reap__execution execution;
    struct reap__division division;
    struct reap__part_claims *claims; /* not registered with the parts */
    uint64_t nanoseconds;
    reap_status status;
    char message[REAP__MESSAGE_BYTES];
};

struct divided_launch {
    struct reap__combined *combined;
    const struct reap__launch *whole;
    struct reap__division division; /* of the names alone: no slices */
    struct share *shares;           /* one for each device */
    size_t group_items;             /* work-items of a work-group, which is not divided; or 1 */
    size_t reductions;
    reap_part *parts[REAP__MOST_PARAMETERS]; /* the launch's, or temporary ones */
};

static struct reap__target *target_of(const struct reap__launch *command, size_t t)
{
    return t < command->scalar_count ? &command->scalars[t]
                                     : &command->spans[t - command->scalar_count];
}

/* ---- On one device ----------------------------------------------------------------------------*/

static reap_status run_whole(const reap_device *device, const struct reap__launch *whole)
{
    struct reap__execution execution = {.timeline = whole->execution->timeline};
    struct reap__launch command = *whole;
    command.execution = &execution;
    command.completes_at_once = true;
    const reap_status status = reap__launch_run_on(device, &command);
    whole->execution->started |= execution.started;
    return status;
}

/* ---- Whether a launch can be divided ----------------------------------------------------------*/

static const reap_buffer *device_memory(const void *memory)
{
    const reap_buffer *buffer = memory != NULL ? reap__registry_find(memory, 1) : NULL;
    return buffer != NULL && buffer->device != NULL ? buffer : NULL;
}

/* Whether no array or variable is in the memory of one device, which would keep the launch
 * there. */
static bool is_free_of_devices(const struct reap__launch *command)
{
    for (size_t p = 1; p < command->kernel->parameter_count; p++)
        if (reap__is_array(&command->kernel->parameters[p]) &&
            device_memory(reap__array(command, &command->kernel->parameters[p])) != NULL)
            return false;
    for (size_t t = 0; t < command->scalar_count + command->span_count; t++)
        if (device_memory(target_of(command, t)->variable) != NULL ||
            device_memory(target_of(command, t)->location) != NULL)
            return false;
    return true;
}

static bool can_divide(const struct divided_launch *launch)
{
    const struct reap__launch *whole = launch->whole;
    if (whole->items == 0 || whole->queue->is_checked || whole->has_lines)
        return false;
    for (size_t s = 0; s < whole->span_count; s++)
        if (!reap__span_has_any_order(&whole->spans[s]))
            return false;
    for (size_t p = 1; p < whole->kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &whole->kernel->parameters[p];
        if (reap__is_array(parameter) && parameter->kind != REAP__IN &&
            launch->division.arrays[p].elements == 0)
            return false;
    }
    return !reap__division_shares_memory(whole, &launch->division) && is_free_of_devices(whole);
}

/* Whether the last share runs items one by one on a device that has little room for their values
 * (docs/chunks.md). A launch into parts of the program is as on that device alone. */
static bool ends_badly(const struct reap__combined *combined, const struct reap__launch *whole,
                       const size_t *counts)
{
    size_t last = combined->count - 1;
    while (counts[last] == 0)
        last--;
    return !whole->has_parts && combined->devices[last]->functions->allocate != NULL &&
           reap__ends_in_leaf(whole, 0);
}

/* Returns the device of the combined ones that has the memory: the host has that of combined
 * devices. NULL: it is not in a device's memory, or in another device's. */
static const reap_device *owner_of(const struct reap__combined *combined, const void *memory)
{
    const reap_buffer *buffer = device_memory(memory);
    const reap_device *owner = buffer != NULL ? buffer->device : NULL;
    const bool is_in_host = owner != NULL && owner->functions->allocate == NULL;
    for (size_t d = 0; d < combined->count && owner != NULL; d++) {
        const bool is_host = combined->devices[d]->functions->allocate == NULL;
        if ((is_host && is_in_host) || combined->devices[d] == owner)
            return combined->devices[d];
    }
    return NULL;
}

/* Returns the device of the launch's arrays or variables, if it is one of the combined; else
 * `other`. */
static const reap_device *find_owner(const struct reap__combined *combined,
                                     const struct reap__launch *command, const reap_device *other)
{
    const reap_device *found = NULL;
    for (size_t p = 1; p < command->kernel->parameter_count && found == NULL; p++)
        if (reap__is_array(&command->kernel->parameters[p]))
            found = owner_of(combined, reap__array(command, &command->kernel->parameters[p]));
    for (size_t t = 0; t < command->scalar_count + command->span_count && found == NULL; t++) {
        found = owner_of(combined, target_of(command, t)->variable);
        if (found == NULL)
            found = owner_of(combined, target_of(command, t)->location);
    }
    return found != NULL ? found : other;
}

/* ---- Parts ------------------------------------------------------------------------------------*/

static reap_status make_parts(struct divided_launch *launch)
{
    const struct reap__launch *whole = launch->whole;
    for (size_t t = 0; t < launch->reductions; t++) {
        const struct reap__target *target = target_of(whole, t);
        if (whole->has_parts) {
            launch->parts[t] = whole->claims->claims[t].part;
            continue;
        }
        REAP_TRY(reap__part_make(whole->kernel, target->parameter->name, "reap_parallel_for",
                                 &launch->parts[t]));
        reap__part_bind(launch->parts[t], target->identity, launch->group_items,
                        launch->parts[t]->shape.is_span ? target->count : 0);
    }
    return REAP_OK;
}

static void release_parts(const struct divided_launch *launch)
{
    for (size_t t = 0; t < launch->reductions && !launch->whole->has_parts; t++)
        reap_part_release(launch->parts[t]);
}

static reap_status make_claims(const struct divided_launch *launch, struct share *share)
{
    const struct reap__launch *whole = launch->whole;
    const size_t bytes = launch->reductions * sizeof(struct reap__part_claim);
    share->claims = reap__allocate(sizeof *share->claims + bytes);
    if (share->claims == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory to divide it",
                          whole->kernel->name);
    share->claims->count = launch->reductions;
    memset(share->claims->claims, 0, bytes);
    for (size_t t = 0; t < launch->reductions; t++) {
        struct reap__part_claim *claim = &share->claims->claims[t];
        claim->part = launch->parts[t];
        claim->begin = (whole->has_parts ? whole->claims->claims[t].begin : 0) +
                       share->first / launch->group_items;
        claim->end = claim->begin + share->items / launch->group_items;
    }
    return REAP_OK;
}

static void release_claims(struct share *share)
{
    for (size_t t = 0; share->claims != NULL && t < share->claims->count; t++) {
        reap__part_range_release(share->claims->claims[t].range);
        reap__free(share->claims->claims[t].totals);
    }
    reap__free(share->claims);
}

/* ---- Shares -----------------------------------------------------------------------------------*/

/* Makes the command of a share. Its reductions go to parts, not to the variables. */
static reap_status make_share(const struct divided_launch *launch, struct share *share)
{
    struct reap__launch *command = &share->command;
    reap__launch_copy(launch->whole, &share->targets, command);
    command->first = share->first;
    command->items = share->items;
    command->execution = &share->execution;
    command->completes_at_once = true;
    command->has_parts = launch->reductions > 0;
    command->division = &share->division;
    share->division = launch->division;
    REAP_TRY(make_claims(launch, share));
    command->claims = share->claims;
    for (size_t t = 0; t < launch->reductions; t++) {
        struct reap__target *target = target_of(command, t);
        target->part = launch->parts[t];
        target->variable = NULL;
        target->location = NULL;
        target->initialize = false;
    }
    return REAP_OK;
}

static void run_share(void *data)
{
    struct share *share = data;
    const uint64_t begin = reap__now();
    share->status = make_share(share->launch, share);
    if (share->status == REAP_OK)
        share->status = reap__division_begin(share->device, &share->command, &share->division);
    if (share->status == REAP_OK)
        share->status = reap__launch_run_on(share->device, &share->command);
    reap__division_end(&share->division);
    if (share->status != REAP_OK)
        snprintf(share->message, sizeof share->message, "%s", reap_last_error());
    share->nanoseconds = reap__now() - begin;
}

static struct reap__worker *worker_of(struct reap__combined *combined, size_t device)
{
    if (combined->workers[device] == NULL)
        combined->workers[device] = reap__worker_create();
    return combined->workers[device];
}

/* Runs all shares. The last share with items runs on the calling thread, and so do shares without a
 * worker. */
static void run_shares(const struct divided_launch *launch)
{
    struct reap__combined *combined = launch->combined;
    struct reap__worker *running[REAP__MOST_COMBINED] = {NULL};
    size_t last = 0;
    for (size_t d = 0; d < combined->count; d++)
        if (launch->shares[d].items > 0)
            last = d;
    for (size_t d = 0; d < last; d++) {
        if (launch->shares[d].items == 0)
            continue;
        running[d] = worker_of(combined, d);
        if (running[d] != NULL)
            reap__worker_begin(running[d], run_share, &launch->shares[d]);
    }
    for (size_t d = 0; d <= last; d++)
        if (running[d] == NULL && launch->shares[d].items > 0)
            run_share(&launch->shares[d]);
    for (size_t d = 0; d < last; d++)
        if (running[d] != NULL)
            reap__worker_wait(running[d]);
}

/* Fails as the first share that has failed. */
static reap_status check_shares(const struct divided_launch *launch)
{
    for (size_t d = 0; d < launch->combined->count; d++)
        if (launch->shares[d].status != REAP_OK)
            return reap__fail(launch->shares[d].status, "%s", launch->shares[d].message);
    return REAP_OK;
}

/* ---- Results ----------------------------------------------------------------------------------*/

/* Joins the shares' results of a reduction to one range or array, in *claim. */
static void join(const struct divided_launch *launch, size_t t, struct reap__part_claim *claim)
{
    const struct reap__part_shape *shape = &launch->parts[t]->shape;
    for (size_t d = 0; d < launch->combined->count; d++) {
        if (launch->shares[d].items == 0)
            continue;
        struct reap__part_claim *own = &launch->shares[d].claims->claims[t];
        if (claim->range == NULL)
            claim->range = own->range;
        else
            reap__part_range_append(shape, claim->range, own->range);
        own->range = NULL;
        if (claim->totals != NULL && own->totals != NULL) {
            reap__part_totals_add(shape, claim->totals, own->totals);
        } else if (own->totals != NULL) {
            claim->totals = own->totals;
            own->totals = NULL;
        }
    }
}

static void join_all(const struct divided_launch *launch)
{
    const reap__fp_environment before = reap__fp_enter();
    for (size_t t = 0; t < launch->reductions; t++) {
        struct reap__part_claim claim = {.range = NULL};
        struct reap__part_claim *into =
            launch->whole->has_parts ? &launch->whole->claims->claims[t] : &claim;
        reap__part_range_release(into->range); /* those of an earlier run of the command */
        reap__free(into->totals);
        into->range = NULL;
        into->totals = NULL;
        join(launch, t, into);
        if (launch->whole->has_parts)
            continue;
        launch->parts[t]->ranges = claim.range;
        launch->parts[t]->totals = claim.totals;
    }
    reap__fp_leave(before);
}

static reap_status bring_variables(const struct reap__launch *whole)
{
    for (size_t t = 0; t < whole->scalar_count + whole->span_count; t++) {
        REAP_TRY(reap__buffer_on_host(target_of(whole, t)->variable, true));
        if (target_of(whole, t)->location != NULL)
            REAP_TRY(reap__buffer_on_host(target_of(whole, t)->location, true));
    }
    return REAP_OK;
}

static reap_status store(const struct divided_launch *launch)
{
    const struct reap__target *targets[REAP__MOST_PARAMETERS];
    for (size_t t = 0; t < launch->reductions; t++)
        targets[t] = target_of(launch->whole, t);
    join_all(launch);
    if (launch->whole->has_parts)
        return REAP_OK;
    REAP_TRY(bring_variables(launch->whole));
    return reap__parts_store(launch->parts, targets, launch->reductions);
}

/* ---- The launch -------------------------------------------------------------------------------*/

/* Only in one dimension do the items of consecutive groups have consecutive numbers; in others no
 * array is divided. */
static void find_groups(struct divided_launch *launch)
{
    const reap_range *range = launch->whole->range;
    launch->group_items = 1;
    if (!reap__has_groups(launch->whole->kernel) || launch->whole->items == 0)
        return;
    for (unsigned d = 0; d < range->dimensions; d++)
        launch->group_items *= range->group[d];
    for (size_t p = 1; p <= REAP__MOST_PARAMETERS && range->dimensions > 1; p++)
        launch->division.arrays[p].elements = 0;
}

static reap_status run_divided(struct divided_launch *launch, const size_t *counts)
{
    const size_t devices = launch->combined->count;
    uint64_t nanoseconds[REAP__MOST_COMBINED];
    size_t first = 0;
    REAP_TRY(make_parts(launch));
    for (size_t d = 0; d < devices; d++) {
        struct share *share = &launch->shares[d];
        share->launch = launch;
        share->device = launch->combined->devices[d];
        share->first = first;
        share->items = counts[d];
        first += counts[d];
    }
    run_shares(launch);
    for (size_t d = 0; d < devices; d++) {
        nanoseconds[d] = launch->shares[d].nanoseconds;
        launch->whole->execution->started |= launch->shares[d].execution.started;
    }
    REAP_TRY(check_shares(launch));
    reap__shares_note(launch->combined, launch->whole->kernel, counts, nanoseconds);
    return store(launch);
}

static reap_status divide(struct divided_launch *launch, const size_t *counts)
{
    const size_t devices = launch->combined->count;
    launch->shares = reap__allocate(devices * sizeof *launch->shares);
    if (launch->shares == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory to divide it",
                          launch->whole->kernel->name);
    for (size_t d = 0; d < devices; d++) { /* other members are large, and set when needed */
        launch->shares[d].items = 0;
        launch->shares[d].execution = (struct reap__execution){.event = NULL};
        launch->shares[d].claims = NULL;
        launch->shares[d].nanoseconds = 0;
        launch->shares[d].status = REAP_OK;
    }
    const reap_status status = run_divided(launch, counts);
    for (size_t d = 0; d < devices; d++)
        release_claims(&launch->shares[d]);
    reap__free(launch->shares);
    release_parts(launch);
    return status;
}

/* A wait for the queue would not copy such an allocation back to the host (memory/usm.c). */
static reap_status check_memory(const struct reap__launch *command, const char *name,
                                const void *memory)
{
    const reap_buffer *buffer = device_memory(memory);
    if (buffer == NULL || !reap__is_moving_allocation(buffer))
        return REAP_OK;
    return reap__fail(
        REAP_ERROR_INVALID_ARGUMENT,
        "kernel '%s': '%s' is in shared memory of device '%s', which combined devices "
        "cannot use: launch the kernel on a queue of '%s', or use a buffer",
        command->kernel->name, name, buffer->device->info.name, buffer->device->info.name);
}

static reap_status check_memories(const struct reap__launch *command)
{
    for (size_t p = 1; p < command->kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &command->kernel->parameters[p];
        if (reap__is_array(parameter))
            REAP_TRY(check_memory(command, parameter->name, reap__array(command, parameter)));
    }
    for (size_t t = 0; t < command->scalar_count + command->span_count; t++) {
        const struct reap__target *target = target_of(command, t);
        REAP_TRY(check_memory(command, target->parameter->name, target->variable));
        REAP_TRY(check_memory(command, target->parameter->name, target->location));
    }
    return REAP_OK;
}

/* Checks everything that can be wrong with a share, before any share runs. */
static reap_status check_devices(const struct divided_launch *launch, const size_t *counts)
{
    REAP_TRY(reap__division_check(launch->whole, &launch->division));
    for (size_t d = 0; d < launch->combined->count; d++)
        if (counts[d] > 0)
            REAP_TRY(reap__usm_check(launch->combined->devices[d], launch->whole));
    return REAP_OK;
}

/* Divides the launch, or runs it on one device. With the combined device's lock held. */
static reap_status run(struct divided_launch *launch)
{
    struct reap__combined *combined = launch->combined;
    const struct reap__launch *whole = launch->whole;
    size_t counts[REAP__MOST_COMBINED];
    const size_t fastest = reap__shares_fastest(combined, whole->kernel);
    if (!can_divide(launch))
        return run_whole(find_owner(combined, whole, combined->devices[fastest]), whole);
    reap__shares_plan(combined, whole->kernel, whole->items / launch->group_items,
                      launch->group_items, counts);
    for (size_t d = 0; d < combined->count; d++) {
        counts[d] *= launch->group_items;
        if (counts[d] == whole->items)
            return run_whole(combined->devices[d], whole);
    }
    if (ends_badly(combined, whole, counts))
        return run_whole(combined->devices[fastest], whole);
    REAP_TRY(check_devices(launch, counts));
    return divide(launch, counts);
}

reap_status reap__combined_run(const reap_device *device, const struct reap__launch *command)
{
    struct reap__combined *combined = (struct reap__combined *)device;
    const reap_launch_options *options =
        (const void *)((const char *)command->arguments + command->kernel->options_offset);
    REAP_TRY(reap__stack_check(REAP__STACK_FOR_DEVICE, "kernel", command->kernel->name));
    struct divided_launch *launch = reap__allocate(sizeof *launch);
    if (launch == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory to divide it",
                          command->kernel->name);
    launch->combined = combined;
    launch->whole = command;
    launch->shares = NULL;
    memset(launch->parts, 0, sizeof launch->parts);
    launch->reductions = command->scalar_count + command->span_count;
    reap_status status = reap__division_parse(command->kernel, options->divided, &launch->division);
    if (status == REAP_OK)
        status = check_memories(command);
    if (status == REAP_OK) {
        find_groups(launch);
        reap__cancellation_defer();
        pthread_mutex_lock(&combined->lock);
        status = run(launch);
        pthread_mutex_unlock(&combined->lock);
        reap__cancellation_allow();
    }
    reap__free(launch);
    return status;
}
