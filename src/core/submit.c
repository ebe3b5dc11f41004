/* SPDX-License-Identifier: Apache-2.0
 *
 * A command's order: first the queue's, then the events', then that of the memory it uses. Errors
 * from before it has started are the call's own; later ones are asynchronous and belong to the
 * event and the queue.
 */
#include "src/core/submit.h"

#include "src/core/backend.h"
#include "src/core/deferred.h"
#include "src/core/event.h"
#include "src/core/queue.h"
#include "src/core/usm.h"

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

/* The options are. */
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
    const reap_status status = is_call ? reap__event_settle(event, is_elsewhere)
                                       : reap__event_settle_beside(event, is_elsewhere);
    if (status == REAP_OK)
        return is_call && is_elsewhere ? reap__usm_bring_home(event->device) : REAP_OK;
    char cause[REAP__MESSAGE_BYTES];
    snprintf(cause, sizeof cause, "%s", reap_last_error());
    reap__fail(REAP_ERROR_DEPENDENCY_FAILED,
               "%s did not run, since a command that it waits for failed: %.900s",
               name_of(submission).text, cause);
    *failed = true;
    return REAP_OK;
}

/* A device runs its commands in their order: so those that a command waits for need not have ended,
 * but where they may turn out to have failed. The first failure is what is told. */
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
                                   struct reap__turn *turn)
{
    const reap_queue *queue = submission->queue;
    if (!queue->options.out_of_order)
        turn->point = queue->point;
    for (size_t i = 0; i < submission->options->wait_for_count; i++)
        if (submission->options->wait_for[i]->device == queue->device)
            reap__point_join(&turn->point, &submission->options->wait_for[i]->point);
    if (queue->is_native)
        REAP_TRY(queue->device->backend->native->begin(queue->device, queue->native, turn));
    if (turn->event != NULL)
        reap__event_start(turn->event);
    return REAP_OK;
}

reap_status reap__submission_end(const struct reap__submission *submission,
                                 const struct reap__turn *turn)
{
    reap_queue *queue = submission->queue;
    if (!queue->options.out_of_order)
        queue->point = turn->point;
    if (turn->event != NULL)
        turn->event->point = turn->point;
    return queue->is_native
               ? queue->device->backend->native->end(queue->device, queue->native, turn)
               : REAP_OK;
}

static reap_status run(const struct reap__submission *submission, struct reap__turn *turn)
{
    bool dependency_failed = false;
    if (submission->options->wait_for_count > 0) {
        REAP_TRY(reap__submission_check(submission));
        REAP_TRY(reap__submission_settle(submission, true, &dependency_failed));
    }
    if (dependency_failed) {
        turn->started = true;
        return REAP_ERROR_DEPENDENCY_FAILED;
    }
    const size_t generation = reap__queue_enter(submission->queue);
    if (submission->uses->count > 0)
        reap__uses_begin(submission->uses);
    reap_status status = reap__submission_begin(submission, turn);
    if (status == REAP_OK)
        status = submission->run(submission->command, turn);
    if (status == REAP_OK)
        status = reap__submission_end(submission, turn);
    if (submission->uses->count > 0)
        reap__uses_end(submission->uses);
    reap__queue_leave(submission->queue, generation);
    return status;
}

static reap_status submit_later(const struct reap__submission *submission, reap_event *event)
{
    const reap_status status = reap__defer(submission, event);
    if (status != REAP_OK)
        reap_event_release(event);
    else if (event != NULL)
        *submission->options->event = event;
    return status;
}

reap_status reap__submit(const struct reap__submission *submission)
{
    reap_event *event = NULL;
    if (submission->options->event != NULL)
        REAP_TRY(reap__event_create(submission->queue->device, submission->queue->options.profiling,
                                    &event));
    if (submission->queue->options.asynchronous)
        return submit_later(submission, event);
    struct reap__turn turn = {.event = event};
    const reap_status status = run(submission, &turn);
    if (status != REAP_OK && !turn.started) {
        reap_event_release(event);
        return status;
    }
    if (status != REAP_OK)
        reap__queue_note(submission->queue, status);
    if (event != NULL && !event->is_kept)
        reap__event_complete(event, status);
    if (event != NULL)
        *submission->options->event = event;
    return REAP_OK;
}
