/* SPDX-License-Identifier: Apache-2.0
 *
 * What the library keeps for a communicator: a duplicate, on which its messages cannot meet those
 * of the program, and the requests in flight. It is an attribute of the program's communicator.
 */
#ifndef REAP_MPI_CONTEXT_H
#define REAP_MPI_CONTEXT_H

#include <mpi.h>
#include <reap/mpi.h>
#include <stdint.h>

struct reap__mpi_nccl;

/* Messages are cut to so many bytes; without memory for it, it is received here. */
enum { REAP__MPI_MOST_BYTES = 1 << 20 };

struct reap__mpi_context {
    MPI_Comm comm;           /* the duplicate, whose errors are returned */
    MPI_Request duplication; /* MPI_REQUEST_NULL: it exists */
    bool is_testing;         /* in MPI_Test for it, which may call delete_attribute */
    bool is_ready;
    int rank, ranks;
    unsigned references;     /* the attribute's, and one of each request */
    bool is_alike;           /* all ranks have this version: they have agreed once */
    uint64_t next;           /* the number of the next request: the same on all ranks */
    reap_mpi_request *first; /* in flight, in the order in which they began */
    reap_mpi_request *spare; /* one that has ended, for the next: so that needs no memory */
    unsigned char *unwanted; /* REAP__MPI_MOST_BYTES, never read */
    struct reap__mpi_nccl *nccl;
    char transport[320]; /* how the last reduction moved its values */
};

/* The communicator's, with a reference for the caller. The first time it begins to duplicate it. */
reap_status reap__mpi_context_get(MPI_Comm comm, const char *call,
                                  struct reap__mpi_context **context);
void reap__mpi_context_release(struct reap__mpi_context *context);

/* Whether the duplicate exists; MPI's status. */
int reap__mpi_context_poll(struct reap__mpi_context *context, bool *is_ready);

/* Sets the last error, and returns the status. */
reap_status reap__mpi_fail(reap_status status, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

/* The same with MPI's words. */
reap_status reap__mpi_fail_by(int code, const char *what);

#endif
