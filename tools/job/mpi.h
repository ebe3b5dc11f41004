/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of MPI that the tool needs: messages between the ranks and rank 0. mpi.c implements
 * it in a library that the tool opens only if it was started by mpirun, so that neither the tool
 * nor libreap needs MPI.
 */
#ifndef CLI_MPI_H
#define CLI_MPI_H

#include <stdbool.h>
#include <stddef.h>

enum { CLI_MPI_VERSION = 1, CLI_MPI_LINE_BYTES = 256 };

/* Only one thread calls these functions. Failures of MPI end the job, which is MPI's default. */
struct cli_mpi_functions {
    int version; /* CLI_MPI_VERSION */

    /* Writes MPI's name and version as one line. May be called before `begin`. */
    void (*describe)(char line[CLI_MPI_LINE_BYTES]);

    /* Initialises MPI, once. */
    void (*begin)(int *rank, int *count);
    void (*end)(void);

    /* Begins to send a message; the bytes must not change until it is received. Returns a request,
     * or NULL: out of memory. */
    void *(*send)(int to, const void *bytes, size_t count);

    /* Whether the message has been received; then the request is freed. */
    bool (*has_sent)(void *request);

    /* `probe` returns whether a message from a rank has arrived, and its size; `receive` receives
     * it. */
    bool (*probe)(int from, size_t *count);
    void (*receive)(int from, void *bytes, size_t count);
};

/* The library exports the functions under this name. */
#define CLI_MPI_SYMBOL "cli_mpi_functions"

#endif
