/* SPDX-License-Identifier: Apache-2.0
 *
 * Which messages of MPI this process sends and receives, by MPI's profiling interface: the
 * functions that libreap_mpi calls are defined here, count, and call MPI's.
 */
#ifndef BENCH_MPI_TRAFFIC_H
#define BENCH_MPI_TRAFFIC_H

#include <stdint.h>

enum { TRAFFIC_MOST_RANKS = 1024 };

struct traffic {
    uint64_t sent, received;                 /* messages */
    uint64_t sent_bytes[TRAFFIC_MOST_RANKS]; /* to each rank */
    uint64_t sums, sum_bytes;                /* calls of MPI_Ireduce and MPI_Iallreduce */
};

/* What was counted since the last call. */
struct traffic traffic_take(void);

#endif
