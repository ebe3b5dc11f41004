/* SPDX-License-Identifier: Apache-2.0
 *
 * A callback is a task that follows the event's command, and waits for its end.
 */
#include "src/core/allocate.h"
#include "src/queue/dependency_graph.h"
#include "src/queue/event.h"
#include "src/queue/executor.h"

#include <stdio.h>
#include <string.h>

struct call {
    struct reap__task task;
    struct reap__graph_node order;
    struct reap__event_waiter waiter;
    reap_event_callback *callback;
    void *context;
};

static void run(struct reap__task *task)
{
    struct call *call = (struct call *)(void *)((char *)task - offsetof(struct call, task));
    char line[REAP__MESSAGE_BYTES];
    const reap_status status = reap__event_poll_result(call->waiter.event, true);
    snprintf(line, sizeof line, "%s", status == REAP_OK ? "" : reap_last_error());
    call->callback(call->context, status, line);
    reap_event_release(call->waiter.event);
    reap__free(call);
}

static void begin(struct reap__graph_node *order)
{
    reap__executor_submit(
        REAP__CALLBACK_THREADS,
        &((struct call *)(void *)((char *)order - offsetof(struct call, order)))->task);
}

reap_status reap_event_set_callback(reap_event *event, reap_event_callback *callback, void *context)
{
    if (event == NULL || callback == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_event_set_callback: the %s is NULL",
                          event == NULL ? "event" : "callback");
    bool is_complete;
    REAP_TRY(reap_event_query(event, &is_complete));
    if (!reap__executor_is_available(REAP__CALLBACK_THREADS))
        return reap__fail(REAP_ERROR_DEVICE_FAILED,
                          "reap_event_set_callback: there can be no thread to make the call");
    struct call *call = reap__allocate(sizeof *call);
    if (call == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a callback");
    memset(call, 0, sizeof *call);
    call->task.run = run;
    call->order.begin = begin;
    call->order.waiters = &call->waiter;
    call->order.waiter_count = 1;
    call->waiter.event = event;
    call->callback = callback;
    call->context = context;
    reap__event_retain(event);
    reap__graph_join(&call->order);
    return REAP_OK;
}
