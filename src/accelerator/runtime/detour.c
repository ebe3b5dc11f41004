/* SPDX-License-Identifier: Apache-2.0
 *
 * The copies stand one behind the other, in the order of the targets. It happens where an array
 * reduction is folded on the host, where a location has an identity of the launch's own, and where
 * no work-item runs.
 */
#include "src/accelerator/runtime/detour.h"

#include "src/core/buffer.h"
#include "src/core/memory.h"
#include "src/core/registry.h"
#include "src/core/status.h"

/* Where a pointer does not lead to the bytes in the host's memory. */
static bool is_elsewhere(const void *memory)
{
    const reap_buffer *buffer = memory != NULL ? reap__registry_find(memory, 1) : NULL;
    return buffer != NULL && (buffer->device != NULL || buffer->check != NULL);
}

static bool is_target_elsewhere(const struct reap__target *target)
{
    return is_elsewhere(target->variable) || is_elsewhere(target->location);
}

bool reap__detour_is_needed(const struct reap__device_launch *launch)
{
    for (size_t s = 0; s < launch->layout.scalar_count; s++)
        if (!launch->layout.scalars[s].stays && is_target_elsewhere(&launch->command->scalars[s]))
            return true;
    for (size_t s = 0; s < launch->layout.span_count && !launch->layout.spans_stay; s++)
        if (is_target_elsewhere(&launch->command->spans[s]))
            return true;
    return false;
}

static size_t bytes_of(const struct reap__target *target)
{
    return target->count * target->parameter->size;
}

/* Takes a copy's place in the room; without a room it only counts. */
static reap_status redirect(struct reap__detour *detour, struct reap__target *target, size_t *used)
{
    unsigned char *copy = detour->room != NULL ? detour->room + *used : NULL;
    if (!reap__add_bytes(used, target->count, target->parameter->size))
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for '%s'", target->parameter->name);
    unsigned char *location = detour->room != NULL ? detour->room + *used : NULL;
    if (!reap__add_bytes(used, 1, sizeof *target->location))
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for '%s'", target->parameter->name);
    if (detour->room == NULL)
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
                                struct reap__detour *detour, size_t *used)
{
    for (size_t s = 0; s < detour->command.scalar_count; s++)
        if (!launch->layout.scalars[s].stays)
            REAP_TRY(redirect(detour, &detour->command.scalars[s], used));
    for (size_t s = 0; s < detour->command.span_count && !launch->layout.spans_stay; s++)
        REAP_TRY(redirect(detour, &detour->command.spans[s], used));
    return REAP_OK;
}

reap_status reap__detour_begin(struct reap__device_launch *launch, struct reap__detour *detour)
{
    size_t bytes = 0, used = 0;
    reap__command_copy(launch->command, &detour->targets, &detour->command);
    detour->command.completes_at_once = true;
    detour->turn = *launch->command->turn;
    detour->turn.event = NULL; /* what is written back comes behind */
    detour->command.turn = &detour->turn;
    detour->room = NULL;
    REAP_TRY(redirect_all(launch, detour, &bytes));
    detour->room = reap__allocate(bytes);
    if (detour->room == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its variables",
                          launch->command->kernel->name);
    const reap_status status = redirect_all(launch, detour, &used);
    if (status != REAP_OK)
        reap__free(detour->room);
    else
        launch->command = &detour->command;
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

reap_status reap__detour_end(const struct reap__command *command, struct reap__detour *detour,
                             reap_status status)
{
    command->turn->point = detour->turn.point;
    command->turn->started = detour->turn.started;
    for (size_t s = 0; s < command->scalar_count && status == REAP_OK; s++)
        status = write_back(&command->scalars[s], &detour->command.scalars[s]);
    for (size_t s = 0; s < command->span_count && status == REAP_OK; s++)
        status = write_back(&command->spans[s], &detour->command.spans[s]);
    reap__free(detour->room);
    return status;
}
