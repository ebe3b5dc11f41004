/* SPDX-License-Identifier: Apache-2.0
 *
 * Which failed commands a buffer's contents depend on (its origins), so that commands that read it
 * fail too; and which commands that have written it may still fail, so that readers wait for them.
 * A command that is alone at the head of a buffer's wait list (dependency_graph.h) may change its
 * origins; all commands at its head read them. Unified shared memory has no origins: only events
 * order its commands.
 */
#ifndef REAP_QUEUE_POISON_H
#define REAP_QUEUE_POISON_H

#include "src/memory/registry.h"
#include "src/queue/dependency_graph.h"

#include <reap/buffer.h>
#include <reap/event.h>
#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

/* What a command needs of the contents of a buffer that it uses, the least first: nothing, since it
 * overwrites all or only moves them; the reduction variables there, which commands that fail leave
 * as they were; all. */
enum reap__need { REAP__NEEDS_NOTHING, REAP__NEEDS_VARIABLES, REAP__NEEDS_CONTENTS };

/* The resources of a command that has entered their wait lists. */
struct reap__accessed {
    const struct reap__wait_entry *entries; /* each of a buffer or an allocation */
    size_t count;
    size_t reports; /* reap__error_report_count() when it entered them */
};

struct reap__poison;

/* Whether any of the buffers has origins, which is rare. Other resources have none. */
static inline bool reap__poison_exists(const struct reap__accessed *accessed)
{
    for (size_t p = 0; p < accessed->count; p++) {
        const reap_buffer *buffer = accessed->entries[p].resource;
        if (buffer->poison != NULL || buffer->has_lost_poison)
            return true;
    }
    return false;
}

/* Returns a failed origin of what a command needs, except those whose errors the program had
 * received before; NULL: there is none. It lives until the command leaves its wait lists. Waits for
 * commands that may fail; if `beside`, as reap__event_poll_result does. */
const struct reap__poison *reap__poison_settle(const struct reap__accessed *accessed, bool beside);

/* Fails with REAP_ERROR_DEPENDENCY_FAILED: "`what`, since kernel 'a', on which the contents of
 * ...". */
reap_status reap__poison_fail(const char *what, const struct reap__poison *cause);

/* Whether the command writes one of the buffers. */
bool reap__poison_concerns(const struct reap__accessed *accessed);

/* For a command that has completed and is still in its wait lists: drops the origins of buffers
 * that it has overwritten, and those whose errors the program has received. */
void reap__poison_sweep(const struct reap__accessed *accessed);

/* How a command ended that has failed, or may. */
struct reap__failed_command {
    const char *command;              /* "kernel 'a'" */
    reap_event *event;                /* NULL: it has failed, and there was no memory for one */
    reap_status status;               /* OK: the event has it later */
    const struct reap__poison *cause; /* why it did not run; NULL: for another reason, or it did */
};

/* Adds a command that has failed, or may, to the origins of the buffers that it writes. */
void reap__poison_add(const struct reap__accessed *accessed,
                      const struct reap__failed_command *outcome);

/* Drops all origins. The caller is alone at the head of the buffer's wait list. */
void reap__poison_clear(reap_buffer *buffer);

#endif
