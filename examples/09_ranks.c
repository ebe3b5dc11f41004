/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranks of an MPI program, each with a share of the items: the sums have the same bits for any
 * number of ranks. Rank 0 compares them with those of one launch.
 *
 *     mpirun -n 3 09_ranks
 */
#include <mpi.h>
#include <reap/mpi.h>
#include <reap/reap.h>
#include <stdio.h>
#include <string.h>

#include "09_ranks.kernels.h"

enum { COUNT = 1000003 };

struct sums {
    float rounded;
    double sum;
};

/* One launch over all items. */
static reap_status add_all(reap_queue *queue, struct sums *sums)
{
    REAP_TRY(reap_parallel_for(queue, harmonic, reap_range_1d(COUNT), .first = 0,
                               .rounded = &sums->rounded, .sum = &sums->sum));
    return reap_queue_wait(queue);
}

/* The rank's share into parts, which all ranks then merge. Other work could be done between. */
static reap_status add_share(reap_queue *queue, size_t first, size_t end, reap_part *rounded,
                             reap_part *sum)
{
    reap_mpi_request *requests[2];
    REAP_TRY(reap_parallel_for(queue, harmonic, reap_range_1d(end - first), .first = (double)first,
                               .rounded = {.part = rounded}, .sum = {.part = sum},
                               .launch.first_item = first));
    REAP_TRY(reap_queue_wait(queue));
    REAP_TRY(reap_mpi_allreduce_begin(rounded, MPI_COMM_WORLD, &requests[0]));
    REAP_TRY(reap_mpi_allreduce_begin(sum, MPI_COMM_WORLD, &requests[1]));
    REAP_TRY(reap_mpi_wait(&requests[0]));
    return reap_mpi_wait(&requests[1]);
}

static reap_status run(int rank, int ranks, int *are_same)
{
    reap_queue *queue;
    reap_part *rounded, *sum;
    struct sums all = {0, 0}, merged = {0, 0};
    size_t first = (size_t)COUNT * (size_t)rank / (size_t)ranks;
    size_t end = (size_t)COUNT * ((size_t)rank + 1) / (size_t)ranks;
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    REAP_TRY(reap_part_create(&reap_kernel_harmonic, "rounded", &rounded));
    REAP_TRY(reap_part_create(&reap_kernel_harmonic, "sum", &sum));
    REAP_TRY(add_share(queue, first, end, rounded, sum));
    REAP_TRY(reap_part_finish(rounded, &merged.rounded, NULL));
    REAP_TRY(reap_part_finish(sum, &merged.sum, NULL));
    REAP_TRY(add_all(queue, &all));
    *are_same = memcmp(&all.rounded, &merged.rounded, sizeof all.rounded) == 0 &&
                memcmp(&all.sum, &merged.sum, sizeof all.sum) == 0;
    if (rank == 0)
        printf("%d ranks: sums %.9g and %.17g: %s bits as in one launch\n", ranks,
               (double)merged.rounded, merged.sum, *are_same ? "the same" : "OTHER");
    reap_part_release(rounded);
    reap_part_release(sum);
    reap_queue_release(queue);
    return REAP_OK;
}

int main(int argc, char **argv)
{
    int rank, ranks, level, are_same = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (run(rank, ranks, &are_same) != REAP_OK)
        fprintf(stderr, "rank %d: %s\n", rank, reap_last_error());
    MPI_Finalize();
    return !are_same;
}
