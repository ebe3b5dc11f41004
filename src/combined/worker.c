/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker. Its state changes under the lock, for threads that sleep; both sides first poll it
 * without the lock.
 */
#include "src/combined/worker.h"

#include "src/core/allocate.h"
#include "src/port/cpu.h"
#include "src/port/sanitizer.h"
#include "src/port/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { WATCH_NANOSECONDS = 100000 };
enum { IDLE, BEGUN };

struct reap__worker {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_int state;
    void (*work)(void *data);
    void *data;
};

static bool watch(const struct reap__worker *worker, int state)
{
    const uint64_t end = reap__now() + WATCH_NANOSECONDS;
    do {
        for (int i = 0; i < 32; i++) {
            if (atomic_load_explicit(&worker->state, memory_order_acquire) == state)
                return true;
            reap__cpu_relax();
        }
    } while (reap__now() < end);
    return false;
}

static void sleep_until(struct reap__worker *worker, int state)
{
    pthread_mutex_lock(&worker->lock);
    while (atomic_load_explicit(&worker->state, memory_order_acquire) != state)
        pthread_cond_wait(&worker->changed, &worker->lock);
    pthread_mutex_unlock(&worker->lock);
}

static void wait_for(struct reap__worker *worker, int state)
{
    if (!watch(worker, state))
        sleep_until(worker, state);
    reap__tsan_note_acquire(&worker->state);
}

static void change(struct reap__worker *worker, int state)
{
    pthread_mutex_lock(&worker->lock);
    reap__tsan_note_release(&worker->state);
    atomic_store_explicit(&worker->state, state, memory_order_release);
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

static void *run(void *data)
{
    struct reap__worker *worker = data;
    for (;;) {
        wait_for(worker, BEGUN);
        worker->work(worker->data);
        change(worker, IDLE);
    }
    return NULL;
}

struct reap__worker *reap__worker_create(void)
{
    struct reap__worker *worker = reap__allocate(sizeof *worker);
    if (worker == NULL)
        return NULL;
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->changed, NULL);
    atomic_init(&worker->state, IDLE);
    if (reap__threads_start(1, run, worker) == 1)
        return worker;
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->lock);
    reap__free(worker);
    return NULL;
}

void reap__worker_begin(struct reap__worker *worker, void (*work)(void *data), void *data)
{
    worker->work = work;
    worker->data = data;
    change(worker, BEGUN);
}

void reap__worker_wait(struct reap__worker *worker)
{
    wait_for(worker, IDLE);
}
