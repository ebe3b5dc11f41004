/* SPDX-License-Identifier: Apache-2.0
 *
 * The lock of in-order queues: one thread at a time, no thread sleeps for ever, and a wait on a
 * queue ends after the command that another thread is running.
 */
#include "tests/support/check_status.h"
#include "tests/unit/unit.kernels.h"

#include "src/queue/parking_lock.h"

#include <pthread.h>
#include <reap/reap.h>
#include <sched.h>

enum { THREADS = 4, ROUNDS = 20000, SLEEPERS_ROUNDS = 200 };

static struct reap__parking_mutex lock;
static size_t count; /* written by the thread that has it */
static atomic_bool has_waited, is_wrong;

static void pause_milliseconds(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

/* Now and then the others get the processor, and find it taken. */
static void *take_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        reap__parking_mutex_lock(&lock);
        const size_t before = count;
        if (i % 61 == 0)
            sched_yield();
        count = before + 1;
        reap__parking_mutex_unlock(&lock);
    }
    return NULL;
}

static void *take_once(void *unused)
{
    (void)unused;
    reap__parking_mutex_lock(&lock);
    count++;
    reap__parking_mutex_unlock(&lock);
    return NULL;
}

static void start(pthread_t *threads, void *(*work)(void *unused))
{
    for (int t = 0; t < THREADS; t++)
        if (pthread_create(&threads[t], NULL, work, NULL) != 0)
            exit(1);
}

static void join(const pthread_t *threads)
{
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
}

static void check_one_at_a_time(void)
{
    pthread_t threads[THREADS];
    count = 0;
    start(threads, take_often);
    join(threads);
    CHECK_EQ(count, (size_t)THREADS * ROUNDS);
    CHECK(reap__parking_mutex_is_free(&lock));
}

static void check_sleepers(void)
{
    pthread_t threads[THREADS];
    count = 0;
    for (int i = 0; i < SLEEPERS_ROUNDS; i++) {
        reap__parking_mutex_lock(&lock);
        start(threads, take_once);
        while (atomic_load_explicit(&lock.state, memory_order_relaxed) !=
               REAP__PARKING_MUTEX_CONTENDED)
            sched_yield();
        if (i % 10 == 0)
            pause_milliseconds(2); /* all of them are asleep */
        reap__parking_mutex_unlock(&lock);
        join(threads);
    }
    CHECK_EQ(count, (size_t)THREADS * SLEEPERS_ROUNDS);
    CHECK(reap__parking_mutex_is_free(&lock));
}

struct held {
    reap_queue *queue;
    uint32_t begun, flag;
};

static void *launch_and_hold(void *argument)
{
    struct held *held = argument;
    if (reap_parallel_for(held->queue, tell_and_hold, reap_range_1d(1), .begun = &held->begun,
                          .flag = &held->flag) != REAP_OK)
        atomic_store(&is_wrong, true);
    return NULL;
}

static void *wait_for_queue(void *argument)
{
    const struct held *held = argument;
    if (reap_queue_wait(held->queue) != REAP_OK)
        atomic_store(&is_wrong, true);
    atomic_store(&has_waited, true);
    return NULL;
}

static void check_wait(void)
{
    struct held held = {.begun = 0};
    pthread_t launcher, waiter;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &held.queue), REAP_OK);
    CHECK_EQ(pthread_create(&launcher, NULL, launch_and_hold, &held), 0);
    while (reap_atomic_fetch_or(&held.begun, 0u) == 0)
        sched_yield();
    CHECK_EQ(pthread_create(&waiter, NULL, wait_for_queue, &held), 0);
    pause_milliseconds(50);
    CHECK(!atomic_load(&has_waited));
    reap_atomic_exchange(&held.flag, 1u);
    pthread_join(waiter, NULL);
    pthread_join(launcher, NULL);
    CHECK(atomic_load(&has_waited) && !atomic_load(&is_wrong));
    reap_queue_release(held.queue);
}

int main(void)
{
    reap__parking_mutex_init(&lock);
    check_one_at_a_time();
    check_sleepers();
    reap__parking_mutex_destroy(&lock);
    check_wait();
    return check_finish();
}
