/* SPDX-License-Identifier: Apache-2.0
 *
 * A lock for what each launch takes: it costs one atomic operation to take and one to give back as
 * long as nobody else wants it. Who finds it taken sleeps. It is not fair, and who has it must not
 * take it once more.
 */
#ifndef REAP_QUEUE_PARKING_LOCK_H
#define REAP_QUEUE_PARKING_LOCK_H

#include "src/port/compiler.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* AWAITED is TAKEN, and somebody may be asleep. */
enum reap__lock_state { REAP__LOCK_FREE, REAP__LOCK_TAKEN, REAP__LOCK_AWAITED };

struct reap__lock {
    atomic_uint state;      /* who takes it (acquire) sees what those before wrote (release) */
    pthread_mutex_t asleep; /* of those who fall asleep, and of who wakes them */
    pthread_cond_t freed;
};

void reap__lock_make(struct reap__lock *lock);
void reap__lock_end(struct reap__lock *lock);

/* The rare cases of what follows: it is taken; somebody may be asleep. */
REAP__APART void reap__lock_await(struct reap__lock *lock);
REAP__APART void reap__lock_wake(struct reap__lock *lock);

static inline void reap__lock_take(struct reap__lock *lock)
{
    unsigned state = REAP__LOCK_FREE;
    if (REAP__SELDOM(!atomic_compare_exchange_strong_explicit(
            &lock->state, &state, REAP__LOCK_TAKEN, memory_order_acquire, memory_order_relaxed)))
        reap__lock_await(lock);
}

static inline void reap__lock_leave(struct reap__lock *lock)
{
    const unsigned state =
        atomic_exchange_explicit(&lock->state, REAP__LOCK_FREE, memory_order_release);
    if (REAP__SELDOM(state == REAP__LOCK_AWAITED))
        reap__lock_wake(lock);
}

/* Whether nobody has it; who hears so sees what those before wrote. */
static inline bool reap__lock_is_free(struct reap__lock *lock)
{
    return atomic_load_explicit(&lock->state, memory_order_acquire) == REAP__LOCK_FREE;
}

#endif
