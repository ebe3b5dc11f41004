/* SPDX-License-Identifier: Apache-2.0
 *
 * A library in NCCL's place, which adds words in the memory of emulated cards by MPI. What it is
 * asked for completes some polls later. STAND_IN_NCCL names what fails, and on
 * which rank: "init 1", "init-later 1", "sum 1", "sum-later 0", "id 0". After "sum 1" the other
 * ranks are not told, and theirs do not complete.
 */
#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, INVALID_USAGE = 5, IN_PROGRESS = 7, POLLS = 3 };

struct id {
    char bytes[128];
};
struct comm {
    MPI_Comm ranks;
    MPI_Request request;
    bool is_summing;
    int polls;
    int rank;
};

int ncclGetVersion(int *version);
int ncclGetUniqueId(struct id *id);
int ncclCommInitRankConfig(struct comm **comm, int ranks, struct id id, int rank, void *config);
int ncclCommAbort(struct comm *comm);
int ncclCommGetAsyncError(struct comm *comm, int *error);
int ncclAllReduce(const void *from, void *to, size_t count, int type, int op, struct comm *comm,
                  void *stream);
int ncclReduce(const void *from, void *to, size_t count, int type, int op, int root,
               struct comm *comm, void *stream);
const char *ncclGetErrorString(int code);

static bool fails(const char *what, int rank)
{
    const char *wanted = getenv("STAND_IN_NCCL");
    char text[32];
    snprintf(text, sizeof text, "%s %d", what, rank);
    return wanted != NULL && strcmp(wanted, text) == 0;
}

/* Whether one rank does not join the sum. */
static bool lacks_a_rank(void)
{
    const char *wanted = getenv("STAND_IN_NCCL");
    return wanted != NULL && strncmp(wanted, "sum ", 4) == 0;
}

int ncclGetVersion(int *version)
{
    *version = 22803;
    return SUCCESS;
}

int ncclGetUniqueId(struct id *id)
{
    memset(id, 42, sizeof *id);
    return fails("id", 0) ? INVALID_USAGE : SUCCESS;
}

/* As NCCL's, it need not wait for the others. */
int ncclCommInitRankConfig(struct comm **comm, int ranks, struct id id, int rank, void *config)
{
    int number, count;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    for (size_t i = 0; i < sizeof id; i++)
        if (id.bytes[i] != 42)
            return INVALID_USAGE;
    if (number != rank || count != ranks || config == NULL || fails("init", rank))
        return INVALID_USAGE;
    *comm = calloc(1, sizeof **comm);
    (*comm)->rank = rank;
    (*comm)->ranks = MPI_COMM_WORLD;
    (*comm)->request = MPI_REQUEST_NULL;
    return IN_PROGRESS;
}

int ncclCommAbort(struct comm *comm)
{
    free(comm);
    return SUCCESS;
}

int ncclCommGetAsyncError(struct comm *comm, int *error)
{
    int is_complete = 1;
    *error = IN_PROGRESS;
    if (fails(comm->is_summing ? "sum-later" : "init-later", comm->rank)) {
        *error = INVALID_USAGE;
        if (comm->request != MPI_REQUEST_NULL) /* the others' sums complete */
            MPI_Wait(&comm->request, MPI_STATUS_IGNORE);
    } else if (comm->polls++ >= POLLS && !(comm->is_summing && lacks_a_rank())) {
        MPI_Test(&comm->request, &is_complete, MPI_STATUS_IGNORE);
        *error = is_complete ? SUCCESS : IN_PROGRESS;
    }
    return SUCCESS;
}

static MPI_Datatype type_of(int type)
{
    return type == 1 ? MPI_UINT8_T : type == 3 ? MPI_UINT32_T : MPI_UINT64_T;
}

int ncclAllReduce(const void *from, void *to, size_t count, int type, int op, struct comm *comm,
                  void *stream)
{
    if (op != 0 || stream == NULL || (type != 1 && type != 3 && type != 5) || count > INT_MAX)
        return INVALID_USAGE;
    comm->polls = 0;
    comm->is_summing = true;
    if (lacks_a_rank())
        return fails("sum", comm->rank) ? INVALID_USAGE : IN_PROGRESS;
    MPI_Iallreduce(from, to, (int)count, type_of(type), MPI_SUM, comm->ranks, &comm->request);
    return IN_PROGRESS;
}

int ncclReduce(const void *from, void *to, size_t count, int type, int op, int root,
               struct comm *comm, void *stream)
{
    if (op != 0 || stream == NULL || (comm->rank == root) != (to != NULL))
        return INVALID_USAGE;
    comm->polls = 0;
    comm->is_summing = true;
    if (lacks_a_rank())
        return fails("sum", comm->rank) ? INVALID_USAGE : IN_PROGRESS;
    MPI_Ireduce(from, to, (int)count, type_of(type), MPI_SUM, root, comm->ranks, &comm->request);
    return IN_PROGRESS;
}

const char *ncclGetErrorString(int code)
{
    return code == INVALID_USAGE ? "invalid usage" : "another error";
}
