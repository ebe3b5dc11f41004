/* SPDX-License-Identifier: Apache-2.0
 *
 * Events. A command's event is completed in command.c, unless a device still runs the command: then
 * when a thread waits for the event or queries it.
 */
#include "src/queue/event.h"

#include "src/core/allocate.h"
#include "src/core/backend.h"
#include "src/core/fork.h"
#include "src/memory/usm.h"
#include "src/port/cpu.h"
#include "src/port/sanitizer.h"
#include "src/queue/dependency_graph.h"
#include "src/queue/executor.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LEAST_PAUSE = 20000, MOST_PAUSE = 1000000 }; /* nanoseconds */

reap_status reap__event_create(const reap_device *device, bool is_timed, reap_event **event)
{
    reap_event *made = reap__allocate(sizeof *made);
    if (made == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for an event");
    made->device = device;
    made->process = reap__fork_generation();
    made->is_adopted = made->may_fail = made->is_inner = false;
    made->is_timed = is_timed;
    made->begin = NULL;
    made->begins_elsewhere = false;
    made->timeline = (struct reap__timeline_value){{0}};
    made->times = (reap_event_times){.submitted = is_timed ? reap__now() : 0};
    atomic_init(&made->references, 1);
    atomic_init(&made->is_queued, false);
    atomic_init(&made->has_ended, false);
    made->waiters = NULL;
    made->status = REAP_OK;
    made->notice = (struct reap__error_notice){NULL, 0};
    made->message = NULL;
    *event = made;
    return REAP_OK;
}

void reap__event_adopt(reap_event *event, bool may_fail)
{
    if (event == NULL)
        return;
    event->is_adopted = true;
    event->may_fail = may_fail;
    reap__event_retain(event);
}

void reap__event_retain(reap_event *event)
{
    atomic_fetch_add_explicit(&event->references, 1, memory_order_relaxed);
}

void reap__event_start(reap_event *event)
{
    const struct reap__device_functions *functions = event->device->functions;
    if (!event->is_timed)
        return;
    event->times.started = reap__now();
    if (functions->measure != NULL)
        functions->measure(event->device, event);
}

/* A command that has not begun has ended when it would have begun. */
static void end_times(reap_event *event)
{
    if (event->times.ended == 0)
        event->times.ended = reap__now();
    if (event->times.started == 0)
        event->times.started = event->times.ended;
}

/* The message is an allocation of its own: few events have one, and the C library's lists have free
 * memory of an event's size. */
static void keep_message(reap_event *event)
{
    const size_t bytes = strlen(reap_last_error()) + 1;
    event->message = reap__allocate(bytes);
    if (event->message != NULL)
        memcpy(event->message, reap_last_error(), bytes);
}

const char *reap__event_message(const reap_event *event)
{
    return event->message != NULL ? event->message : "no memory for the message of an error";
}

void reap__event_complete(reap_event *event, reap_status status)
{
    if (event->is_timed)
        end_times(event);
    event->status = status;
    if (status != REAP_OK)
        keep_message(event);
    reap__tsan_note_release(&event->has_ended);
    atomic_store_explicit(&event->has_ended, true, memory_order_release);
}

static reap_status fail_in_child(const reap_event *event)
{
    return reap__fail(REAP_ERROR_DEVICE_FAILED,
                      "an event of device '%s' was made before the fork, and a forked child "
                      "cannot wait for it",
                      event->device->info.name);
}

/* The backend completes it, once it has ended. */
static void reach(reap_event *event, bool waits)
{
    const struct reap__device_functions *functions = event->device->functions;
    if (functions->reach != NULL)
        functions->reach(event->device, event, waits);
    else if (waits)
        functions->wait(event->device);
}

/* Its command has been run. */
static reap_status finish(reap_event *event, void (*wait)(reap_event *event))
{
    if (!reap__event_has_ended(event))
        wait(event);
    if (!reap__event_has_ended(event))
        return fail_in_child(event);
    return event->status == REAP_OK ? REAP_OK
                                    : reap__fail(event->status, "%s", reap__event_message(event));
}

static reap_status settle(reap_event *event, bool needs_end, void (*wait)(reap_event *event))
{
    if (!reap__graph_wait_until_submitted(event))
        return fail_in_child(event);
    if (!reap__event_has_ended(event) && !needs_end && !event->may_fail)
        return REAP_OK;
    return finish(event, wait);
}

static void wait_for_end(reap_event *event)
{
    reach(event, true);
}

static void ask_until_end(reap_event *event)
{
    for (long pause = LEAST_PAUSE;
         !reap__event_has_ended(event) && event->process == reap__fork_generation();
         pause = pause < MOST_PAUSE ? 2 * pause : pause) {
        reach(event, false);
        if (!reap__event_has_ended(event))
            nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    }
}

reap_status reap__event_wait_end(reap_event *event)
{
    return finish(event, wait_for_end);
}

reap_status reap__event_wait_result(reap_event *event, bool needs_end)
{
    return settle(event, needs_end, wait_for_end);
}

reap_status reap__event_poll_result(reap_event *event, bool needs_end)
{
    return settle(event, needs_end, ask_until_end);
}

/* Before this thread waits for tasks that no other thread can run. */
reap_status reap_event_wait(reap_event *event)
{
    if (event == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_event_wait: the event is NULL");
    reap__executor_run_all_stranded();
    REAP_TRY(reap__event_wait_result(event, true));
    return reap__usm_migrate_to_host(event->device);
}

reap_status reap_events_wait(reap_event *const *events, size_t count)
{
    char message[REAP__MESSAGE_BYTES];
    reap_status first = REAP_OK;
    if (events == NULL && count > 0)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_events_wait: the events are NULL");
    for (size_t e = 0; e < count; e++)
        if (events[e] == NULL)
            return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_events_wait: events[%zu] is NULL",
                              e);
    for (size_t e = 0; e < count; e++) {
        const reap_status status = reap_event_wait(events[e]);
        if (status == REAP_OK || first != REAP_OK)
            continue;
        snprintf(message, sizeof message, "%s", reap_last_error());
        first = status;
    }
    return first == REAP_OK ? REAP_OK : reap__fail(first, "%s", message);
}

reap_status reap_event_query(reap_event *event, bool *is_complete)
{
    if (event == NULL || is_complete == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_event_query: the %s is NULL",
                          event == NULL ? "event" : "pointer");
    reap__executor_run_all_stranded();
    const bool is_queued = atomic_load_explicit(&event->is_queued, memory_order_acquire);
    if (!is_queued)
        reap__tsan_note_acquire(&event->is_queued);
    if (!is_queued && !reap__event_has_ended(event))
        reach(event, false);
    const bool has = reap__event_has_ended(event);
    if (!has && event->process != reap__fork_generation())
        return fail_in_child(event);
    *is_complete = has;
    return REAP_OK;
}

reap_status reap_event_get_times(reap_event *event, reap_event_times *times)
{
    const char *wrong = NULL;
    if (event == NULL || times == NULL)
        wrong = event == NULL ? "the event is NULL" : "the pointer is NULL";
    else if (!event->is_timed)
        wrong = "the command's queue was made without .profiling";
    else if (!reap__event_has_ended(event))
        wrong = "the command has not ended, or no thread has waited for it or queried it";
    if (wrong != NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_event_get_times: %s", wrong);
    *times = event->times;
    return REAP_OK;
}

void reap_event_release(reap_event *event)
{
    if (event == NULL)
        return;
    reap__tsan_note_release(&event->references);
    if (atomic_fetch_sub_explicit(&event->references, 1, memory_order_acq_rel) > 1)
        return;
    reap__tsan_note_acquire(&event->references);
    if (event->begin != NULL) /* the device did not keep it */
        event->device->functions->stop_measuring(event->device, event);
    reap__error_report_release(event->notice.report);
    reap__free(event->message);
    reap__free(event);
}

/* ---- Reports of errors ------------------------------------------------------------------------*/

/* Deliveries are numbered: the error of a command that was launched before a delivery, but failed
 * after it, does not count as received. A thread that returns from a wait has acquired the number,
 * and so has any thread that it synchronises with. */
static atomic_size_t reports;

size_t reap__error_report_count(void)
{
    return atomic_load_explicit(&reports, memory_order_acquire);
}

struct reap__error_report *reap__error_report_create(void)
{
    struct reap__error_report *made = reap__allocate(sizeof *made);
    if (made == NULL)
        return NULL;
    atomic_init(&made->references, 1);
    atomic_init(&made->deliveries, 0);
    for (size_t d = 0; d < REAP__DELIVERIES_KEPT; d++)
        atomic_init(&made->numbers[d], 0);
    return made;
}

struct reap__error_report *reap__error_report_retain(struct reap__error_report *report)
{
    if (report != NULL)
        atomic_fetch_add_explicit(&report->references, 1, memory_order_relaxed);
    return report;
}

void reap__error_report_deliver(struct reap__error_report *report)
{
    const size_t number = atomic_fetch_add_explicit(&reports, 1, memory_order_acq_rel) + 1;
    const size_t delivery = atomic_load_explicit(&report->deliveries, memory_order_relaxed);
    atomic_store_explicit(&report->numbers[delivery % REAP__DELIVERIES_KEPT], number,
                          memory_order_release);
    atomic_store_explicit(&report->deliveries, delivery + 1, memory_order_release);
}

struct reap__error_notice reap__error_report_next(struct reap__error_report *report)
{
    return (struct reap__error_notice){
        report, atomic_load_explicit(&report->deliveries, memory_order_relaxed)};
}

/* Instead of a delivery whose number is gone, the oldest one that is kept is asked for. If another
 * thread replaces that number in the meantime, the new one is larger, too. */
bool reap__error_notice_precedes(const struct reap__error_notice *notice, size_t count)
{
    if (notice->report == NULL)
        return false;
    const struct reap__error_report *const report = notice->report;
    const size_t made = atomic_load_explicit(&report->deliveries, memory_order_acquire);
    size_t delivery = notice->delivery;
    if (delivery >= made)
        return false;
    if (made - delivery > REAP__DELIVERIES_KEPT)
        delivery = made - REAP__DELIVERIES_KEPT;
    return atomic_load_explicit(&report->numbers[delivery % REAP__DELIVERIES_KEPT],
                                memory_order_acquire) <= count;
}

void reap__error_report_release(struct reap__error_report *report)
{
    if (report == NULL)
        return;
    reap__tsan_note_release(&report->references);
    if (atomic_fetch_sub_explicit(&report->references, 1, memory_order_acq_rel) > 1)
        return;
    reap__tsan_note_acquire(&report->references);
    reap__free(report);
}

/* ---- Callbacks --------------------------------------------------------------------------------*/

/* A callback is a task that follows the event's command, and waits for its end. */

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
                          "reap_event_set_callback: no thread can be created for the callback");
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
