/* SPDX-License-Identifier: Apache-2.0
 *
 * A side: an opened peer at a piece of work, in the process that does it.
 */
#ifndef BENCH_SIDE_H
#define BENCH_SIDE_H

#include "bench/measure.h"
#include "bench/peers.h"

/* A piece of work. */
struct side_work {
    const struct bench_case *work;
    enum bench_type type;
    int variant;
    size_t count; /* elements */
    int threads;
    uint64_t seed; /* of the data */
};

struct side {
    struct bench_task task;
    struct bench_result result;
    bench_function function;
    const struct bench_peer *peer; /* NULL: the reference */
};

/* How many elements the work has: whole rows. */
size_t side_count(const struct bench_case *work, int variant, size_t count);

/* Prepares the data. */
void side_make(struct side *side, const struct side_work *work, const struct bench_peer *peer);

/* The case's naive loop. It has no queue of Reap's. */
void side_make_reference(struct side *side, const struct side_work *work);

/* Does the work once. */
void side_call(struct side *side);

/* Whether both are the same as far as the case demands it. */
bool side_agrees(const struct side_work *work, const struct bench_result *result,
                 const struct bench_result *expected);

/* Calls it for warm_seconds, or once, and then for turn_seconds, or once: all calls back to back.
 * Returns the seconds of one of the latter. A call of more than a tenth of a second is alone. */
double side_take_turn(struct side *side, double warm_seconds, double turn_seconds);

/* After some launches, the processor time that the process takes while it launches nothing more,
 * divided by the helpers: all threads but the one that launches. */
double side_time_idle(struct side *side);

#endif
