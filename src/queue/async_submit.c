/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands of asynchronous queues. A deferred command is one allocation: a copy of the command, its
 * wait entries, and the events that it waits for. It does not refer to the launch's memory.
 */
#include "src/queue/command.h"

#include "src/core/allocate.h"
#include "src/queue/event.h"
#include "src/queue/executor.h"
#include "src/queue/queue.h"

#include <string.h>

struct deferred {
    struct reap__task task;
    struct reap__graph_node order;
    struct reap__submission submission;
    reap_launch_options options;
    void *command;
    reap_event *event;
    struct reap__accessed accessed;
    size_t generation;
    reap_event **wait_for;
};

static struct deferred *of_task(struct reap__task *task)
{
    return (struct deferred *)(void *)((char *)task - offsetof(struct deferred, task));
}

static struct deferred *of_order(struct reap__graph_node *order)
{
    return (struct deferred *)(void *)((char *)order - offsetof(struct deferred, order));
}

static void release_events(const struct deferred *deferred)
{
    for (size_t e = 0; e < deferred->options.wait_for_count; e++)
        reap_event_release(deferred->wait_for[e]);
    reap_event_release(deferred->event);
}

/* The command is dropped before its event completes: once the program has waited for the event,
 * nothing is in use any more, such as a part. The queue's wait may return as soon as the command
 * has left the queue, and the queue be gone. */
static void end(struct deferred *deferred, const struct reap__command_result *result)
{
    reap_queue *const queue = deferred->submission.queue;
    const size_t generation = deferred->generation;
    if (deferred->submission.kind->drop != NULL)
        (deferred->submission.kind->drop)(deferred->command);
    else
        reap__free(deferred->command);
    reap__submission_tell(&deferred->submission, &deferred->accessed, result);
    if (deferred->event != NULL)
        reap__graph_note_submitted(deferred->event);
    reap__graph_leave(&deferred->order);
    release_events(deferred);
    reap__free(deferred);
    reap__queue_leave(queue, generation);
}

static void run(struct reap__task *task)
{
    struct deferred *deferred = of_task(task);
    const struct reap__submission *submission = &deferred->submission;
    struct reap__command_result result = {.event = deferred->event};
    struct reap__execution execution = {.event = deferred->event};
    bool dependency_failed = false;
    if (deferred->options.wait_for_count > 0)
        result.status = reap__submission_settle(submission, false, &dependency_failed);
    if (result.status == REAP_OK && !dependency_failed)
        result.cause = reap__submission_settle_buffers(submission, &deferred->accessed, true);
    if (dependency_failed || result.cause != NULL)
        result.status = REAP_ERROR_DEPENDENCY_FAILED;
    if (result.status == REAP_OK)
        result.status = reap__submission_check_buffers(submission, &deferred->accessed);
    if (result.status == REAP_OK) {
        reap__submission_begin(submission, &execution); /* no asynchronous queue is on a stream */
        result.status = submission->kind->run_kept(deferred->command, &execution);
        reap__submission_end(submission, &execution);
        reap__accessed_note_written(&deferred->accessed);
    }
    end(deferred, &result);
}

static void begin(struct reap__graph_node *order)
{
    reap__executor_submit(REAP__COMMAND_THREADS, &of_order(order)->task);
}

/* One for each resource, and on an in-order queue one for the queue. */
static void add_entries(struct deferred *deferred, const struct reap__submission *submission)
{
    struct reap__graph_node *order = &deferred->order;
    const size_t accesses = submission->accesses->count;
    if (accesses > 0)
        memcpy(order->entries, submission->accesses->list, accesses * sizeof *order->entries);
    order->entry_count = accesses;
    deferred->accessed =
        (struct reap__accessed){order->entries, accesses, reap__error_report_count()};
    if (!submission->queue->options.out_of_order)
        order->entries[order->entry_count++] =
            (struct reap__wait_entry){.resource = submission->queue, .writes = true};
}

static void add_events(struct deferred *deferred, const struct reap__submission *submission,
                       reap_event *event)
{
    struct reap__graph_node *order = &deferred->order;
    const reap_launch_options *options = submission->options;
    for (size_t e = 0; e < options->wait_for_count; e++) {
        deferred->wait_for[e] = options->wait_for[e];
        reap__event_retain(options->wait_for[e]);
        order->waiters[e] = (struct reap__event_waiter){.event = options->wait_for[e]};
    }
    order->waiter_count = options->wait_for_count;
    deferred->options.wait_for = deferred->wait_for;
    deferred->options.wait_for_count = options->wait_for_count;
    if (event != NULL) {
        atomic_store_explicit(&event->is_queued, true, memory_order_relaxed);
        reap__event_retain(event);
    }
    deferred->event = event;
}

static struct deferred *make(const struct reap__submission *submission)
{
    const size_t events = submission->options->wait_for_count;
    size_t bytes = 0, entries, waiters, wait_for;
    if (!reap__add_bytes(&bytes, 1, sizeof(struct deferred)))
        return NULL;
    entries = bytes;
    if (!reap__add_bytes(&bytes, submission->accesses->count + 1, sizeof(struct reap__wait_entry)))
        return NULL;
    waiters = bytes;
    if (!reap__add_bytes(&bytes, events, sizeof(struct reap__event_waiter)))
        return NULL;
    wait_for = bytes;
    if (!reap__add_bytes(&bytes, events, sizeof(reap_event *)))
        return NULL;
    unsigned char *memory = reap__allocate(bytes);
    if (memory == NULL)
        return NULL;
    struct deferred *made = (struct deferred *)(void *)memory;
    memset(made, 0, sizeof *made);
    made->order.entries = (struct reap__wait_entry *)(void *)(memory + entries);
    made->order.waiters = (struct reap__event_waiter *)(void *)(memory + waiters);
    made->wait_for = (reap_event **)(void *)(memory + wait_for);
    return made;
}

reap_status reap__submit_async(const struct reap__submission *submission, reap_event *event)
{
    REAP_TRY(reap__submission_check(submission));
    struct deferred *deferred = make(submission);
    void *command = deferred != NULL ? submission->kind->keep(submission->command) : NULL;
    if (command == NULL) {
        reap__free(deferred);
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a command");
    }
    deferred->task.run = run;
    deferred->submission = *submission;
    deferred->submission.options = &deferred->options;
    deferred->submission.accesses = NULL;
    deferred->submission.command = NULL;
    deferred->command = command;
    deferred->order.begin = begin;
    add_entries(deferred, submission);
    add_events(deferred, submission, event);
    deferred->generation = reap__queue_enter(submission->queue);
    reap__graph_join(&deferred->order);
    reap__executor_run_stranded_commands();
    return REAP_OK;
}
