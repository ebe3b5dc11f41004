/* SPDX-License-Identifier: Apache-2.0
 *
 * A mutex that each launch locks: without contention, locking and unlocking cost one atomic
 * operation each. A thread that finds it locked sleeps. It is neither fair nor recursive.
 */
#ifndef REAP_QUEUE_PARKING_LOCK_H
#define REAP_QUEUE_PARKING_LOCK_H

#include "src/port/compiler.h"
#include "src/port/sanitizer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Contended: locked, and threads may be asleep. */
enum reap__parking_mutex_state {
    REAP__PARKING_MUTEX_FREE,
    REAP__PARKING_MUTEX_LOCKED,
    REAP__PARKING_MUTEX_CONTENDED
};

struct reap__parking_mutex {
    atomic_uint state;      /* locked by acquire, unlocked by release */
    pthread_mutex_t asleep; /* held by threads that fall asleep, and by the one that wakes them */
    pthread_cond_t freed;
};

void reap__parking_mutex_init(struct reap__parking_mutex *lock);
void reap__parking_mutex_destroy(struct reap__parking_mutex *lock);

/* The rare cases of the next two: it is locked; threads may be asleep. */
REAP__APART void reap__parking_mutex_lock_slow(struct reap__parking_mutex *lock);
REAP__APART void reap__parking_mutex_wake(struct reap__parking_mutex *lock);

static inline void reap__parking_mutex_lock(struct reap__parking_mutex *lock)
{
    unsigned state = REAP__PARKING_MUTEX_FREE;
    if (REAP__SELDOM(!atomic_compare_exchange_strong_explicit(
            &lock->state, &state, REAP__PARKING_MUTEX_LOCKED, memory_order_acquire,
            memory_order_relaxed)))
        reap__parking_mutex_lock_slow(lock);
    reap__tsan_note_acquire(&lock->state);
}

static inline void reap__parking_mutex_unlock(struct reap__parking_mutex *lock)
{
    reap__tsan_note_release(&lock->state);
    const unsigned state =
        atomic_exchange_explicit(&lock->state, REAP__PARKING_MUTEX_FREE, memory_order_release);
    if (REAP__SELDOM(state == REAP__PARKING_MUTEX_CONTENDED))
        reap__parking_mutex_wake(lock);
}

/* Whether it is unlocked. If so, the caller sees what earlier owners wrote. */
static inline bool reap__parking_mutex_is_free(struct reap__parking_mutex *lock)
{
    if (atomic_load_explicit(&lock->state, memory_order_acquire) != REAP__PARKING_MUTEX_FREE)
        return false;
    reap__tsan_note_acquire(&lock->state);
    return true;
}

#endif
