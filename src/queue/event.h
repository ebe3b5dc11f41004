/* SPDX-License-Identifier: Apache-2.0
 *
 * The event object: the result of its command, once the command has ended; waiting for it; and
 * whether the program has received the errors of a queue. If a command ends after its launch has
 * returned, the backend holds a reference to the event until the command has ended.
 */
#ifndef REAP_QUEUE_EVENT_H
#define REAP_QUEUE_EVENT_H

#include "src/core/status.h"
#include "src/port/sanitizer.h"
#include "src/queue/timeline.h"

#include <reap/device.h>
#include <reap/event.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Which of a queue's deliveries of errors (below) has the error of a command; report NULL: none. */
struct reap__error_notice {
    struct reap__error_report *report;
    size_t delivery;
};

struct reap_event {
    const reap_device *device; /* its command's */
    unsigned process;          /* reap__fork_generation() when it was created */
    bool is_adopted;           /* a backend will complete it */
    bool may_fail;             /* is_adopted: the command itself may fail, not only its device */
    bool is_inner;             /* the library's own; the program does not have it */
    bool is_timed;             /* its queue has the option `profiling` */
    /* Of its device, at the command's completion; set once the command has been run. */
    struct reap__timeline_value timeline;
    void *begin; /* the driver's event before the command, on devices that measure; else NULL */
    bool begins_elsewhere; /* its first work was on another device: `times` has its begin */
    atomic_uint references;
    atomic_bool
        is_queued; /* its command has not been run; changed under the lock of dependency_graph.c */
    struct reap__event_waiter *waiters; /* under that lock */
    atomic_bool has_ended;              /* acquire, for what follows; release */
    reap_event_times times;
    reap_status status;
    struct reap__error_notice notice; /* of its failure; with a reference */
    char *message;                    /* of a failure; NULL: none, or there was no memory */
};

struct reap__event_waiter;

static inline bool reap__event_has_ended(const reap_event *event)
{
    if (!atomic_load_explicit(&event->has_ended, memory_order_acquire))
        return false;
    reap__tsan_note_acquire(&event->has_ended);
    return true;
}

/* Creates an event, which the caller releases by reap_event_release. Fails with
 * REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__event_create(const reap_device *device, bool is_timed, reap_event **event);

/* Called by a backend before `run` or `follow` returns: it will complete the event, then release
 * it. The event may be NULL. */
void reap__event_adopt(reap_event *event, bool may_fail);

/* Adds a reference, which reap_event_release removes. */
void reap__event_retain(reap_event *event);

/* The command begins: notes the time, and has a device that measures begin to. */
void reap__event_start(reap_event *event);

/* The command has ended: sets its status and, after a failure, this thread's message. Called once
 * for each event. */
void reap__event_complete(reap_event *event, reap_status status);

/* The message of an event that failed. */
const char *reap__event_message(const reap_event *event);

/* For the thread that has just run the command: blocks until it has ended, and returns its status.
 */
reap_status reap__event_wait_end(reap_event *event);

/* Blocks until the command has ended, and returns its status. Without `needs_end` it blocks until
 * the command has been run, and until the end only of a command that may fail on its device; for
 * others it returns REAP_OK. */
reap_status reap__event_wait_result(reap_event *event, bool needs_end);

/* As reap__event_wait_result, for a thread of the library: queries the device from time to time
 * instead of waiting in the driver, so other threads can use the device. */
reap_status reap__event_poll_result(reap_event *event, bool needs_end);

/* ---- Reports of errors ------------------------------------------------------------------------*/

/* Whether the program has received the errors of commands. A queue has one report: what
 * reap_queue_wait has delivered, each time the errors since the delivery before. It outlives the
 * queue, and exists before a command fails, so that this needs no memory then. */

enum { REAP__DELIVERIES_KEPT = 8 };

struct reap__error_report {
    atomic_uint references;
    atomic_size_t deliveries; /* of the queue; release and acquire, for the numbers */
    /* Of its last deliveries, among those of all queues. */
    atomic_size_t numbers[REAP__DELIVERIES_KEPT];
};

/* How many deliveries there were, of all queues. A command notes it when it enters the dependency
 * graph. */
size_t reap__error_report_count(void);

/* NULL: out of memory. Each reference is released by reap__error_report_release. */
struct reap__error_report *reap__error_report_create(void);
struct reap__error_report *reap__error_report_retain(struct reap__error_report *report);

/* The program receives the errors now. With the queue's lock held, as the next one. */
void reap__error_report_deliver(struct reap__error_report *report);

/* The notice of an error that will be in the next delivery. Without a reference. */
struct reap__error_notice reap__error_report_next(struct reap__error_report *report);

/* Whether the error was among the first `count` deliveries. It may be false if it was, but then the
 * same queue has delivered several times since that count. */
bool reap__error_notice_precedes(const struct reap__error_notice *notice, size_t count);

/* The report may be NULL. */
void reap__error_report_release(struct reap__error_report *report);

#endif
