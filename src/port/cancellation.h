/* SPDX-License-Identifier: Apache-2.0
 *
 * Cancellation of threads (pthread_cancel). A thread that is cancelled within the library would
 * leave locks taken, places in lines that nobody gives up, and helpers that wait for it. So no
 * function of the library is a cancellation point: where it waits for others, reads files, or calls
 * drivers or the program's functions, it defers cancellation. Everything else it does is no
 * cancellation point to POSIX either, and costs nothing.
 *
 * One thing is left out, since two calls of pthread_setcancelstate would take a good part of its
 * time: the kernel of a short launch on the host (host/launch.c). docs/threads.md says what
 * follows for kernels.
 */
#ifndef REAP_PORT_CANCELLATION_H
#define REAP_PORT_CANCELLATION_H

#include <pthread.h>

/* Between the two the calling thread is not cancelled: that stays pending. They nest. A thread of
 * the library defers it for ever. */
void reap__cancellation_defer(void);
void reap__cancellation_allow(void);

/* pthread_cond_wait, with cancellation deferred. */
void reap__condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock);

#endif
