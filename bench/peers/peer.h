/* SPDX-License-Identifier: Apache-2.0
 *
 * What the benchmark and a peer know of each other. A peer is a way to do the work of the cases: a
 * module (bench/peers/NAME.c, built as peers/peer_NAME.so beside the program), or Reap itself. It
 * is opened in processes of its own. It says which cases it has for which types, each as a function
 * that does the work once and waits for the result.
 */
#ifndef BENCH_PEERS_PEER_H
#define BENCH_PEERS_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bench_type {
    BENCH_FLOAT,
    BENCH_DOUBLE,
    BENCH_INT,
    BENCH_HALF,
    BENCH_UINT32,
    BENCH_BFLOAT16,
    BENCH_TYPES
};

/* One piece of work. Arrays lie at the beginning of a page. */
struct bench_task {
    const char *work; /* the case's name */
    enum bench_type type;
    int variant;          /* the case's, from 0 */
    size_t extent;        /* what the variant says: bins, columns of a row, calls of a loop */
    size_t count;         /* elements */
    size_t bytes;         /* of each array */
    const void *x, *y;    /* y: NULL where the case has one array */
    uint64_t data;        /* the same number as long as the arrays hold the same */
    int threads;          /* to use */
    void *queue;          /* Reap's, of so many threads */
    uint32_t *partial[2]; /* room for one number in 256 elements, and one more */
};

struct bench_result {
    double values[4];
    uint32_t *bins; /* or ints, or floats; as many as the variant has; NULL where it has none */
};

typedef void (*bench_function)(const struct bench_task *task, struct bench_result *result);

/* A case that the peer has for a type. */
struct bench_offer {
    const char *work;
    enum bench_type type;
    bench_function function;
};

struct bench_peer {
    const char *version;
    const char *flags; /* how it is compiled, and with what it runs */
    const struct bench_offer *offers;
    size_t offer_count;
    bool only_all_threads; /* its number of threads cannot be reduced */
    bool copies_arrays;    /* it keeps copies of its own */
    bool is_library;       /* a caller writes no loop */
    /* If not NULL: does this many calls and returns the seconds that they took by its own clock. */
    double (*time_calls)(const struct bench_task *task, long calls);
};

/* Each module exports this. NULL where the peer cannot work here; then *why_not says why. */
const struct bench_peer *bench_peer_open(const char **why_not);

#ifdef __cplusplus
}
#endif

#endif
