/* SPDX-License-Identifier: Apache-2.0
 *
 * One rank of several is killed while they reduce, at the moment that an argument says: before it
 * begins, once it has begun, or between reductions. A second one: how many elements the arrays
 * have; small ones take another way. mpirun ends the others (killed.sh).
 */
#include "tests/mpi/rules.kernels.h"

#include "tests/mpi/ranks.h"

#include <reap/mpi.h>
#include <reap/reap.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 3000 };

static reap_status reduce(reap_queue *queue, int rank, const char *moment, size_t bins)
{
    static float x[ITEMS];
    reap_part *part;
    reap_mpi_request *request;
    bool is_done;
    const bool is_killed = rank == 1;
    REAP_TRY(reap_part_create(&reap_kernel_ranks_sum, "sum", &part));
    REAP_TRY(reap_mpi_allreduce(part, MPI_COMM_WORLD)); /* the first one takes the long way */
    reap_part_release(part);
    REAP_TRY(reap_part_create(&reap_kernel_ranks_bins, "bins", &part));
    REAP_TRY(reap_parallel_for(queue, ranks_bins, reap_range_1d(ITEMS), .x = x,
                               .bins = {.part = part, .count = bins},
                               .launch.first_item = (size_t)rank * ITEMS));
    REAP_TRY(reap_queue_wait(queue));
    if (is_killed && strcmp(moment, "before") == 0)
        raise(SIGKILL);
    REAP_TRY(reap_mpi_allreduce_begin(part, MPI_COMM_WORLD, &request));
    for (int i = 0; i < 10; i++)
        REAP_TRY(reap_mpi_test(request, &is_done));
    if (is_killed && strcmp(moment, "begun") == 0)
        raise(SIGKILL);
    REAP_TRY(reap_mpi_wait(&request));
    if (is_killed)
        raise(SIGKILL);
    REAP_TRY(reap_mpi_allreduce(part, MPI_COMM_WORLD));
    reap_part_release(part);
    return REAP_OK;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    reap_queue *queue = NULL;
    ranks_begin(&argc, &argv, &rank, &ranks);
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    CHECK_STATUS(reduce(queue, rank, argc > 1 ? argv[1] : "between",
                        argc > 2 ? strtoul(argv[2], NULL, 10) : 3),
                 REAP_OK);
    reap_queue_release(queue);
    return ranks_finish(rank);
}
