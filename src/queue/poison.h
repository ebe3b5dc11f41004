/* SPDX-License-Identifier: Apache-2.0
 *
 * Which failed commands a buffer's contents come from, so that those that use them fail in their
 * turn; and which commands may still fail that have written it, so that those wait for them. Who
 * stands alone in a buffer's line (dependency_graph.h) changes its origins, and all in the line
 * read them. Unified shared memory has none: events alone order its commands.
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

/* What a command that has taken its places uses. */
struct reap__accessed {
    const struct reap__wait_entry *entries; /* each of a buffer or an allocation */
    size_t count;
    size_t reports; /* reap__error_report_count() when it took them */
};

struct reap__poison;

/* Whether any of the buffers has origins; as good as never. What is no buffer has none. */
static inline bool reap__poison_exists(const struct reap__accessed *accessed)
{
    for (size_t p = 0; p < accessed->count; p++) {
        const reap_buffer *buffer = accessed->entries[p].resource;
        if (buffer->poison != NULL || buffer->has_lost_poison)
            return true;
    }
    return false;
}

/* Gives a failed origin of what a command needs, other than those that the program had been told of
 * before; NULL: there is none. It lives as long as the command is in its places. Waits for commands
 * that may fail; beside other threads, as reap__event_poll_result does. */
const struct reap__poison *reap__poison_settle(const struct reap__accessed *accessed, bool beside);

/* Fails with DEPENDENCY_FAILED: "`what`, since kernel 'a', on which the contents of ...". */
reap_status reap__poison_fail(const char *what, const struct reap__poison *cause);

/* Whether one of the places is a buffer's that the command writes. */
bool reap__poison_concerns(const struct reap__accessed *accessed);

/* The command has completed, and still has its places: what it has overwritten, and what the
 * program has been told of, is forgotten. */
void reap__poison_sweep(const struct reap__accessed *accessed);

/* How a command ended that has failed, or may. */
struct reap__failed_command {
    const char *command;              /* "kernel 'a'" */
    reap_event *event;                /* NULL: it has failed, and there was no memory for one */
    reap_status status;               /* OK: the event will tell */
    const struct reap__poison *cause; /* why it did not run; NULL: for another reason, or it did */
};

/* The same of a command that has failed, or may: notes that in the buffers that it writes. */
void reap__poison_add(const struct reap__accessed *accessed,
                      const struct reap__failed_command *outcome);

/* Forgets all, with the buffer's line alone. */
void reap__poison_clear(reap_buffer *buffer);

#endif
