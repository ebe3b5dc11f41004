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

#include "src/core/executor.h"
#include "src/core/registry.h"
#include "src/core/telling.h"

static void add(struct reap__uses *uses, const reap_buffer *buffer, bool writes,
                enum reap__need need)
{
    for (size_t u = 0; u < uses->count; u++)
        if (uses->list[u].thing == buffer) {
            uses->list[u].writes = uses->list[u].writes || writes;
            if (need > uses->list[u].need)
                uses->list[u].need = (unsigned char)need;
            return;
        }
    if (uses->count < REAP__MOST_USES)
        uses->list[uses->count++] = (struct reap__place_in_line){
            .thing = buffer, .writes = writes, .need = (unsigned char)need};
}

void reap__uses_add_buffer(struct reap__uses *uses, const reap_buffer *buffer, bool writes,
                           enum reap__need need)
{
    const bool moves = reap__is_moving_allocation(buffer);
    add(uses, buffer, moves || (writes && buffer->device == NULL), need);
}

void reap__uses_add_alone(struct reap__uses *uses, const reap_buffer *buffer)
{
    add(uses, buffer, true, REAP__NEEDS_NOTHING);
}

void reap__uses_add(struct reap__uses *uses, const void *memory, bool writes, enum reap__need need)
{
    const reap_buffer *buffer = reap__registry_find(memory, 1);
    if (buffer != NULL)
        reap__uses_add_buffer(uses, buffer, writes, need);
}

void reap__uses_add_command(struct reap__uses *uses, const struct reap__command *command)
{
    const struct reap_kernel *kernel = command->kernel;
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (reap__is_array(&kernel->parameters[p]))
            reap__uses_add(uses, reap__array(command, &kernel->parameters[p]),
                           kernel->parameters[p].kind != REAP__IN, REAP__NEEDS_CONTENTS);
    for (size_t s = 0; s < command->scalar_count; s++) {
        reap__uses_add(uses, command->scalars[s].variable, true, REAP__NEEDS_VARIABLES);
        if (command->scalars[s].location != NULL)
            reap__uses_add(uses, command->scalars[s].location, true, REAP__NEEDS_VARIABLES);
    }
    for (size_t s = 0; s < command->span_count; s++)
        reap__uses_add(uses, command->spans[s].variable, true, REAP__NEEDS_VARIABLES);
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
