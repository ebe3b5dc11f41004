/* SPDX-License-Identifier: Apache-2.0
 *
 * Cancellation of threads (pthread_cancel). A thread that is cancelled within the library would
 * leave locks locked, commands in the dependency graph, and helpers that wait for it. So the
 * library's functions are not cancellation points: they defer cancellation while they wait for
 * other threads, read files, or call drivers or the program's functions. Their other calls are not
 * cancellation points in POSIX.
 *
 * One exception, since two calls of pthread_setcancelstate would be a large part of its time: the
 * kernel of a short launch on the host (host/launch.c). docs/threads.md has the consequences.
 */
#ifndef REAP_PORT_CANCELLATION_H
#define REAP_PORT_CANCELLATION_H

#include <pthread.h>

/* Defer cancellation of the calling thread, and allow it again. Calls nest. Threads of the library
 * defer it forever. */
void reap__cancellation_defer(void);
void reap__cancellation_allow(void);

/* pthread_cond_wait, with cancellation deferred. */
void reap__condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock);

#endif
