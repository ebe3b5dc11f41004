/* SPDX-License-Identifier: Apache-2.0
 *
 * See traffic.h. Messages that MPI sends for its own reductions are not seen here.
 */
#include "bench/mpi/traffic.h"

#include <mpi.h>

static struct traffic traffic;

struct traffic traffic_take(void)
{
    const struct traffic taken = traffic;
    traffic = (struct traffic){0};
    return taken;
}

static uint64_t bytes_of(int count, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return (uint64_t)count * (uint64_t)size;
}

int MPI_Isend(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    traffic.sent++;
    if (to < TRAFFIC_MOST_RANKS)
        traffic.sent_bytes[to] += bytes_of(count, type);
    return PMPI_Isend(bytes, count, type, to, tag, comm, request);
}

int MPI_Irecv(void *bytes, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    traffic.received++;
    return PMPI_Irecv(bytes, count, type, from, tag, comm, request);
}

int MPI_Ireduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op operation,
                int root, MPI_Comm comm, MPI_Request *request)
{
    traffic.sums++;
    traffic.sum_bytes += bytes_of(count, type);
    return PMPI_Ireduce(mine, all, count, type, operation, root, comm, request);
}

int MPI_Iallreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op operation,
                   MPI_Comm comm, MPI_Request *request)
{
    traffic.sums++;
    traffic.sum_bytes += bytes_of(count, type);
    return PMPI_Iallreduce(mine, all, count, type, operation, comm, request);
}
