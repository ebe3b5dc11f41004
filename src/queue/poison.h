/* SPDX-License-Identifier: Apache-2.0
 *
 * A buffer's poison: the commands that its contents depend on and that have failed, so commands
 * that read it fail too; or that may still fail, so commands that read it wait for them. A command
 * that is alone at the head of the buffer's wait list (dependency_graph.h) may change the poison;
 * all commands at its head read it. Unified shared memory has no poison: only events order its
 * commands.
 */
#ifndef REAP_QUEUE_POISON_H
#define REAP_QUEUE_POISON_H

#include "src/memory/registry.h"
#include "src/queue/dependency_graph.h"
#include "src/queue/event.h"

#include <reap/buffer.h>
#include <reap/event.h>
#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Which contents of a buffer a command needs, in ascending order: none, since it overwrites or only
 * moves them; the reduction variables in it, which commands that fail leave unchanged; all. */
enum reap__need { REAP__NEEDS_NOTHING, REAP__NEEDS_VARIABLES, REAP__NEEDS_CONTENTS };

/* The resources of a command that has entered their wait lists. */
struct reap__accessed {
    const struct reap__wait_entry *entries; /* each of a buffer or an allocation */
    size_t count;
    size_t reports; /* reap__error_report_count() when it entered them */
};

struct reap__poison;

/* Whether any of the buffers has poison, which is rare. Other resources have none. */
static inline bool reap__poison_exists(const struct reap__accessed *accessed)
{
    for (size_t p = 0; p < accessed->count; p++) {
        const reap_buffer *buffer = accessed->entries[p].resource;
        if (buffer->poison != NULL || buffer->lost_poison.exists)
            return true;
    }
    return false;
}

/* Returns a failed command that the contents which the command needs depend on, except those whose
 * errors the program had received before. NULL: none has failed. The result is valid until the
 * command leaves its wait lists. Blocks until commands that may fail have ended; if `beside`, as
 * reap__event_poll_result does. */
const struct reap__poison *reap__poison_settle(const struct reap__accessed *accessed, bool beside);

/* Fails with REAP_ERROR_DEPENDENCY_FAILED: "`what`, since kernel 'a', on which the contents of
 * ...". */
reap_status reap__poison_fail(const char *what, const struct reap__poison *cause);

/* Whether the command writes one of the buffers. */
bool reap__poison_concerns(const struct reap__accessed *accessed);

/* For a command that has completed and is still in its wait lists: drops the poison of buffers
 * that it has overwritten, and poison whose error the program has received. */
void reap__poison_sweep(const struct reap__accessed *accessed);

/* The result of a command that has failed or may fail. */
struct reap__failed_command {
    const char *command;              /* "kernel 'a'" */
    reap_event *event;                /* NULL: it has failed, and no event could be allocated */
    reap_status status;               /* REAP_OK: not known yet; the event will have it */
    struct reap__error_notice notice; /* of the failure, if it has failed */
    const struct reap__poison *cause; /* poison for which it did not run; NULL: another reason */
};

/* Adds a command that has failed or may fail to the poison of the buffers that it writes. */
void reap__poison_add(const struct reap__accessed *accessed,
                      const struct reap__failed_command *outcome);

/* Drops all poison. The caller is alone at the head of the buffer's wait list. */
void reap__poison_clear(reap_buffer *buffer);

#endif
