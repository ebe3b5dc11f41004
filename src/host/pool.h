/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that help launches. A launch works on its own thread. It can invite helpers at any time,
 * and dismisses them before it ends. Helpers without work poll for new work for about a tenth of a
 * millisecond after the last launch, then sleep, and cost nothing until the next invitation; after
 * some seconds without one they end. Several launches may have helpers at a time; the pool's limit
 * is for all of them together.
 */
#ifndef REAP_HOST_POOL_H
#define REAP_HOST_POOL_H

#include "src/port/affinity.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Work that helpers can join. It is on the stack of the launching thread. */
struct reap__job {
    /* Called once by each helper, with a number from 1 that no other helper of the job has. */
    _Alignas(8) void (*work)(struct reap__job *job, size_t helper);

    uint64_t
        last_look; /* when reap__pool_remind last looked for helpers; the launching thread's own */

    /* The pool's own; constant while the job is called. */
    uint64_t sequence; /* 0: the job is not called */
    size_t called;     /* the first so many helpers are called */

    /* The pool's own, under its lock. */
    struct reap__job *next;
    size_t wanted;   /* helpers still to be found */
    size_t numbered; /* helpers that have been assigned to it and have not been withdrawn */
};

/* Configures the pool, before the first invitation. `limit`: the most helpers; launches that have
 * invited and helpers are at most one more together, unless there are more launches. `spins`: there
 * are as many processors as threads, so threads may poll. `affinity`: the processors of helpers,
 * whichever processors the launching thread is bound to. Helpers are created when they are first
 * needed. */
void reap__pool_configure(size_t limit, bool spins, const struct reap__affinity *affinity);

/* Lets up to `count` helpers join the job. Does not wait for them, and cannot fail; fewer may
 * come. */
void reap__pool_invite(struct reap__job *job, size_t count);

/* Looks for helpers that the job still wants, since other launches may have ended. The launching
 * thread calls it between units; most calls only read one variable. */
void reap__pool_remind(struct reap__job *job);

/* Lets no further helper join. Blocks until those that have joined have left. */
void reap__pool_dismiss(struct reap__job *job);

/* The number of helpers that would come at once, because they are awake and have no job. A hint. */
size_t reap__pool_awake(void);

/* Reports a launch that would be shared with `count` helpers if they were awake, but is too short
 * to wake them. If such launches follow each other closely, helpers are woken for the next one. */
void reap__pool_miss(size_t count);

#endif
