/* SPDX-License-Identifier: Apache-2.0
 *
 * A command's order: first the queue's, then the events', then that of the memory it uses. Errors
 * from before it has started are the call's own; later ones are asynchronous and belong to the
 * event and the queue.
 */
#include "src/queue/command.h"

#include "src/core/backend.h"
#include "src/memory/access_check.h"
#include "src/memory/usm.h"
#include "src/port/compiler.h"
#include "src/queue/event.h"
#include "src/queue/queue.h"

#include <stdio.h>

/* "kernel 'x'" or "reap_copy", for messages. */
struct name {
    char text[256];
};

static struct name name_of(const struct reap__submission *submission)
{
    struct name name;
    if (submission->kernel != NULL)
        snprintf(name.text, sizeof name.text, "kernel '%s'", submission->kernel);
    else
        snprintf(name.text, sizeof name.text, "%s", submission->call);
    return name;
}

/* What precedes the name of an option in messages. */
static const char *where(const struct reap__submission *submission)
{
    return submission->kernel != NULL ? ".launch." : "options->";
}

reap_status reap__submission_check(const struct reap__submission *submission)
{
    const reap_launch_options *options = submission->options;
    if (options->wait_for_count > 0 && options->wait_for == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: %swait_for is NULL",
                          name_of(submission).text, where(submission));
    for (size_t i = 0; i < options->wait_for_count; i++)
        if (options->wait_for[i] == NULL)
            return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: %swait_for[%zu] is NULL",
                              name_of(submission).text, where(submission), i);
    return REAP_OK;
}

static reap_status settle(const struct reap__submission *submission, reap_event *event,
                          bool is_call, bool *failed)
{
    const bool is_elsewhere = event->device != submission->queue->device;
    const reap_status status = is_call ? reap__event_wait_result(event, is_elsewhere)
                                       : reap__event_poll_result(event, is_elsewhere);
    if (status == REAP_OK)
        return is_call && is_elsewhere ? reap__usm_migrate_to_host(event->device) : REAP_OK;
    char cause[REAP__MESSAGE_BYTES];
    snprintf(cause, sizeof cause, "%s", reap_last_error());
    reap__fail(REAP_ERROR_DEPENDENCY_FAILED,
               "%s did not run, since a command that it waits for failed: %.900s",
               name_of(submission).text, cause);
    *failed = true;
    return REAP_OK;
}

/* A device orders its commands itself, so commands that this one waits for need not have ended,
 * except those that may fail. The first failure is reported. */
reap_status reap__submission_settle(const struct reap__submission *submission, bool is_call,
                                    bool *failed)
{
    const reap_launch_options *options = submission->options;
    *failed = false;
    for (size_t i = 0; i < options->wait_for_count && !*failed; i++)
        REAP_TRY(settle(submission, options->wait_for[i], is_call, failed));
    return REAP_OK;
}

reap_status reap__submission_begin(const struct reap__submission *submission,
                                   struct reap__execution *execution)
{
    const reap_queue *queue = submission->queue;
    if (!queue->options.out_of_order)
        execution->timeline = queue->timeline;
    for (size_t i = 0; i < submission->options->wait_for_count; i++)
        if (submission->options->wait_for[i]->device == queue->device)
            reap__timeline_join(&execution->timeline, &submission->options->wait_for[i]->timeline);
    if (queue->is_native)
        REAP_TRY(queue->device->functions->native->begin(queue->device, queue->native, execution));
    if (execution->event == NULL)
        return REAP_OK;
    reap__event_start(execution->event);
    execution->begins = execution->event->begin != NULL ? execution->event : NULL;
    return REAP_OK;
}

reap_status reap__submission_end(const struct reap__submission *submission,
                                 const struct reap__execution *execution)
{
    reap_queue *queue = submission->queue;
    if (!queue->options.out_of_order)
        queue->timeline = execution->timeline;
    if (execution->event != NULL)
        execution->event->timeline = execution->timeline;
    return queue->is_native
               ? queue->device->functions->native->end(queue->device, queue->native, execution)
               : REAP_OK;
}

const struct reap__poison *
reap__submission_settle_buffers(const struct reap__submission *submission,
                                const struct reap__accessed *accessed, bool beside)
{
    char what[sizeof(struct name) + 16];
    const struct reap__poison *cause = reap__poison_settle(accessed, beside);
    if (cause == NULL)
        return NULL;
    snprintf(what, sizeof what, "%s did not run", name_of(submission).text);
    reap__poison_fail(what, cause);
    return cause;
}

/* An event for a failure that only buffers need; NULL: out of memory. Keeps this thread's message.
 */
static reap_event *make_inner_event(const reap_queue *queue)
{
    char line[REAP__MESSAGE_BYTES];
    reap_event *event = NULL;
    snprintf(line, sizeof line, "%s", reap_last_error());
    if (reap__event_create(queue->device, false, &event) != REAP_OK)
        reap__fail(REAP_OK, "%s", line);
    return event;
}

static void note_in_buffers(const struct reap__submission *submission,
                            const struct reap__accessed *accessed,
                            const struct reap__failed_command *failed)
{
    const struct name name = name_of(submission);
    struct reap__failed_command named = *failed;
    named.command = name.text;
    reap__poison_add(accessed, &named);
}

void reap__submission_tell(const struct reap__submission *submission,
                           const struct reap__accessed *accessed,
                           const struct reap__command_result *result)
{
    const bool failed = result->status != REAP_OK;
    struct reap__failed_command outcome = {
        .event = result->event, .status = result->status, .cause = result->cause};
    if (failed && outcome.event == NULL && reap__poison_concerns(accessed))
        outcome.event = make_inner_event(submission->queue);
    reap_event *const event = outcome.event;
    if (failed)
        outcome.notice = reap__queue_note(submission->queue, result->status, event);
    if (event != NULL && !event->is_adopted)
        reap__event_complete(event, result->status);
    if (failed || (event != NULL && event->is_adopted && event->may_fail))
        note_in_buffers(submission, accessed, &outcome);
    else
        reap__poison_sweep(accessed);
    if (result->event == NULL)
        reap_event_release(event);
}

static inline reap_status start(const struct reap__submission *submission,
                                struct reap__execution *execution)
{
    const bool is_noted = submission->queue->has_timelines || execution->event != NULL;
    if (is_noted)
        REAP_TRY(reap__submission_begin(submission, execution));
    REAP_TRY(submission->kind->run(submission->command, execution));
    return is_noted ? reap__submission_end(submission, execution) : REAP_OK;
}

/* REAP_CHECK=1: whether the program has used the buffers outside of accesses. */
REAP__APART static reap_status check_accesses(const struct reap__submission *submission,
                                              const struct reap__accessed *accessed)
{
    const struct name name = name_of(submission);
    for (size_t p = 0; p < accessed->count; p++) {
        const reap_buffer *buffer = accessed->entries[p].resource;
        if (buffer->check != NULL)
            REAP_TRY(
                reap__access_check_verify(buffer->check, name.text, accessed->entries[p].writes));
    }
    return REAP_OK;
}

reap_status reap__submission_check_buffers(const struct reap__submission *submission,
                                           const struct reap__accessed *accessed)
{
    const struct reap__wait_entry *unwritten = reap__accessed_uninitialised(accessed);
    if (unwritten == NULL)
        return submission->queue->is_checked ? check_accesses(submission, accessed) : REAP_OK;
    const reap_buffer *buffer = unwritten->resource;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "%s: argument '%s' reads the buffer of %zu bytes at %p, to which nothing "
                      "has been written: write to it by a command, or between "
                      "reap_host_access_begin with REAP_WRITE and reap_host_access_end",
                      name_of(submission).text, unwritten->reader, buffer->coherence.bytes,
                      (const void *)buffer->extent.begin);
}

static reap_status start_in_place(const struct reap__submission *submission,
                                  struct reap__execution *execution,
                                  const struct reap__accessed *accessed)
{
    REAP_TRY(reap__submission_check_buffers(submission, accessed));
    const reap_status status = start(submission, execution);
    if (status == REAP_OK || execution->started)
        reap__accessed_note_written(accessed);
    return status;
}

/* The status that the call returns for a command that has run: if the program has asked for an
 * event, the event has the command's error. */
static inline reap_status returned(const struct reap__submission *submission,
                                   const struct reap__execution *execution, reap_status status)
{
    return execution->started && submission->options->event != NULL ? REAP_OK : status;
}

/* A command that uses buffers or allocations, or that cannot run. */
REAP__APART static reap_status run_in_place(const struct reap__submission *submission,
                                            reap_event *event, bool dependency_failed)
{
    const struct reap__accessed accessed = reap__access_set_view(submission->accesses);
    struct reap__command_result result = {.event = event};
    struct reap__execution execution = {.event = event};
    reap__access_set_acquire(submission->accesses);
    const bool is_poisoned = reap__poison_exists(&accessed);
    if (!dependency_failed && is_poisoned)
        result.cause = reap__submission_settle_buffers(submission, &accessed, false);
    if (dependency_failed || result.cause != NULL) {
        result.status = REAP_ERROR_DEPENDENCY_FAILED;
        execution.started = true;
    } else {
        result.status = start_in_place(submission, &execution, &accessed);
    }
    if (result.status == REAP_OK ? event != NULL || is_poisoned : execution.started)
        reap__submission_tell(submission, &accessed, &result);
    reap__access_set_release(submission->accesses);
    return returned(submission, &execution, result.status);
}

static inline reap_status run_freely(const struct reap__submission *submission, reap_event *event)
{
    struct reap__execution execution = {.event = event};
    const reap_status status = start(submission, &execution);
    if (status != REAP_OK && !execution.started)
        return status;
    if (status != REAP_OK)
        reap__queue_note(submission->queue, status, event);
    if (event != NULL && !event->is_adopted)
        reap__event_complete(event, status);
    return returned(submission, &execution, status);
}

REAP__APART static reap_status wait_for_events(const struct reap__submission *submission,
                                               bool *failed)
{
    REAP_TRY(reap__submission_check(submission));
    return reap__submission_settle(submission, true, failed);
}

/* On the calling thread. */
static inline reap_status run(const struct reap__submission *submission, reap_event *event)
{
    bool dependency_failed = false;
    if (submission->options->wait_for_count > 0)
        REAP_TRY(wait_for_events(submission, &dependency_failed));
    const size_t generation = reap__queue_enter(submission->queue);
    const reap_status status = submission->accesses->count > 0 || dependency_failed
                                   ? run_in_place(submission, event, dependency_failed)
                                   : run_freely(submission, event);
    reap__queue_leave(submission->queue, generation);
    return status;
}

/* Whether buffers that it writes need its event, as poison, though the program does not. */
static bool needs_inner_event(const struct reap__submission *submission)
{
    const struct reap__accessed accessed = {submission->accesses->list, submission->accesses->count,
                                            0};
    return submission->may_fail_later && reap__poison_concerns(&accessed);
}

REAP__APART static reap_status submit_with_event(const struct reap__submission *submission)
{
    reap_event *event = NULL;
    const bool is_asked_for = submission->options->event != NULL;
    if (is_asked_for || needs_inner_event(submission)) {
        const bool is_timed = is_asked_for && submission->queue->options.profiling;
        REAP_TRY(reap__event_create(submission->queue->device, is_timed, &event));
        event->is_inner = !is_asked_for;
    }
    const reap_status status = submission->queue->options.asynchronous
                                   ? reap__submit_async(submission, event)
                                   : run(submission, event);
    if (status == REAP_OK && is_asked_for)
        *submission->options->event = event;
    else if (event != NULL)
        reap_event_release(event);
    return status;
}

/* REAP_CHECK=1: whether accesses of the program to its buffers have ended. */
REAP__APART static reap_status check_accesses_ended(const struct reap__submission *submission)
{
    const struct name name = name_of(submission);
    for (size_t p = 0; p < submission->accesses->count; p++) {
        const reap_buffer *buffer = submission->accesses->list[p].resource;
        if (buffer->check != NULL)
            REAP_TRY(reap__access_check_ended(buffer->check, name.text));
    }
    return REAP_OK;
}

reap_status reap__submit(const struct reap__submission *submission)
{
    if (submission->queue->is_checked)
        REAP_TRY(check_accesses_ended(submission));
    if (submission->options->event != NULL || submission->queue->options.asynchronous ||
        submission->may_fail_later)
        return submit_with_event(submission);
    return run(submission, NULL);
}
