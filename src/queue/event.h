/* SPDX-License-Identifier: Apache-2.0
 *
 * The event object: the result of its command, once the command has ended; waiting for it; and
 * whether the program has received the errors of a queue. If a command ends after its launch has
 * returned, the backend holds a reference to the event until then.
 */
#ifndef REAP_QUEUE_EVENT_H
#define REAP_QUEUE_EVENT_H

#include "src/core/status.h"
#include "src/queue/timeline.h"

#include <reap/device.h>
#include <reap/event.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct reap_event {
    const reap_device *device; /* its command's */
    unsigned process;          /* reap__fork_generation() where it was made */
    bool is_adopted;           /* a backend says how the command ended */
    bool may_fail;             /* a command that is kept: by what it finds while it runs */
    bool is_inner;             /* the program does not have it */
    bool is_timed;             /* its queue asks for times */
    /* Of its device, after the command; once that has been run. */
    struct reap__timeline_value timeline;
    void *begin; /* the backend's, on devices that measure; NULL: there is none */
    atomic_uint references;
    atomic_bool
        is_queued; /* its command has not been run; changed under the lock of dependency_graph.c */
    struct reap__event_waiter *waiters; /* under that lock */
    atomic_bool has_ended;              /* acquire, for what follows; release */
    reap_event_times times;
    reap_status status;
    struct reap__error_report *report; /* of its failure; a reference; NULL: never reported */
    char *message;                     /* of a failure; NULL: none, or there was no memory */
};

struct reap__event_waiter;

static inline bool reap__event_has_ended(const reap_event *event)
{
    return atomic_load_explicit(&event->has_ended, memory_order_acquire);
}

/* Fails with REAP_ERROR_OUT_OF_MEMORY. The caller's, to be given back by reap_event_release. */
reap_status reap__event_create(const reap_device *device, bool is_timed, reap_event **event);

/* For a backend, before `run` or `follow` returns: it will complete the event, and then release it.
 * NULL is fine. */
void reap__event_adopt(reap_event *event, bool may_fail);

/* Adds a reference, which reap_event_release removes. */
void reap__event_retain(reap_event *event);

/* Its command begins on the host; a device that measures begins to. */
void reap__event_start(reap_event *event);

/* Sets the command's status, after a failure with this thread's message. Once for each event. */
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

/* The same on a thread of the library: queries the device from time to time, so that other threads
 * can use it meanwhile. */
reap_status reap__event_poll_result(reap_event *event, bool needs_end);

/* ---- Reports of errors ------------------------------------------------------------------------*/

/* Whether the program has received the errors of commands: one object for all errors of a queue
 * between two that reap_queue_wait returns. */

struct reap__error_report {
    atomic_uint references;
    atomic_size_t number; /* among all deliveries; 0: not delivered */
};

/* How many reports have been delivered. A command notes it when it enters the dependency graph. */
size_t reap__error_report_count(void);

/* NULL: out of memory; the errors will not be reported. Each reference is released by
 * reap__error_report_release. */
struct reap__error_report *reap__error_report_create(void);
struct reap__error_report *reap__error_report_retain(struct reap__error_report *report);

/* The program receives the errors now. */
void reap__error_report_deliver(struct reap__error_report *report);

/* Whether it was among the first `count` deliveries. NULL: no. */
bool reap__error_report_precedes(const struct reap__error_report *report, size_t count);

/* NULL is fine. */
void reap__error_report_release(struct reap__error_report *report);

#endif
