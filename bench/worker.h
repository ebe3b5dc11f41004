/* SPDX-License-Identifier: Apache-2.0
 *
 * The processes of the sides. Each opens one peer and answers requests; outside its turns it is
 * stopped (SIGSTOP) with all its threads, so that threads that wait by spinning take no processor
 * time from others. A process is forked from this one, so it has the prepared data, in the same
 * pages.
 */
#ifndef BENCH_WORKER_H
#define BENCH_WORKER_H

#include "bench/side.h"

#include <sys/types.h>

struct worker {
    const char *peer;
    pid_t process; /* and the number of its process group */
    int requests, answers;
};

/* Forks a process that opens the peer, sets the peer's facts, and stops the process. */
void worker_start(struct worker *worker, const char *peer, struct peer_facts *facts);

void worker_end(struct worker *worker);

/* Does the work once. The result's bins are overwritten by the next one's. */
struct bench_result worker_call(struct worker *worker, const struct side_work *work);

/* A side for measure_in_turns; all three stay where they are. */
struct worker_side {
    struct worker *worker;
    const struct side_work *work;
    const struct measure_settings *settings; /* NULL: it is side_time_idle that is asked for */
};

struct measured_side worker_measured(struct worker_side *side);

/* The processes of the peers, at their places in the list of peers; all 0 before the first use. */
struct worker_list {
    struct worker workers[MOST_PEERS];
    uint64_t data; /* what they were forked with */
};

/* Prepares the work's data, which processes that are started from here on share; ends those that do
 * not have it. A process prepares for itself what it is asked for and does not have. */
void workers_prepare(struct worker_list *list, const struct side_work *work);

/* The process of a peer that is there; starts it where it has not been started. */
struct worker *workers_get(struct worker_list *list, const struct peer_list *peers, size_t peer);

void workers_end(struct worker_list *list);

#endif
