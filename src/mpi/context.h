/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's data of a communicator: a duplicate, which keeps its messages apart from the
 * program's, and the requests in flight. It is an attribute of the program's communicator.
 */
#ifndef REAP_MPI_CONTEXT_H
#define REAP_MPI_CONTEXT_H

#include <mpi.h>
#include <reap/mpi.h>
#include <stdint.h>

struct reap__mpi_nccl;

/* The most bytes of a message; longer data are sent as several. Without memory for one, the rank
 * receives it into `unwanted`. */
enum { REAP__MPI_MOST_BYTES = 1 << 20 };

struct reap__mpi_context {
    MPI_Comm comm;           /* the duplicate; calls on it return errors */
    MPI_Request duplication; /* MPI_REQUEST_NULL: complete */
    bool is_testing;         /* in MPI_Test of `duplication`, which may call delete_attribute */
    bool is_ready;
    int rank, ranks;
    unsigned references; /* the attribute's, and one of each request */
    bool is_alike; /* an agreement has shown that all ranks have this version of the library */
    uint64_t next; /* the number of the next request: the same on all ranks */
    reap_mpi_request *first; /* in flight, in the order in which they began */
    reap_mpi_request *spare; /* a request that has ended, whose memory the next one uses */
    unsigned char *unwanted; /* REAP__MPI_MOST_BYTES, never read */
    struct reap__mpi_nccl *nccl;
    char transport[320]; /* how the last reduction moved its values */
};

/* Returns the communicator's context, with a reference for the caller; the first call begins to
 * duplicate the communicator. Fails with REAP_ERROR_OUT_OF_MEMORY or
 * REAP_ERROR_COMMUNICATION_FAILED. */
reap_status reap__mpi_context_get(MPI_Comm comm, const char *call,
                                  struct reap__mpi_context **context);
void reap__mpi_context_release(struct reap__mpi_context *context);

/* Sets *is_ready to whether the duplicate exists; returns MPI's status. Does not block. */
int reap__mpi_context_poll(struct reap__mpi_context *context, bool *is_ready);

/* Sets this thread's last error; returns the status. */
reap_status reap__mpi_fail(reap_status status, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

/* Fails with REAP_ERROR_COMMUNICATION_FAILED and MPI's text of the error code. */
reap_status reap__mpi_fail_by(int code, const char *what);

#endif
