/* SPDX-License-Identifier: Apache-2.0
 *
 * One list of tasks, one lock, one condition.
 */
#include "src/core/executor.h"

#include "src/port/affinity.h"
#include "src/port/cpu.h"
#include "src/port/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

enum { IDLE_SECONDS = 3, LEAST_THREADS = 2 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wanted;
    struct reap__task *first, *last;
    size_t waiting; /* tasks */
    size_t sleeping;
    size_t threads;
    size_t limit;
    struct reap__affinity affinity;
    atomic_bool is_stranded; /* tasks wait, and there is no thread; relaxed: a hint */
} executor = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Threads wait by a clock that nobody sets. */
static void make_wanted(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&executor.wanted, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void before_fork(void)
{
    pthread_mutex_lock(&executor.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&executor.lock);
}

/* The child has no threads, and no tasks. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&executor.lock, NULL);
    make_wanted();
    executor.first = executor.last = NULL;
    executor.waiting = executor.sleeping = executor.threads = 0;
}

static void prepare(void)
{
    reap__affinity_find(&executor.affinity);
    executor.limit = reap__cpu_count(reap__affinity_count(&executor.affinity), "");
    if (executor.limit < LEAST_THREADS)
        executor.limit = LEAST_THREADS;
    make_wanted();
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* With the lock held. */
static struct reap__task *take(void)
{
    struct reap__task *task = executor.first;
    if (task == NULL)
        return NULL;
    executor.first = task->next;
    if (executor.first == NULL)
        executor.last = NULL;
    executor.waiting--;
    return task;
}

/* With the lock held, which it gives up while it waits. Whether something has come. */
static bool sleep_until_wanted(void)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += IDLE_SECONDS;
    executor.sleeping++;
    const int error = pthread_cond_timedwait(&executor.wanted, &executor.lock, &until);
    executor.sleeping--;
    return error != ETIMEDOUT;
}

static void *work(void *unused)
{
    (void)unused;
    reap__affinity_use(&executor.affinity);
    pthread_mutex_lock(&executor.lock);
    do
        for (struct reap__task *task; (task = take()) != NULL;) {
            pthread_mutex_unlock(&executor.lock);
            task->run(task);
            pthread_mutex_lock(&executor.lock);
        }
    while (sleep_until_wanted() || executor.first != NULL);
    executor.threads--;
    pthread_mutex_unlock(&executor.lock);
    return NULL;
}

void reap__execute(struct reap__task *task)
{
    pthread_once(&once, prepare);
    pthread_mutex_lock(&executor.lock);
    task->next = NULL;
    *(executor.last != NULL ? &executor.last->next : &executor.first) = task;
    executor.last = task;
    executor.waiting++;
    if (executor.waiting > executor.sleeping && executor.threads < executor.limit)
        executor.threads += reap__threads_start(1, work);
    atomic_store_explicit(&executor.is_stranded, executor.threads == 0, memory_order_relaxed);
    const bool wakes = executor.sleeping > 0;
    pthread_mutex_unlock(&executor.lock);
    if (wakes)
        pthread_cond_signal(&executor.wanted);
}

bool reap__executor_is_there(void)
{
    pthread_once(&once, prepare);
    pthread_mutex_lock(&executor.lock);
    if (executor.threads == 0)
        executor.threads += reap__threads_start(1, work);
    const bool is_there = executor.threads > 0;
    pthread_mutex_unlock(&executor.lock);
    return is_there;
}

void reap__execute_without_threads(void)
{
    if (!atomic_load_explicit(&executor.is_stranded, memory_order_relaxed))
        return;
    pthread_mutex_lock(&executor.lock);
    while (executor.threads == 0 && executor.first != NULL) {
        struct reap__task *task = take();
        pthread_mutex_unlock(&executor.lock);
        task->run(task);
        pthread_mutex_lock(&executor.lock);
    }
    pthread_mutex_unlock(&executor.lock);
}
