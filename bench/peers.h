/* SPDX-License-Identifier: Apache-2.0
 *
 * The peers that are compared: Reap, the read loop, and the modules in the folder peers/ beside the
 * program. A peer is opened in processes of its own alone (worker.h); here is what they told of it.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "bench/cases/case.h"

enum { MOST_PEERS = 12, MOST_CASES = 32 };

/* What is known of a peer once it has been opened. */
struct peer_facts {
    bool is_there;
    char why_not[200]; /* where it is not */
    char version[200], flags[200];
    bool only_all_threads, copies_arrays; /* as in struct bench_peer */
    bool does[MOST_CASES][BENCH_TYPES];   /* by the place in bench_cases */
};

struct peer {
    const char *name, *title;
    const char *head; /* of its column */
    struct peer_facts facts;
};

/* The first one is Reap, the second one the read loop. */
struct peer_list {
    struct peer peers[MOST_PEERS];
    size_t count;
};

enum { PEER_REAP, PEER_READ };

/* Finds out about those whose names are in the list with commas, all where it is NULL; Reap and the
 * read loop always. Ends the program where a name is none's. */
void peers_find_out(struct peer_list *list, const char *names);

/* NULL where it is not in the list, or not there. */
const struct peer *peers_find(const struct peer_list *list, const char *name);

/* Whether the peer is there and has the case for the type. */
bool peer_does(const struct peer *peer, const struct bench_case *work, enum bench_type type);

/* Opens a peer in this process; NULL where it is not there. The peer has the offers of all cases.
 */
const struct bench_peer *peer_open(const char *name, struct peer_facts *facts);

/* The function of an opened peer; NULL where it does not have the case for the type. */
bench_function peer_function(const struct bench_peer *peer, const struct bench_case *work,
                             enum bench_type type);

#endif
