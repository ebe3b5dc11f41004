/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages between the ranks of an MPI job, by synchronous sends: a send completes when the message
 * is received, so a fast rank does not fill the memory of another.
 */
#include "tools/job/mpi.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm comm;

enum { TAG = 0 };

static void describe(char line[CLI_MPI_LINE_BYTES])
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    size_t bytes = strcspn(version, ",\n");
    bytes = bytes < CLI_MPI_LINE_BYTES - 1 ? bytes : CLI_MPI_LINE_BYTES - 1;
    for (size_t i = 0; i < bytes; i++)
        line[i] = version[i] == '\t' ? ' ' : version[i];
    line[bytes] = '\0';
}

static void begin(int *rank, int *count)
{
    int level;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, rank);
    MPI_Comm_size(comm, count);
}

static void end(void)
{
    MPI_Comm_free(&comm);
    MPI_Finalize();
}

static void *start_send(int to, const void *bytes, size_t count)
{
    MPI_Request *request = malloc(sizeof *request);
    assert(count <= INT_MAX); /* job.c divides packets into messages */
    if (request != NULL)
        MPI_Issend(bytes, (int)count, MPI_BYTE, to, TAG, comm, request);
    return request;
}

static bool has_sent(void *of)
{
    MPI_Request *request = of;
    int is_done = 0;
    MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
    if (is_done != 0)
        free(request);
    return is_done != 0;
}

static bool probe(int from, size_t *count)
{
    MPI_Status status;
    int is_there, bytes;
    MPI_Iprobe(from, TAG, comm, &is_there, &status);
    if (is_there == 0)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    *count = (size_t)bytes;
    return true;
}

static void receive(int from, void *bytes, size_t count)
{
    MPI_Recv(bytes, (int)count, MPI_BYTE, from, TAG, comm, MPI_STATUS_IGNORE);
}

extern const struct cli_mpi_functions cli_mpi_functions;

__attribute__((visibility("default")))
const struct cli_mpi_functions cli_mpi_functions = {.version = CLI_MPI_VERSION,
                                                    .describe = describe,
                                                    .begin = begin,
                                                    .end = end,
                                                    .send = start_send,
                                                    .has_sent = has_sent,
                                                    .probe = probe,
                                                    .receive = receive};
