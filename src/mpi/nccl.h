/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of arrays in the memory of CUDA devices, which NCCL adds from device to device. NCCL and
 * CUDA's driver are opened at run time. Each rank needs a device of its own. A communicator of
 * NCCL is made for a context when it is first needed. Nothing here waits for other ranks.
 *
 * A failure here is not the request's: MPI adds the words then. So functions return why it failed,
 * a text; NULL: it did not.
 */
#ifndef REAP_MPI_NCCL_H
#define REAP_MPI_NCCL_H

#include "src/mpi/context.h"

#include <stddef.h>

enum { REAP__MPI_NCCL_ID_BYTES = 128, REAP__MPI_NCCL_TEXT_BYTES = 256 };

/* What a context has of NCCL; all zero: nothing yet. */
struct reap__mpi_nccl {
    void *comm;
    void *stream;
    void *context; /* CUDA's, of the device: */
    const reap_device *device;
    bool is_connected;
    long begun;  /* when connecting or the last sum has: CLOCK_MONOTONIC's seconds */
    bool is_off; /* it has failed once on some rank: `why` has the reason */
    char why[REAP__MPI_NCCL_TEXT_BYTES];
};

/* Why this rank's words cannot be added by NCCL. */
const char *reap__mpi_nccl_refuse(struct reap__mpi_nccl *nccl, const reap_part *part,
                                  const reap_part_description *is);

/* For one rank: an id, which all ranks connect with. */
const char *reap__mpi_nccl_make_id(struct reap__mpi_nccl *nccl,
                                   unsigned char id[REAP__MPI_NCCL_ID_BYTES]);

/* Begins to connect to the other ranks, from the device of this rank's part. */
const char *reap__mpi_nccl_connect(struct reap__mpi_nccl *nccl, const reap_part *part,
                                   const unsigned char id[REAP__MPI_NCCL_ID_BYTES], int rank,
                                   int ranks);

/* Begins to add words of all ranks, into memory of the device; on all ranks (root < 0), or one. */
const char *reap__mpi_nccl_sum(struct reap__mpi_nccl *nccl, const void *words, void *sums,
                               size_t count, size_t word_size, int root);

/* Whether what was begun last has completed. */
const char *reap__mpi_nccl_poll(struct reap__mpi_nccl *nccl, bool *is_complete);

/* Leaves the other ranks, to which NCCL reports it if they wait for this one. */
void reap__mpi_nccl_release(struct reap__mpi_nccl *nccl);

/* The same; and from now on the context has no NCCL. */
void reap__mpi_nccl_turn_off(struct reap__mpi_nccl *nccl, const char *why);

/* How words were added: "NCCL 2.28.3". */
void reap__mpi_nccl_name(char *text, size_t size);

#endif
