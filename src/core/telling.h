/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the program has been told that commands failed: one object for all failures of a queue
 * from one error that reap_queue_wait has returned to the next.
 */
#ifndef REAP_CORE_TELLING_H
#define REAP_CORE_TELLING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__telling {
    atomic_uint holders;
    atomic_size_t number; /* of all tellings; 0: it has not happened */
};

/* How many have happened. A command notes it when it takes its place in the order. */
size_t reap__tellings(void);

/* NULL: no memory, and nobody will be told. To be given back by reap__telling_release. */
struct reap__telling *reap__telling_make(void);
struct reap__telling *reap__telling_hold(struct reap__telling *telling);

/* It happens now. */
void reap__telling_happens(struct reap__telling *telling);

/* Whether it was one of the first `count`. NULL: no. */
bool reap__telling_was_before(const struct reap__telling *telling, size_t count);

/* NULL is fine. */
void reap__telling_release(struct reap__telling *telling);

#endif
