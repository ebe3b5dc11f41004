/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue's inside: the order of its commands, and the error that reap_queue_wait will return.
 */
#ifndef REAP_CORE_QUEUE_H
#define REAP_CORE_QUEUE_H

#include "src/core/status.h"

#include <pthread.h>
#include <reap/queue.h>
#include <stdatomic.h>

struct reap_queue {
    const reap_device *device;
    reap_queue_options options;
    atomic_uint process;   /* reap__process() when the locks were made; release, acquire */
    pthread_mutex_t order; /* held while a command of an in-order queue runs */
    pthread_mutex_t lock;  /* guards what follows */
    pthread_cond_t idle;   /* `running` became 0 */
    atomic_size_t running; /* commands; changed under `order` or `lock`, also read without:
                              who sees 0 (acquire) sees what the commands wrote (release) */
    atomic_int error;      /* the first asynchronous one since the last wait; also read without
                              the lock (acquire), when there usually is none */
    char message[REAP__MESSAGE_BYTES];
};

/* Between these two no other command of an in-order queue runs. */
void reap__queue_enter(reap_queue *queue);
void reap__queue_leave(reap_queue *queue);

/* Keeps an asynchronous error, with this thread's line, unless there is one already. */
void reap__queue_note(reap_queue *queue, reap_status status);

#endif
