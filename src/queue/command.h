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

/* The functions of a kind of command: launches (core/launch.c), copies (memory/transfer.c). */
struct reap__submission_kind {
    /* Runs the command; the queue's order and its wait lists allow that. May retain the event. The
     * call returns an error from before execution->started; a later one is asynchronous. */
    reap_status (*run)(void *command, struct reap__execution *execution);

    /* For an asynchronous queue. `keep` copies the command, and all of the program's data that it
     * uses on the host, into one allocation of reap__allocate; NULL: out of memory. `run_kept` runs
     * the copy. */
    void *(*keep)(const void *command);
    reap_status (*run_kept)(void *command, struct reap__execution *execution);

    /* Frees the copy, whether it has run or not, before the event completes. NULL: reap__free
     * does. */
    void (*drop)(void *command);
};

struct reap__submission {
    reap_queue *queue;
    const reap_launch_options *options;
    const char *kernel; /* the kernel's name, of a launch; else NULL */
    const char *call;   /* the public function, "reap_copy", of another command */
    struct reap__access_set *accesses;
    bool may_fail_later; /* on a device, after the call has returned */
    const struct reap__submission_kind *kind;
    void *command;
};

/* Runs the command after the events that it waits for and after earlier commands that use the same
 * memory. Sets the options' event, if they have one. Blocks as reap_launch does. Fails with
 * REAP_ERROR_INVALID_ARGUMENT, REAP_ERROR_OUT_OF_MEMORY, REAP_ERROR_DEPENDENCY_FAILED, or as `run`
 * does. */
reap_status reap__submit(const struct reap__submission *submission);

/* Asynchronous queues (async_submit.c): adds the command to the dependency graph, and returns. One
 * of the library's threads runs it once its dependencies are met. The command retains the event
 * (NULL: no event) as long as it needs it. Fails with REAP_ERROR_OUT_OF_MEMORY, and with
 * REAP_ERROR_INVALID_ARGUMENT if an event that it is to wait for is NULL. */
reap_status reap__submit_async(const struct reap__submission *submission, reap_event *event);

/* Fails with REAP_ERROR_INVALID_ARGUMENT if an event that the command waits for is NULL. */
reap_status reap__submission_check(const struct reap__submission *submission);

/* Waits for these events: until they have been run, and until the end only if they may fail or are
 * of another device. If one has failed, sets *failed and this thread's message. `is_call`: the
 * calling thread runs the command itself, so shared memory is copied back from other devices; an
 * asynchronous command copies back what it uses when it runs. */
reap_status reap__submission_settle(const struct reap__submission *submission, bool is_call,
                                    bool *failed);

/* `begin` orders the command on its device after the events' commands, on an in-order queue after
 * the queue's commands, and after the work in the program's stream if the queue uses one. `end` is
 * called when the command has been run. Both are called between reap__queue_enter and
 * reap__queue_leave, or while the command is in the queue's wait list, and fail as the device. */
reap_status reap__submission_begin(const struct reap__submission *submission,
                                   struct reap__execution *execution);
reap_status reap__submission_end(const struct reap__submission *submission,
                                 const struct reap__execution *execution);

/* For a command in its wait lists: as reap__poison_settle; sets this thread's message if a command
 * has failed. */
const struct reap__poison *
reap__submission_settle_buffers(const struct reap__submission *submission,
                                const struct reap__accessed *accessed, bool beside);

/* For a command in its wait lists: fails with REAP_ERROR_INVALID_ARGUMENT if nothing has been
 * written to a buffer that it reads. */
reap_status reap__submission_check_buffers(const struct reap__submission *submission,
                                           const struct reap__accessed *accessed);

/* The result of a command. */
struct reap__command_result {
    reap_event *event; /* NULL: no event */
    reap_status status;
    const struct reap__poison *cause; /* poison for which it did not run; else NULL */
};

/* Before the command leaves its wait lists: reports the result to its queue, its event and its
 * buffers. */
void reap__submission_tell(const struct reap__submission *submission,
                           const struct reap__accessed *accessed,
                           const struct reap__command_result *result);

#endif
