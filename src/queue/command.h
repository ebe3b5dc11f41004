/* SPDX-License-Identifier: Apache-2.0
 *
 * What launches and copies have in common: their dependencies, their event, and where their errors
 * are reported.
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
    /* Runs the command in the queue's order; may retain its event. If it fails before it has
     * started, the call returns the error. */
    reap_status (*run)(void *command, struct reap__execution *execution);

    /* For an asynchronous queue. Copies the command, with everything that the program may change
     * once the call has returned, into one allocation of reap__allocate; NULL: out of memory. The
     * second runs the copy. */
    void *(*keep)(const void *command);
    reap_status (*run_kept)(void *command, struct reap__execution *execution);

    /* Frees the copy, whether it has run or could not; NULL: by reap__free. */
    void (*drop)(void *command);
};

struct reap__submission {
    reap_queue *queue;
    const reap_launch_options *options;
    const char *kernel; /* its name; NULL: the command of another call */
    const char *call;   /* "reap_copy" */
    struct reap__access_set *accesses;
    bool may_fail_later; /* on a device, after the call has returned */
    const struct reap__submission_kind *kind;
    void *command;
};

/* Runs the command after the events that it waits for and after earlier commands that use the same
 * memory; returns its event in the options' event. Fails with REAP_ERROR_INVALID_ARGUMENT or
 * REAP_ERROR_OUT_OF_MEMORY, or as `run` does. */
reap_status reap__submit(const struct reap__submission *submission);

/* Fails with REAP_ERROR_INVALID_ARGUMENT unless the events that it waits for are events. */
reap_status reap__submission_check(const struct reap__submission *submission);

/* Waits for them as far as necessary. If one has failed, sets *failed and the call's message. For a
 * call that is not in the dependency graph, shared memory is copied back from other devices; a
 * command that is in it does not wait for that, and what it uses is copied back when it runs. */
reap_status reap__submission_settle(const struct reap__submission *submission, bool is_call,
                                    bool *failed);

/* The first orders the command on its device after the events' commands, on an in-order queue after
 * the queue's commands, and after the contents of the program's stream if the queue uses one. The
 * second is called when the command has been run. Both fail as the device does. Between
 * reap__queue_enter and reap__queue_leave, or while the command is in the queue's wait list. */
reap_status reap__submission_begin(const struct reap__submission *submission,
                                   struct reap__execution *execution);
reap_status reap__submission_end(const struct reap__submission *submission,
                                 const struct reap__execution *execution);

/* For a command in its wait lists: waits for commands that may fail and that the contents of its
 * buffers depend on. Returns the cause if one has failed, and sets the message. */
const struct reap__poison *
reap__submission_settle_buffers(const struct reap__submission *submission,
                                const struct reap__accessed *accessed, bool beside);

/* For a command in its wait lists: fails with REAP_ERROR_INVALID_ARGUMENT if nothing has been
 * written to a buffer that it reads. */
reap_status reap__submission_check_buffers(const struct reap__submission *submission,
                                           const struct reap__accessed *accessed);

/* How the command ended. */
struct reap__command_result {
    reap_event *event; /* NULL: there is none */
    reap_status status;
    const struct reap__poison *cause; /* of a failed buffer; NULL: there is none */
};

/* Before it leaves its wait lists: reports the result to its queue, its event and its buffers. */
void reap__submission_tell(const struct reap__submission *submission,
                           const struct reap__accessed *accessed,
                           const struct reap__command_result *result);

#endif
