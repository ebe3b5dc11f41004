/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's threads, of two kinds: those that run commands of asynchronous queues, as many as
 * processors at most, or as the settings say, and a few that call the program's callbacks, which
 * may wait for commands. They are made when they are wanted, and end when nothing has come for some
 * seconds.
 */
#ifndef REAP_QUEUE_EXECUTOR_H
#define REAP_QUEUE_EXECUTOR_H

#include "src/core/config.h"

#include <stdbool.h>
#include <stddef.h>

enum reap__thread_kind { REAP__COMMAND_THREADS, REAP__CALLBACK_THREADS, REAP__THREAD_KIND_COUNT };

/* Work that nothing stands in the way of. Whoever runs it takes it over. */
struct reap__task {
    void (*run)(struct reap__task *task);
    struct reap__task *next; /* under the executor's lock */
};

/* Before the first task, any number of times; holds no lock, since it installs fork handlers. */
void reap__executor_prepare(void);

/* Finds the processors, as this thread sees them, and so how many threads run commands. Once,
 * before the first task, while nobody forks: under the lock of the device list. */
void reap__executor_configure(const struct reap__config *config);

/* Hands it to a thread of that kind, first come, first served. Does not wait. Any thread. */
void reap__executor_submit(enum reap__thread_kind kind, struct reap__task *task);

/* Whether there is such a thread, or one could be made. */
bool reap__executor_is_available(enum reap__thread_kind kind);

/* Where there can be no thread, runs what waits for one, on this thread, whose line of
 * reap_last_error stays as it is. It must hold no lock but a queue's order, and for callbacks none.
 * Does nothing within such a task. */
void reap__executor_run_stranded(enum reap__thread_kind kind);

#endif
