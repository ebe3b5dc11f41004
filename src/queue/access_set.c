/* SPDX-License-Identifier: Apache-2.0
 *
 * A command's buffers have entries in the dependency graph as long as its launch lasts, or until
 * the library's thread has run it. What the device still has to do then, it does in order, and a
 * thread that moves a buffer to another memory waits for the device.
 *
 * Events order unified shared memory, so commands on it do not conflict, unless it migrates as a
 * buffer does: then all commands on it conflict, since any of them may move it.
 */
#include "src/queue/access_set.h"

#include "src/memory/access_check.h"
#include "src/memory/registry.h"
#include "src/queue/event.h"
#include "src/queue/executor.h"

#include <string.h>

static void add(struct reap__access_set *accesses, const reap_buffer *buffer,
                struct reap__buffer_access use)
{
    for (size_t u = 0; u < accesses->count; u++) {
        struct reap__wait_entry *entry = &accesses->list[u];
        if (entry->resource != buffer)
            continue;
        entry->writes = entry->writes || use.writes;
        entry->reader = entry->reader != NULL ? entry->reader : use.reader;
        if (use.need > entry->need)
            entry->need = (unsigned char)use.need;
        return;
    }
    accesses->list[accesses->count++] = (struct reap__wait_entry){.resource = buffer,
                                                                  .writes = use.writes,
                                                                  .need = (unsigned char)use.need,
                                                                  .reader = use.reader};
}

void reap__access_set_add_buffer(struct reap__access_set *accesses, const reap_buffer *buffer,
                                 struct reap__buffer_access use)
{
    use.writes = reap__is_moving_allocation(buffer) || (use.writes && buffer->device == NULL);
    add(accesses, buffer, use);
}

void reap__access_set_add_exclusive(struct reap__access_set *accesses, const reap_buffer *buffer)
{
    add(accesses, buffer,
        (struct reap__buffer_access){.writes = true, .need = REAP__NEEDS_NOTHING});
}

void reap__access_set_add(struct reap__access_set *accesses, const void *memory,
                          struct reap__buffer_access use)
{
    const reap_buffer *buffer = reap__registry_find(memory, 1);
    if (buffer != NULL)
        reap__access_set_add_buffer(accesses, buffer, use);
}

/* A command without work-items reads no array. */
static void add_array(struct reap__access_set *accesses, const struct reap__launch *command,
                      const struct reap__parameter *parameter)
{
    const bool reads = parameter->kind != REAP__OUT && command->items > 0;
    reap__access_set_add(accesses, reap__array(command, parameter),
                         (struct reap__buffer_access){.reader = reads ? parameter->name : NULL,
                                                      .writes = parameter->kind != REAP__IN,
                                                      .need = REAP__NEEDS_CONTENTS});
}

static void add_target(struct reap__access_set *accesses, const struct reap__target *target)
{
    struct reap__buffer_access use = {.reader = target->initialize ? NULL : target->parameter->name,
                                      .writes = true,
                                      .need = REAP__NEEDS_VARIABLES};
    reap__access_set_add(accesses, target->variable, use);
    use.reader = NULL;
    if (target->location != NULL)
        reap__access_set_add(accesses, target->location, use);
}

void reap__access_set_add_launch(struct reap__access_set *accesses,
                                 const struct reap__launch *command)
{
    const struct reap_kernel *kernel = command->kernel;
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (reap__is_array(&kernel->parameters[p]))
            add_array(accesses, command, &kernel->parameters[p]);
    if (command->has_parts)
        return;
    for (size_t s = 0; s < command->scalar_count; s++)
        add_target(accesses, &command->scalars[s]);
    for (size_t s = 0; s < command->span_count; s++)
        add_target(accesses, &command->spans[s]);
}

void reap__access_set_acquire(struct reap__access_set *accesses)
{
    if (accesses->count == 0)
        return;
    accesses->order =
        (struct reap__graph_node){.entries = accesses->list, .entry_count = accesses->count};
    if (reap__graph_join(&accesses->order))
        return;
    reap__executor_run_stranded_commands();
    reap__graph_wait(&accesses->order);
}

void reap__access_set_release(struct reap__access_set *accesses)
{
    if (accesses->count == 0)
        return;
    reap__graph_leave(&accesses->order);
    reap__executor_run_stranded_commands(); /* for which others may wait */
}

struct reap__accessed reap__access_set_view(const struct reap__access_set *accesses)
{
    return (struct reap__accessed){accesses->list, accesses->count, reap__error_report_count()};
}

static reap_buffer *buffer_at(const struct reap__accessed *accessed, size_t entry)
{
    reap_buffer *buffer;
    memcpy(&buffer, &accessed->entries[entry].resource, sizeof buffer);
    return buffer;
}

const struct reap__wait_entry *reap__accessed_uninitialised(const struct reap__accessed *accessed)
{
    for (size_t p = 0; p < accessed->count; p++)
        if (accessed->entries[p].reader != NULL &&
            !reap__coherence_is_written(&buffer_at(accessed, p)->coherence))
            return &accessed->entries[p];
    return NULL;
}

void reap__accessed_note_written(const struct reap__accessed *accessed)
{
    for (size_t p = 0; p < accessed->count; p++)
        if (accessed->entries[p].writes) {
            reap_buffer *buffer = buffer_at(accessed, p);
            reap__coherence_note_written(&buffer->coherence);
            if (buffer->check != NULL)
                reap__access_check_note_written(buffer->check);
        }
}
