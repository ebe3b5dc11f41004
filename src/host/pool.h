/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that help launches. A launch works on its own thread; it may invite helpers at any
 * moment, and dismisses them before it ends. Helpers without work watch for some for at most a
 * tenth of a millisecond, then sleep, and cost nothing until the next invitation; when none has
 * come for some seconds they end. Several launches may have helpers at a time; together they are
 * kept to the pool's number.
 */
#ifndef REAP_HOST_POOL_H
#define REAP_HOST_POOL_H

#include "src/port/affinity.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Work that helpers can join; lives on the inviting launch's stack. */
struct reap__job {
    /* Called once by each helper, with a number from 1 that no other helper of the job has. */
    _Alignas(8) void (*work)(struct reap__job *job, size_t helper);

    uint64_t last_look; /* for helpers; the launching thread's own */

    /* The pool's own; constant while it is called. */
    uint64_t sequence; /* 0: it is not called */
    size_t called;     /* the first so many helpers are called */

    /* The pool's own, under its lock. */
    struct reap__job *next;
    size_t wanted;   /* helpers that have not been found yet */
    size_t numbered; /* helpers that it has been left with, and not taken back from */
};

/* Sets how many helpers there can be, and so, with one more, how many threads the launches that
 * have invited and their helpers are together, unless the launches alone are more; before the first
 * invitation, and the processors that they run on, wherever the launching thread is bound. Threads
 * are made when they are wanted. `spins`: whether there are as many processors as threads. */
void reap__pool_configure(size_t limit, bool spins, const struct reap__affinity *affinity);

/* Lets up to `count` helpers join the job. Does not wait, and cannot fail: fewer may come. */
void reap__pool_invite(struct reap__job *job, size_t count);

/* Finds helpers that are still wanted, where launches that have ended since made room for them. The
 * launching thread calls it between parts of its work; it looks no more often than is worth it. */
void reap__pool_remind(struct reap__job *job);

/* No further helper joins; returns once those inside have left. */
void reap__pool_dismiss(struct reap__job *job);

/* How many helpers would come at once: they are awake and have no job. A hint. */
size_t reap__pool_awake(void);

/* A launch begins that would have been worth so many helpers if they were awake, and is not worth
 * waking them. Where such launches follow each other closely, they are woken for the next one. */
void reap__pool_miss(size_t count);

#endif
