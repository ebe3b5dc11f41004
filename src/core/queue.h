/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue's inside: the order of its commands, and the error that reap_queue_wait will return.
 */
#ifndef REAP_CORE_QUEUE_H
#define REAP_CORE_QUEUE_H

#include "src/core/point.h"
#include "src/core/status.h"

#include <pthread.h>
#include <reap/event.h>
#include <reap/queue.h>
#include <stdatomic.h>

struct reap_queue {
    const reap_device *device;
    reap_queue_options options;
    atomic_uint process;      /* reap__process() when the locks were made; release, acquire */
    pthread_mutex_t order;    /* held while a command of an in-order queue runs */
    void *native;             /* the program's stream, which its commands are in */
    bool is_native;           /* there is one */
    struct reap__point point; /* in order: of the device, behind the last command; its turn's */
    pthread_mutex_t lock;     /* guards what follows */
    atomic_size_t running;    /* commands; changed under `order` or `lock`, also read without:
                                 who sees 0 (acquire) sees what the commands wrote (release) */

    /* Out of order, or asynchronous: who waits begins a new generation of commands and waits until
     * the old one has drained, so that commands launched in the meantime do not keep it waiting. */
    size_t in_generation[2]; /* running commands of even and of odd generations */
    size_t generation;       /* of commands launched now; the one before may still be draining */
    pthread_cond_t drains;   /* that one has */

    atomic_int error; /* the first asynchronous one since the last wait; also read without
                         the lock (acquire), when there usually is none */
    char message[REAP__MESSAGE_BYTES];
    struct reap__telling *telling; /* of it and those after it; NULL: no event needed it */
};

/* Between these two no other command of an in-order queue runs; one that is asynchronous counts
 * its commands here, as one out of order does. */
size_t reap__queue_enter(reap_queue *queue); /* gives the command's generation */
void reap__queue_leave(reap_queue *queue, size_t generation);

/* Keeps an asynchronous error, with this thread's line, unless there is one already, and tells it
 * to the program's handler. The event is that of the failed command, or NULL: it learns whether the
 * program has been told. */
void reap__queue_note(reap_queue *queue, reap_status status, reap_event *event);

#endif
