/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of MPI programs have in common: a start and an end of all ranks. A rank that finds
 * something wrong says its number.
 */
#ifndef TESTS_MPI_RANKS_H
#define TESTS_MPI_RANKS_H

#include "tests/support/check_status.h"

#include <mpi.h>

static inline void ranks_begin(int *argc, char ***argv, int *rank, int *ranks)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
}

/* The same seed on all ranks, printed by one. */
static inline uint64_t ranks_seed(int rank)
{
    uint64_t seed = rank == 0 ? check_seed() : 0;
    MPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return seed;
}

/* The exit status of each rank: what all have found. */
static inline int ranks_finish(int rank)
{
    unsigned long found[3] = {check_count, check_failures, check_comparisons}, all[3];
    if (check_failures > 0)
        fprintf(stderr, "rank %d: %lu checks failed\n", rank, check_failures);
    MPI_Allreduce(found, all, 3, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    check_count = all[0];
    check_failures = all[1];
    check_comparisons = all[2];
    return rank == 0 ? check_finish() : all[1] > 0;
}

#endif
