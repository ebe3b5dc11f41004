/* SPDX-License-Identifier: Apache-2.0
 *
 * For each kind of thread one list of tasks, one lock, one condition.
 */
#include "src/queue/executor.h"

#include "src/core/status.h"
#include "src/port/affinity.h"
#include "src/port/cancellation.h"
#include "src/port/compiler.h"
#include "src/port/cpu.h"
#include "src/port/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { IDLE_SECONDS = 3, LEAST_COMMAND_THREADS = 2, CALLBACK_THREADS = 4 };

struct executor {
    pthread_mutex_t lock;
    pthread_cond_t wanted;
    struct reap__task *first, *last;
    size_t waiting; /* tasks */
    size_t sleeping;
    size_t threads;
    size_t limit;
    void *(*work)(void *unused);
    atomic_bool is_stranded; /* tasks wait, without any thread; relaxed: a hint */
};

static void *work_on_commands(void *unused);
static void *work_on_callbacks(void *unused);

static struct executor executors[REAP__THREAD_KIND_COUNT] = {
    [REAP__COMMAND_THREADS] = {.lock = PTHREAD_MUTEX_INITIALIZER,
                               .limit = LEAST_COMMAND_THREADS,
                               .work = work_on_commands},
    [REAP__CALLBACK_THREADS] = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                .limit = CALLBACK_THREADS,
                                .work = work_on_callbacks},
};
static struct reap__affinity affinity;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool runs[REAP__THREAD_KIND_COUNT]; /* this thread runs stranded tasks */

/* Threads wait by the monotonic clock. */
static void make_wanted(struct executor *executor)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&executor->wanted, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void before_fork(void)
{
    for (int kind = 0; kind < REAP__THREAD_KIND_COUNT; kind++)
        pthread_mutex_lock(&executors[kind].lock);
}

static void after_fork_in_parent(void)
{
    for (int kind = 0; kind < REAP__THREAD_KIND_COUNT; kind++)
        pthread_mutex_unlock(&executors[kind].lock);
}

/* The child has no threads, and no tasks. */
static void after_fork_in_child(void)
{
    for (int kind = 0; kind < REAP__THREAD_KIND_COUNT; kind++) {
        struct executor *executor = &executors[kind];
        pthread_mutex_init(&executor->lock, NULL);
        make_wanted(executor);
        executor->first = executor->last = NULL;
        executor->waiting = executor->sleeping = executor->threads = 0;
        atomic_store_explicit(&executor->is_stranded, false, memory_order_relaxed);
    }
}

static void prepare(void)
{
    for (int kind = 0; kind < REAP__THREAD_KIND_COUNT; kind++)
        make_wanted(&executors[kind]);
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void reap__executor_prepare(void)
{
    pthread_once(&once, prepare);
}

void reap__executor_configure(const struct reap__config *config)
{
    reap__affinity_find(&affinity);
    const size_t processors = reap__cpu_count(reap__affinity_count(&affinity), "");
    const size_t threads = reap__config_threads(config, processors);
    const size_t limit = threads < processors ? threads : processors;
    if (limit > LEAST_COMMAND_THREADS)
        executors[REAP__COMMAND_THREADS].limit = limit;
}

/* With the lock held. */
static struct reap__task *take(struct executor *executor)
{
    struct reap__task *task = executor->first;
    if (task == NULL)
        return NULL;
    executor->first = task->next;
    if (executor->first == NULL)
        executor->last = NULL;
    executor->waiting--;
    return task;
}

/* With the lock held, which is unlocked while the thread waits. Returns whether a task has come. */
static bool sleep_until_wanted(struct executor *executor)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += IDLE_SECONDS;
    executor->sleeping++;
    const int error = pthread_cond_timedwait(&executor->wanted, &executor->lock, &until);
    executor->sleeping--;
    return error != ETIMEDOUT;
}

static void work(struct executor *executor)
{
    reap__cancellation_defer();
    reap__affinity_use(&affinity);
    pthread_mutex_lock(&executor->lock);
    do
        for (struct reap__task *task; (task = take(executor)) != NULL;) {
            pthread_mutex_unlock(&executor->lock);
            task->run(task);
            pthread_mutex_lock(&executor->lock);
        }
    while (sleep_until_wanted(executor) || executor->first != NULL);
    executor->threads--;
    pthread_mutex_unlock(&executor->lock);
}

static void *work_on_commands(void *unused)
{
    (void)unused;
    work(&executors[REAP__COMMAND_THREADS]);
    return NULL;
}

static void *work_on_callbacks(void *unused)
{
    (void)unused;
    work(&executors[REAP__CALLBACK_THREADS]);
    return NULL;
}

void reap__executor_submit(enum reap__thread_kind kind, struct reap__task *task)
{
    struct executor *executor = &executors[kind];
    reap__executor_prepare();
    pthread_mutex_lock(&executor->lock);
    task->next = NULL;
    *(executor->last != NULL ? &executor->last->next : &executor->first) = task;
    executor->last = task;
    executor->waiting++;
    if (executor->waiting > executor->sleeping && executor->threads < executor->limit)
        executor->threads += reap__threads_start(1, executor->work, NULL);
    atomic_store_explicit(&executor->is_stranded, executor->threads == 0, memory_order_relaxed);
    const bool wakes = executor->sleeping > 0;
    pthread_mutex_unlock(&executor->lock);
    if (wakes)
        pthread_cond_signal(&executor->wanted);
}

bool reap__executor_is_available(enum reap__thread_kind kind)
{
    struct executor *executor = &executors[kind];
    reap__executor_prepare();
    pthread_mutex_lock(&executor->lock);
    if (executor->threads == 0)
        executor->threads += reap__threads_start(1, executor->work, NULL);
    const bool is_there = executor->threads > 0;
    pthread_mutex_unlock(&executor->lock);
    return is_there;
}

static void run_all(struct executor *executor)
{
    pthread_mutex_lock(&executor->lock);
    while (executor->threads == 0 && executor->first != NULL) {
        struct reap__task *task = take(executor);
        pthread_mutex_unlock(&executor->lock);
        task->run(task);
        pthread_mutex_lock(&executor->lock);
    }
    atomic_store_explicit(&executor->is_stranded, false, memory_order_relaxed);
    pthread_mutex_unlock(&executor->lock);
}

REAP__RARE static void run_stranded(enum reap__thread_kind kind)
{
    char line[REAP__MESSAGE_BYTES];
    snprintf(line, sizeof line, "%s", reap_last_error());
    runs[kind] = true;
    reap__cancellation_defer();
    run_all(&executors[kind]);
    reap__cancellation_allow();
    runs[kind] = false;
    reap__fail(REAP_OK, "%s", line);
}

static inline bool is_stranded(enum reap__thread_kind kind)
{
    return atomic_load_explicit(&executors[kind].is_stranded, memory_order_relaxed) && !runs[kind];
}

void reap__executor_run_stranded_commands(void)
{
    if (is_stranded(REAP__COMMAND_THREADS))
        run_stranded(REAP__COMMAND_THREADS);
}

void reap__executor_run_all_stranded(void)
{
    reap__executor_run_stranded_commands();
    while (is_stranded(REAP__CALLBACK_THREADS)) {
        run_stranded(REAP__CALLBACK_THREADS);
        reap__executor_run_stranded_commands();
    }
}
