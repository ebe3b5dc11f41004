/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of words of arrays in the memory of CUDA devices, by NCCL, from device to device. NCCL and
 * CUDA's driver are opened at run time. Each rank needs its own device. A communicator of NCCL is
 * made for a context when it is first needed. No function here waits for other ranks.
 *
 * If NCCL fails, MPI adds the words, so a failure is not the request's. Functions return NULL on
 * success, otherwise the reason as a text.
 */
#ifndef REAP_MPI_NCCL_H
#define REAP_MPI_NCCL_H

#include "src/mpi/context.h"

#include <stddef.h>

enum { REAP__MPI_NCCL_ID_BYTES = 128, REAP__MPI_NCCL_TEXT_BYTES = 256 };

/* NCCL's objects of a context; all zero: none yet. */
struct reap__mpi_nccl {
    void *comm;
    void *stream;
    void *context; /* CUDA's, of the device: */
    const reap_device *device;
    bool is_connected;
    long begun;  /* when connecting, or the last sum, began: seconds of CLOCK_MONOTONIC */
    bool is_off; /* it has failed once on some rank: `why` has the reason */
    char why[REAP__MPI_NCCL_TEXT_BYTES];
};

/* Returns NULL if NCCL can add this rank's words, otherwise the reason. */
const char *reap__mpi_nccl_refuse(struct reap__mpi_nccl *nccl, const reap_part *part,
                                  const reap_part_description *is);

/* Called by one rank: makes an id, by which all ranks connect. */
const char *reap__mpi_nccl_make_id(struct reap__mpi_nccl *nccl,
                                   unsigned char id[REAP__MPI_NCCL_ID_BYTES]);

/* Begins to connect to the other ranks, from the device of this rank's part. */
const char *reap__mpi_nccl_connect(struct reap__mpi_nccl *nccl, const reap_part *part,
                                   const unsigned char id[REAP__MPI_NCCL_ID_BYTES], int rank,
                                   int ranks);

/* Begins to add words of all ranks, into memory of the device; on all ranks (root < 0), or one. */
const char *reap__mpi_nccl_sum(struct reap__mpi_nccl *nccl, const void *words, void *sums,
                               size_t count, size_t word_size, int root);

/* Sets *is_complete to whether the last operation that was begun is complete. */
const char *reap__mpi_nccl_poll(struct reap__mpi_nccl *nccl, bool *is_complete);

/* Leaves the other ranks, to which NCCL reports it if they wait for this one. */
void reap__mpi_nccl_release(struct reap__mpi_nccl *nccl);

/* The same; from now on the context does not use NCCL. */
void reap__mpi_nccl_turn_off(struct reap__mpi_nccl *nccl, const char *why);

/* How words were added: "NCCL 2.28.3". */
void reap__mpi_nccl_name(char *text, size_t size);

#endif
