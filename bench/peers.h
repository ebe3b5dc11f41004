/* SPDX-License-Identifier: Apache-2.0
 *
 * The peers that are compared: Reap, and the modules in the folder peers/
 * beside the program.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "bench/cases/case.h"

enum { MOST_PEERS = 12 };

struct peer {
    const char *name, *title;
    const char *head; /* of its column */
    const struct bench_peer *is_there;
    const char *why_not; /* where it is not */
};

struct peer_list {
    struct peer peers[MOST_PEERS]; /* the first one is Reap */
    size_t count;
};

/* What is set in the environment before any peer is opened, as "NAME=value ...": waiting threads
 * fall asleep before another peer's turn. */
const char *peers_settings(void);

/* Opens those whose names are in the list with commas, all where it is NULL. Ends the program where
 * a name is none's. */
void peers_open(struct peer_list *list, const char *names);

/* NULL where there is none. */
const struct peer *peers_find(const struct peer_list *list, const char *name);

/* NULL where the peer does not have the case for the type. */
bench_function peer_function(const struct peer *peer, const struct bench_case *work,
                             enum bench_type type);

#endif
