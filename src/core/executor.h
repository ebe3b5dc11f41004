/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's threads that run commands of asynchronous queues. There are as many as processors
 * at most, made when they are wanted, and they end when nothing has come for some seconds.
 */
#ifndef REAP_CORE_EXECUTOR_H
#define REAP_CORE_EXECUTOR_H

#include <stdbool.h>

/* Work that nothing stands in the way of. Whoever runs it takes it over. */
struct reap__task {
    void (*run)(struct reap__task *task);
    struct reap__task *next; /* under the executor's lock */
};

/* Hands it to a thread, first come, first served. Does not wait. Any thread. */
void reap__execute(struct reap__task *task);

/* Whether there is a thread, or one could be made. */
bool reap__executor_is_there(void);

/* Where there can be no thread, runs what waits for one, on this thread, which must hold no lock.
 */
void reap__execute_without_threads(void);

#endif
