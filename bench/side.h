/* SPDX-License-Identifier: Apache-2.0
 *
 * A side: a peer at a piece of work. Sides of one comparison share the data.
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
    const struct bench_peer *peer; /* NULL: the read loop, or the reference */
};

/* How many elements the work has: whole rows. */
size_t side_count(const struct bench_case *work, int variant, size_t count);

/* Whether the peer can do the work. */
bool side_is_there(const struct peer *peer, const struct side_work *work, int all_threads);

/* The slot, below MOST_SIDES, is where the side counts in bins. */
void side_make(struct side *side, const struct side_work *work, const struct peer *peer, int slot);

/* The case's naive loop. */
void side_make_reference(struct side *side, const struct side_work *work);

/* A plain loop that reads what the work reads. */
void side_make_read_loop(struct side *side, const struct side_work *work);

/* Does the work once. */
void side_call(struct side *side);

/* Whether it came to what the reference came to, both called. */
bool side_agrees(const struct side *side, const struct side *reference);

/* For measure_in_turns; the side stays where it is. */
struct measured_side side_measured(struct side *side);

#endif
