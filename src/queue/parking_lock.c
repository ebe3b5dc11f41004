/* SPDX-License-Identifier: Apache-2.0
 *
 * As in Drepper, "Futexes Are Tricky" (2011), section 6, with a condition variable for the futex:
 * a thread that finds it locked marks it as contended, with `asleep` held, before it sleeps. So the
 * owner that sees the mark finds the thread asleep once it holds `asleep`. A thread that was woken
 * does not know whether others sleep, so it locks the mutex as contended, and wakes one more.
 */
#include "src/queue/parking_lock.h"

#include "src/port/cancellation.h"

void reap__parking_mutex_init(struct reap__parking_mutex *lock)
{
    atomic_store_explicit(&lock->state, REAP__PARKING_MUTEX_FREE, memory_order_relaxed);
    pthread_mutex_init(&lock->asleep, NULL);
    pthread_cond_init(&lock->freed, NULL);
}

void reap__parking_mutex_destroy(struct reap__parking_mutex *lock)
{
    pthread_mutex_destroy(&lock->asleep);
    pthread_cond_destroy(&lock->freed);
}

void reap__parking_mutex_lock_slow(struct reap__parking_mutex *lock)
{
    pthread_mutex_lock(&lock->asleep);
    while (atomic_exchange_explicit(&lock->state, REAP__PARKING_MUTEX_CONTENDED,
                                    memory_order_acquire) != REAP__PARKING_MUTEX_FREE)
        reap__condition_wait(&lock->freed, &lock->asleep);
    pthread_mutex_unlock(&lock->asleep);
}

void reap__parking_mutex_wake(struct reap__parking_mutex *lock)
{
    pthread_mutex_lock(&lock->asleep);
    pthread_cond_signal(&lock->freed);
    pthread_mutex_unlock(&lock->asleep);
}
