/* SPDX-License-Identifier: Apache-2.0
 *
 * Before a launch: arrays are brought to the device, and it is decided whether variables that lie
 * in buffers are finished there.
 */
#include "src/accelerator/runtime/bind_arguments.h"

#include "src/core/status.h"
#include "src/memory/buffer.h"

#include <assert.h>

static void note_use(struct reap__device_launch *launch, const struct reap__memory *memory,
                     bool writes)
{
    if (memory->last_access != NULL)
        launch->uses[launch->use_count++] = (struct reap__macro_use){memory->last_access, writes};
}

static reap_status place_array(struct reap__device_launch *launch, size_t p)
{
    const struct reap__launch *command = launch->command;
    const struct reap__parameter *parameter = &command->kernel->parameters[p];
    const reap_device *device = &launch->accelerator->device;
    struct reap__layout *layout = &launch->layout;
    struct reap__resolved_pointer piece;
    const void *array = reap__array(command, parameter);
    if (array == NULL)
        return REAP_OK;
    REAP_TRY(reap__buffer_on_device(array, device, parameter->kind != REAP__IN, &piece));
    assert(piece.is_found); /* the core has checked it */
    launch->memories[layout->memory_of[p]] = piece.memory;
    launch->block[layout->word_of[p]] = piece.offset;
    layout->is_aligned[p] = piece.offset % 16 == 0;
    note_use(launch, &piece.memory, parameter->kind != REAP__IN);
    return REAP_OK;
}

/* Where a reduction's memory lies wholly in a buffer, it may stay on the device. */
static reap_status keep_on_device(struct reap__device_launch *launch, const void *memory,
                                  size_t number, size_t word)
{
    struct reap__resolved_pointer piece;
    REAP_TRY(reap__buffer_on_device(memory, &launch->accelerator->device, true, &piece));
    launch->memories[number] = piece.memory;
    launch->block[word] = piece.offset;
    note_use(launch, &piece.memory, true);
    return REAP_OK;
}

static bool lies_in_buffer(const void *memory)
{
    struct reap__extent extent;
    return reap__buffer_find(memory, 1, &extent);
}

static bool is_resident(const struct reap__target *target)
{
    return lies_in_buffer(target->variable) &&
           (target->location == NULL || lies_in_buffer(target->location)) &&
           (target->location == NULL || target->identity == NULL);
}

static reap_status place_scalar(struct reap__device_launch *launch, size_t s)
{
    const struct reap__target *target = &launch->command->scalars[s];
    const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
    if (scalar->is_resident) {
        launch->block[scalar->initialize_word] = target->initialize;
        REAP_TRY(keep_on_device(launch, target->variable, scalar->variable_memory,
                                scalar->variable_word));
        return target->location != NULL
                   ? keep_on_device(launch, target->location, scalar->location_memory,
                                    scalar->location_word)
                   : REAP_OK;
    }
    REAP_TRY(reap__buffer_on_host(target->variable, true));
    return target->location != NULL ? reap__buffer_on_host(target->location, true) : REAP_OK;
}

static reap_status place_span(struct reap__device_launch *launch, size_t s)
{
    const struct reap__target *target = &launch->command->spans[s];
    const struct reap__layout_span *span = &launch->layout.spans[s];
    if (!launch->layout.spans_are_resident)
        return reap__buffer_on_host(target->variable, true);
    launch->block[span->initialize_word] = target->initialize;
    return keep_on_device(launch, target->variable, span->variable_memory, span->variable_word);
}

reap_status reap__bind_all(struct reap__device_launch *launch)
{
    const struct reap__launch *command = launch->command;
    for (size_t p = 1; p < command->kernel->parameter_count && command->items > 0; p++)
        if (reap__is_array(&command->kernel->parameters[p]))
            REAP_TRY(place_array(launch, p));
    for (size_t s = 0; s < launch->layout.scalar_count; s++)
        REAP_TRY(place_scalar(launch, s));
    for (size_t s = 0; s < launch->layout.span_count; s++)
        REAP_TRY(place_span(launch, s));
    return REAP_OK;
}

/* An empty command finishes on the host what might lie on the device. */
void reap__bind_choose_resident(struct reap__device_launch *launch)
{
    bool all_spans = launch->layout.mode == REAP__SPANS_SHARED;
    if (launch->command->items == 0)
        return;
    for (size_t s = 0; s < launch->layout.scalar_count; s++)
        if (is_resident(&launch->command->scalars[s]))
            reap__layout_keep(&launch->layout, s);
    for (size_t s = 0; s < launch->layout.span_count; s++)
        all_spans = all_spans && is_resident(&launch->command->spans[s]);
    if (all_spans)
        reap__layout_keep_spans(&launch->layout, launch->accelerator->orders_groups);
}

bool reap__bind_must_complete(const struct reap__device_launch *launch)
{
    for (size_t s = 0; s < launch->layout.scalar_count; s++) {
        const struct reap__target *target = &launch->command->scalars[s];
        if (launch->layout.scalars[s].is_resident)
            continue;
        if (lies_in_buffer(target->variable) ||
            (target->location != NULL &&
             (lies_in_buffer(target->location) || target->identity != NULL)))
            return true;
    }
    for (size_t s = 0; s < launch->layout.span_count && !launch->layout.spans_are_resident; s++)
        if (lies_in_buffer(launch->command->spans[s].variable))
            return true;
    return false;
}
