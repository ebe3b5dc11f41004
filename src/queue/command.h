/* SPDX-License-Identifier: Apache-2.0
 *
 * What launches and copies have in common: their place in the order of commands, their event, and
 * who hears of their failure.
 */
#ifndef REAP_QUEUE_COMMAND_H
#define REAP_QUEUE_COMMAND_H

#include "src/queue/access_set.h"
#include "src/queue/timeline.h"

#include <reap/launch.h>
#include <reap/queue.h>
#include <reap/status.h>
#include <stdbool.h>

/* What a kind of command does. */
struct reap__submission_kind {
    /* Runs the command, in the queue's order, which may keep its event. A failure before it has
     * started is the call's own. */
    reap_status (*run)(void *command, struct reap__execution *execution);

    /* For an asynchronous queue: copies the command, with all that the program may change once the
     * call has returned, into one piece of reap__allocate; NULL: no memory. And runs the copy. */
    void *(*keep)(const void *command);
    reap_status (*run_kept)(void *command, struct reap__execution *execution);
};

struct reap__submission {
    reap_queue *queue;
    const reap_launch_options *options;
    const char *kernel; /* its name; NULL: it is a call's command */
    const char *call;   /* "reap_copy" */
    struct reap__access_set *accesses;
    bool may_fail_later; /* by what it finds, on a device, when the call has returned */
    const struct reap__submission_kind *kind;
    void *command;
};

/* Runs it after the events it waits for, and after those that use the same memory; hands out its
 * event. Fails with INVALID_ARGUMENT or OUT_OF_MEMORY, or as `run` does. */
reap_status reap__submit(const struct reap__submission *submission);

/* Whether the events that it waits for are events. Fails with INVALID_ARGUMENT. */
reap_status reap__submission_check(const struct reap__submission *submission);

/* Waits for them, as far as it must; where one has failed, the call's line says so, and *failed.
 * For a call, which has taken no place in the order, shared memory comes home from other devices; a
 * command that has does not wait for that, and what it uses comes home when it runs. */
reap_status reap__submission_settle(const struct reap__submission *submission, bool is_call,
                                    bool *failed);

/* What the command comes after on its device: the events' commands, in order the queue's, and what
 * the program's stream has, where the queue is on one; the second: it has been run. Both fail as
 * the device does. Between reap__queue_enter and reap__queue_leave, or with its place in the
 * queue's line. */
reap_status reap__submission_begin(const struct reap__submission *submission,
                                   struct reap__execution *execution);
reap_status reap__submission_end(const struct reap__submission *submission,
                                 const struct reap__execution *execution);

/* When it has taken its places: waits for commands that may fail, on which the contents of its
 * buffers depend. Where one has failed, gives why, and the line says so. */
const struct reap__poison *
reap__submission_settle_buffers(const struct reap__submission *submission,
                                const struct reap__accessed *accessed, bool beside);

/* Whether the buffers that it reads hold anything, when it has taken its places. Fails with
 * INVALID_ARGUMENT. */
reap_status reap__submission_check_buffers(const struct reap__submission *submission,
                                           const struct reap__accessed *accessed);

/* What became of the command. */
struct reap__command_result {
    reap_event *event; /* NULL: nobody has it */
    reap_status status;
    const struct reap__poison *cause; /* of a failed buffer; NULL: there is none */
};

/* Before it gives up its places: tells its queue and its event, and those who use its buffers. */
void reap__submission_tell(const struct reap__submission *submission,
                           const struct reap__accessed *accessed,
                           const struct reap__command_result *result);

#endif
