/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of variables are adjacent, in the order of the targets. They are needed for an array
 * reduction that the host stores, for a location whose identity the caller passes, and for a launch
 * without work-items. Snapshots are of whole buffers, since the part that a kernel writes is not
 * known; they are in the scratch buffer, or in host memory if they are large. The totals are one
 * allocation: for each span its values and the flags whether they are present; an identity.
 */
#include "src/accelerator/runtime/staging.h"

#include "src/accelerator/runtime/in_flight.h"
#include "src/core/allocate.h"
#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/memory/buffer.h"
#include "src/memory/registry.h"
#include "src/port/fp_environment.h"
#include "src/reduction/exact_number.h"
#include "src/reduction/operators.h"
#include "src/reduction/store.h"

#include <stdio.h>
#include <string.h>

/* ---- Variables in unified shared memory -------------------------------------------------------*/

/* Whether the host must not access the bytes through the program's pointer. */
static bool is_elsewhere(const void *memory)
{
    const reap_buffer *buffer = memory != NULL ? reap__registry_find(memory, 1) : NULL;
    return buffer != NULL && (buffer->device != NULL || buffer->check != NULL);
}

static bool is_target_elsewhere(const struct reap__target *target)
{
    return is_elsewhere(target->variable) || is_elsewhere(target->location);
}

bool reap__usm_staging_is_needed(const struct reap__device_launch *launch)
{
    for (size_t s = 0; s < launch->layout.scalar_count; s++)
        if (!launch->layout.scalars[s].is_resident &&
            is_target_elsewhere(&launch->command->scalars[s]))
            return true;
    for (size_t s = 0; s < launch->layout.span_count && !launch->layout.spans_are_resident; s++)
        if (is_target_elsewhere(&launch->command->spans[s]))
            return true;
    return false;
}

static size_t bytes_of(const struct reap__target *target)
{
    return target->count * target->parameter->size;
}

/* Copies a target's variable and location, and makes the target use the copies. If usm_copy->copies
 * is NULL, only counts their bytes. */
static reap_status redirect(struct reap__usm_staging *usm_copy, struct reap__target *target,
                            size_t *used)
{
    unsigned char *copy = usm_copy->copies != NULL ? usm_copy->copies + *used : NULL;
    if (!reap__add_bytes(used, target->count, target->parameter->size))
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for '%s'", target->parameter->name);
    unsigned char *location = usm_copy->copies != NULL ? usm_copy->copies + *used : NULL;
    if (!reap__add_bytes(used, 1, sizeof *target->location))
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for '%s'", target->parameter->name);
    if (usm_copy->copies == NULL)
        return REAP_OK;
    if (is_elsewhere(target->variable)) {
        REAP_TRY(reap__memory_read(target->variable, copy, bytes_of(target)));
        target->variable = copy;
    }
    if (is_elsewhere(target->location)) {
        REAP_TRY(reap__memory_read(target->location, location, sizeof *target->location));
        target->location = (uint64_t *)(void *)location;
    }
    return REAP_OK;
}

static reap_status redirect_all(const struct reap__device_launch *launch,
                                struct reap__usm_staging *usm_copy, size_t *used)
{
    for (size_t s = 0; s < usm_copy->command.scalar_count; s++)
        if (!launch->layout.scalars[s].is_resident)
            REAP_TRY(redirect(usm_copy, &usm_copy->command.scalars[s], used));
    for (size_t s = 0; s < usm_copy->command.span_count && !launch->layout.spans_are_resident; s++)
        REAP_TRY(redirect(usm_copy, &usm_copy->command.spans[s], used));
    return REAP_OK;
}

reap_status reap__usm_staging_begin(struct reap__device_launch *launch,
                                    struct reap__usm_staging *usm_copy)
{
    size_t bytes = 0, used = 0;
    reap__launch_copy(launch->command, &usm_copy->targets, &usm_copy->command);
    usm_copy->command.completes_at_once = true;
    usm_copy->execution = *launch->command->execution;
    usm_copy->execution.event = NULL; /* the event's command also writes the copies back */
    usm_copy->command.execution = &usm_copy->execution;
    usm_copy->copies = NULL;
    REAP_TRY(redirect_all(launch, usm_copy, &bytes));
    usm_copy->copies = reap__allocate(bytes);
    if (usm_copy->copies == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its variables",
                          launch->command->kernel->name);
    const reap_status status = redirect_all(launch, usm_copy, &used);
    if (status != REAP_OK)
        reap__free(usm_copy->copies);
    else
        launch->command = &usm_copy->command;
    return status;
}

static reap_status write_back(const struct reap__target *target, const struct reap__target *copy)
{
    if (copy->variable != target->variable)
        REAP_TRY(reap__memory_write(target->variable, copy->variable, bytes_of(target)));
    if (copy->location != target->location)
        REAP_TRY(reap__memory_write(target->location, copy->location, sizeof *copy->location));
    return REAP_OK;
}

reap_status reap__usm_staging_end(const struct reap__launch *command,
                                  struct reap__usm_staging *usm_copy, reap_status status)
{
    command->execution->timeline = usm_copy->execution.timeline;
    command->execution->begins = usm_copy->execution.begins;
    command->execution->started = usm_copy->execution.started;
    for (size_t s = 0; s < command->scalar_count && status == REAP_OK; s++)
        status = write_back(&command->scalars[s], &usm_copy->command.scalars[s]);
    for (size_t s = 0; s < command->span_count && status == REAP_OK; s++)
        status = write_back(&command->spans[s], &usm_copy->command.spans[s]);
    reap__free(usm_copy->copies);
    return status;
}

/* ---- Snapshots --------------------------------------------------------------------------------*/

static bool find_written(const struct reap__device_launch *launch, size_t p,
                         struct reap__extent *extent)
{
    const struct reap__parameter *parameter = &launch->command->kernel->parameters[p];
    const void *array = parameter->kind == REAP__OUT || parameter->kind == REAP__INOUT
                            ? reap__array(launch->command, parameter)
                            : NULL;
    return array != NULL && reap__buffer_find(array, 1, extent);
}

/* Whether parameter p is the first that writes to its buffer. */
static bool is_saved(const struct reap__device_launch *launch, size_t p,
                     struct reap__extent *extent)
{
    struct reap__extent other;
    if (!find_written(launch, p, extent))
        return false;
    for (size_t before = 1; before < p; before++)
        if (find_written(launch, before, &other) && other.begin == extent->begin)
            return false;
    return true;
}

size_t reap__snapshot_bytes(const struct reap__device_launch *launch)
{
    struct reap__extent extent;
    size_t bytes = 0;
    for (size_t p = 1; p < launch->command->kernel->parameter_count; p++)
        if (is_saved(launch, p, &extent))
            bytes += reap__align((size_t)(extent.end - extent.begin));
    return bytes;
}

static reap_status save_on_host(const struct reap__device_launch *launch, size_t p,
                                struct reap__saved *saved)
{
    saved->bytes = reap__allocate(saved->size);
    if (saved->bytes == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                          "kernel '%s': no memory to save the %zu bytes of the buffer of '%s'",
                          launch->command->kernel->name, saved->size,
                          launch->command->kernel->parameters[p].name);
    return reap__accelerator_read(launch->accelerator, &saved->memory, 0, saved->bytes,
                                  saved->size);
}

/* Copies between a buffer and the scratch buffer. */
static reap_status copy_saved(const struct reap__device_launch *launch,
                              const struct reap__saved *saved, bool restores)
{
    const struct reap__device_address copy = {&launch->memories[REAP__MEMORY_SCRATCH], saved->at};
    const struct reap__device_address buffer = {&saved->memory, 0};
    return launch->accelerator->driver->copy(launch->accelerator, REAP__STREAM_COMPUTE,
                                             restores ? &buffer : &copy, restores ? &copy : &buffer,
                                             saved->size);
}

reap_status reap__snapshot_take(const struct reap__device_launch *launch,
                                struct reap__snapshot *snapshot)
{
    struct reap__extent extent;
    size_t at = launch->snapshot_at;
    for (size_t p = 1; p < launch->command->kernel->parameter_count; p++) {
        struct reap__saved *saved = &snapshot->all[snapshot->count];
        if (!is_saved(launch, p, &extent))
            continue;
        *saved = (struct reap__saved){.memory = launch->memories[launch->layout.memory_of[p]],
                                      .size = (size_t)(extent.end - extent.begin),
                                      .at = at};
        const reap_status status =
            at == 0 ? save_on_host(launch, p, saved) : copy_saved(launch, saved, false);
        if (status != REAP_OK) {
            reap__free(saved->bytes);
            return status;
        }
        snapshot->count++; /* only now: what is not saved must not be restored */
        at += at == 0 ? 0 : reap__align(saved->size);
    }
    return REAP_OK;
}

void reap__snapshot_release(struct reap__snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->count; i++)
        reap__free(snapshot->all[i].bytes);
    snapshot->count = 0;
}

reap_status reap__snapshot_restore(const struct reap__device_launch *launch,
                                   const struct reap__snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->count; i++) {
        const struct reap__saved *saved = &snapshot->all[i];
        REAP_TRY(saved->bytes == NULL ? copy_saved(launch, saved, true)
                                      : reap__accelerator_write(launch->accelerator, &saved->memory,
                                                                0, saved->bytes, saved->size));
    }
    return REAP_OK;
}

reap_status reap__snapshot_restore_after(const struct reap__device_launch *launch,
                                         const struct reap__snapshot *snapshot, reap_status status)
{
    char line[REAP__MESSAGE_BYTES];
    snprintf(line, sizeof line, "%s", reap_last_error());
    if (reap__snapshot_restore(launch, snapshot) == REAP_OK)
        return reap__fail(status, "%s", line);
    return reap__fail(REAP_ERROR_DEVICE_FAILED,
                      "kernel '%s': device '%s' failed to restore the buffers that the kernel had "
                      "written, after this error: %s",
                      launch->command->kernel->name, launch->accelerator->device.info.name, line);
}

/* ---- Totals -----------------------------------------------------------------------------------*/

static bool has_identity(const struct reap__target *target)
{
    return target->identity != NULL || reap__has_identity(target->reduction);
}

/* The start value of a span's elements; NULL: they start without a value. */
static const void *element_start(const struct reap__target *target,
                                 const struct reap__host_totals *totals)
{
    unsigned char *start = totals->identity + target->reduction->result_size;
    reap__span_start(target, has_identity(target) ? totals->identity : NULL, start);
    return has_identity(target) ? start : NULL;
}

static size_t row_bytes(const struct reap__target *target)
{
    return reap__align(target->count * target->parameter->size);
}

reap_status reap__host_totals_create(const struct reap__device_launch *launch,
                                     struct reap__host_totals *totals)
{
    const struct reap__launch *command = launch->command;
    size_t largest = 0, bytes = 0;
    if (launch->layout.spans_are_resident)
        return REAP_OK;
    for (size_t s = 0; s < command->span_count; s++) {
        const struct reap__target *target = &command->spans[s];
        largest = target->parameter->size > largest ? target->parameter->size : largest;
        bytes += row_bytes(target) + reap__align(target->count);
    }
    totals->memory = reap__allocate(bytes + reap__align(2 * largest));
    if (totals->memory == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its spans",
                          command->kernel->name);
    totals->identity = totals->memory + bytes;
    bytes = 0;
    for (size_t s = 0; s < command->span_count; s++) {
        const struct reap__target *target = &command->spans[s];
        struct reap__results *row = &totals->rows[s];
        row->values = totals->memory + bytes;
        bytes += row_bytes(target);
        row->set = !reap__has_identity(target->reduction) ? totals->memory + bytes : NULL;
        bytes += reap__align(target->count);
        reap__fill(target->reduction, element_start(target, totals), row, target->count);
    }
    return REAP_OK;
}

/* Stores a span's totals. What the device has committed is copied. Of an exact sum without
 * work-items, elements are only initialised. */
static void finish_span(const struct reap__device_launch *launch, size_t s,
                        const struct reap__results *row, const struct reap__host_totals *totals)
{
    const struct reap__target *target = &launch->command->spans[s];
    const struct reap__results all = {target->variable, NULL};
    const void *start = element_start(target, totals);
    if (target->delivery != NULL)
        return; /* part_delivery.c delivers a part */
    if (reap__is_committed(&launch->layout, s) && launch->command->items > 0) {
        memcpy(target->variable, row->values, target->count * target->parameter->size);
        return;
    }
    if (target->initialize)
        reap__fill(target->reduction, totals->identity, &all, target->count);
    if (!reap__is_exact_span(target->reduction))
        reap__store_span(target, start, row, 0, target->count);
}

reap_status reap__host_totals_store(const struct reap__device_launch *launch,
                                    const unsigned char *view,
                                    const struct reap__host_totals *totals)
{
    const reap__fp_environment before = reap__fp_enter();
    struct reap__finishing finishing = {.bytes = 0};
    reap_status status = REAP_OK;
    for (size_t s = 0; s < launch->layout.scalar_count && status == REAP_OK; s++)
        if (!launch->layout.scalars[s].is_resident)
            status = reap__finishing_begin(&finishing, &launch->command->scalars[s]);
    for (size_t s = 0; s < launch->layout.scalar_count && status == REAP_OK; s++)
        if (!launch->layout.scalars[s].is_resident)
            reap__finish_result(&finishing, &launch->command->scalars[s],
                                view + launch->layout.scalars[s].delivered);
    reap__finishing_end(&finishing);
    for (size_t s = 0; s < launch->layout.span_count && status == REAP_OK; s++)
        if (!launch->layout.spans_are_resident)
            finish_span(launch, s, &totals->rows[s], totals);
    reap__fp_leave(before);
    return status;
}

void reap__host_totals_release(struct reap__host_totals *totals)
{
    reap__free(totals->memory);
}
