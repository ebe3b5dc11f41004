/* SPDX-License-Identifier: Apache-2.0
 *
 * What a command uses takes its place in order.c. A command stands there as long as its launch
 * lasts, or until the library's thread that runs it is done with it; what a device has left to do
 * then, it does in order, and whoever moves a buffer away waits for the device.
 *
 * Events order unified shared memory, so commands on it do not conflict, unless it moves as a
 * buffer does: then all commands on it do, since it is one piece and any of them may move it.
 */
#include "src/core/uses.h"

#include "src/core/access_check.h"
#include "src/core/executor.h"
#include "src/core/registry.h"
#include "src/core/telling.h"

#include <string.h>

static void add(struct reap__uses *uses, const reap_buffer *buffer, struct reap__buffer_use use)
{
    for (size_t u = 0; u < uses->count; u++) {
        struct reap__place_in_line *place = &uses->list[u];
        if (place->thing != buffer)
            continue;
        place->writes = place->writes || use.writes;
        place->reader = place->reader != NULL ? place->reader : use.reader;
        if (use.need > place->need)
            place->need = (unsigned char)use.need;
        return;
    }
    uses->list[uses->count++] = (struct reap__place_in_line){.thing = buffer,
                                                             .writes = use.writes,
                                                             .need = (unsigned char)use.need,
                                                             .reader = use.reader};
}

void reap__uses_add_buffer(struct reap__uses *uses, const reap_buffer *buffer,
                           struct reap__buffer_use use)
{
    use.writes = reap__is_moving_allocation(buffer) || (use.writes && buffer->device == NULL);
    add(uses, buffer, use);
}

void reap__uses_add_alone(struct reap__uses *uses, const reap_buffer *buffer)
{
    add(uses, buffer, (struct reap__buffer_use){.writes = true, .need = REAP__NEEDS_NOTHING});
}

void reap__uses_add(struct reap__uses *uses, const void *memory, struct reap__buffer_use use)
{
    const reap_buffer *buffer = reap__registry_find(memory, 1);
    if (buffer != NULL)
        reap__uses_add_buffer(uses, buffer, use);
}

/* A command without work-items reads no array. */
static void add_array(struct reap__uses *uses, const struct reap__command *command,
                      const struct reap__parameter *parameter)
{
    const bool reads = parameter->kind != REAP__OUT && command->items > 0;
    reap__uses_add(uses, reap__array(command, parameter),
                   (struct reap__buffer_use){.reader = reads ? parameter->name : NULL,
                                             .writes = parameter->kind != REAP__IN,
                                             .need = REAP__NEEDS_CONTENTS});
}

static void add_target(struct reap__uses *uses, const struct reap__target *target)
{
    struct reap__buffer_use use = {.reader = target->initialize ? NULL : target->parameter->name,
                                   .writes = true,
                                   .need = REAP__NEEDS_VARIABLES};
    reap__uses_add(uses, target->variable, use);
    use.reader = NULL;
    if (target->location != NULL)
        reap__uses_add(uses, target->location, use);
}

void reap__uses_add_command(struct reap__uses *uses, const struct reap__command *command)
{
    const struct reap_kernel *kernel = command->kernel;
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (reap__is_array(&kernel->parameters[p]))
            add_array(uses, command, &kernel->parameters[p]);
    for (size_t s = 0; s < command->scalar_count; s++)
        add_target(uses, &command->scalars[s]);
    for (size_t s = 0; s < command->span_count; s++)
        add_target(uses, &command->spans[s]);
}

void reap__uses_begin(struct reap__uses *uses)
{
    if (uses->count == 0)
        return;
    uses->order = (struct reap__order){.places = uses->list, .place_count = uses->count};
    if (reap__order_join(&uses->order))
        return;
    reap__execute_without_threads(REAP__COMMANDS);
    reap__order_wait(&uses->order);
}

void reap__uses_end(struct reap__uses *uses)
{
    if (uses->count > 0)
        reap__order_leave(&uses->order);
}

struct reap__used reap__uses_used(const struct reap__uses *uses)
{
    return (struct reap__used){uses->list, uses->count, reap__tellings()};
}

static reap_buffer *buffer_at(const struct reap__used *used, size_t place)
{
    reap_buffer *buffer;
    memcpy(&buffer, &used->places[place].thing, sizeof buffer);
    return buffer;
}

const struct reap__place_in_line *reap__used_unwritten(const struct reap__used *used)
{
    for (size_t p = 0; p < used->count; p++)
        if (used->places[p].reader != NULL && !buffer_at(used, p)->residence.is_written)
            return &used->places[p];
    return NULL;
}

void reap__used_note_written(const struct reap__used *used)
{
    for (size_t p = 0; p < used->count; p++)
        if (used->places[p].writes) {
            reap_buffer *buffer = buffer_at(used, p);
            buffer->residence.is_written = true;
            if (buffer->check != NULL)
                reap__access_check_note_written(buffer->check);
        }
}
