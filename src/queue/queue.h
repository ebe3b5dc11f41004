/* SPDX-License-Identifier: Apache-2.0
 *
 * The queue object: the order of its commands, and the error that reap_queue_wait will return.
 */
#ifndef REAP_QUEUE_QUEUE_H
#define REAP_QUEUE_QUEUE_H

#include "src/core/fork.h"
#include "src/core/status.h"
#include "src/queue/event.h"
#include "src/queue/parking_lock.h"
#include "src/queue/timeline.h"

#include <pthread.h>
#include <reap/event.h>
#include <reap/queue.h>
#include <stdatomic.h>

struct reap_queue {
    const reap_device *device;
    reap_queue_options options;
    bool is_counted;     /* out of order or asynchronous: its commands are counted */
    bool is_checked;     /* REAP_CHECK=1 */
    bool is_blocking;    /* launches return after their commands have completed */
    bool runs_prepared;  /* in order, on the launching thread, without checks of its memory */
    bool has_timelines;  /* its device has memory of its own, and streams of work */
    atomic_uint process; /* reap__fork_generation() when the locks were made; release, acquire */
    struct reap__parking_mutex order; /* not counted: locked while a command runs */
    void *native;                     /* the program's stream, if is_native */
    bool is_native;                   /* commands are ordered with a stream of the program */
    /* Of the device, at the completion of the last command of an in-order queue; under `order`. */
    struct reap__timeline_value timeline;

    pthread_mutex_t lock; /* guards what follows */

    /* Counted: a waiting thread begins a new generation of commands and waits until the old one has
     * drained, so that it does not wait for commands launched in the meantime. */
    atomic_size_t running;   /* commands; also read without the lock: acquire, for what the
                                commands wrote; release */
    size_t in_generation[2]; /* running commands of even and of odd generations */
    size_t generation;       /* of commands launched now; the one before may still be draining */
    pthread_cond_t drains;   /* that one has */

    atomic_int error; /* the first asynchronous one since the last wait; also read without
                         the lock (acquire), when there usually is none */
    char message[REAP__MESSAGE_BYTES];
    struct reap__error_report *report; /* the deliveries of errors so far; a reference */
};

/* Called first by every function of a queue. In a forked child the locks may be held by threads
 * that do not exist there, so its first thread to use the queue makes new ones. `found` is the
 * value of `process` that was read. */
REAP__RARE void reap__queue_adopt_from(reap_queue *queue, unsigned found);
static inline void reap__queue_adopt(reap_queue *queue)
{
    const unsigned found = atomic_load_explicit(&queue->process, memory_order_acquire);
    if (found != reap__forks)
        reap__queue_adopt_from(queue, found);
}

/* reap__queue_enter and reap__queue_leave for queues whose commands are counted. */
size_t reap__queue_enter_counted(reap_queue *queue);
void reap__queue_leave_counted(reap_queue *queue, size_t generation);

/* Between `enter` and `leave` no other command of an in-order queue runs; asynchronous and
 * out-of-order queues count the command. `enter` blocks until earlier commands of an in-order queue
 * have been run, and returns the command's generation, which `leave` takes. */
static inline size_t reap__queue_enter(reap_queue *queue)
{
    size_t generation = 0;
    reap__queue_adopt(queue);
    if (queue->is_counted)
        generation = reap__queue_enter_counted(queue);
    else
        reap__parking_mutex_lock(&queue->order);
    return generation;
}

static inline void reap__queue_leave(reap_queue *queue, size_t generation)
{
    if (queue->is_counted)
        reap__queue_leave_counted(queue, generation);
    else
        reap__parking_mutex_unlock(&queue->order);
}

/* Reports an asynchronous error, with this thread's message: calls the program's handler, and keeps
 * the error for reap_queue_wait unless the queue has an earlier one. The failed command's event, or
 * NULL, gets the notice of the error, with a reference; it is also returned, without. */
struct reap__error_notice reap__queue_note(reap_queue *queue, reap_status status,
                                           reap_event *event);

#endif
