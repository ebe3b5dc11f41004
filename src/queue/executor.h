/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's threads, of two kinds: threads that run commands of asynchronous queues, at most
 * one for each processor or as many as the settings allow; and a few that call the program's
 * callbacks, which may wait for commands. A thread is created when it is needed, and ends when it
 * has had no task for some seconds.
 */
#ifndef REAP_QUEUE_EXECUTOR_H
#define REAP_QUEUE_EXECUTOR_H

#include "src/core/config.h"

#include <stdbool.h>
#include <stddef.h>

enum reap__thread_kind { REAP__COMMAND_THREADS, REAP__CALLBACK_THREADS, REAP__THREAD_KIND_COUNT };

/* Work whose dependencies are met. The thread that runs it owns it. */
struct reap__task {
    void (*run)(struct reap__task *task);
    struct reap__task *next; /* under the executor's lock */
};

/* Before the first task, any number of times; holds no lock, since it installs fork handlers. */
void reap__executor_prepare(void);

/* Finds the processors, as this thread sees them, and so how many threads run commands. Once,
 * before the first task, while no thread forks: under the lock of the device list. */
void reap__executor_configure(const struct reap__config *config);

/* Queues a task for a thread of that kind. Does not wait. Thread-safe. */
void reap__executor_submit(enum reap__thread_kind kind, struct reap__task *task);

/* Whether a thread of that kind exists or can be created. */
bool reap__executor_is_available(enum reap__thread_kind kind);

/* If no thread can be created, run the waiting tasks on this thread, whose reap_last_error does not
 * change: those that are commands; or callbacks, too, and the commands that these launch. The
 * caller may hold no lock except a queue's order, and for callbacks none. Within such a task they
 * leave tasks of its kind to the call that runs it. */
void reap__executor_run_stranded_commands(void);
void reap__executor_run_all_stranded(void);

#endif
