/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reductions over the ranks of an MPI program: parts (part.h) that one rank gets, or all.
 *
 * This is a library beside Reap, `libreap_mpi`, with a pkg-config file, `reap_mpi`. `<reap/reap.h>`
 * does not include this file, and `libreap` does not need MPI. Each rank launches its share of the
 * items into a part; then all ranks merge their parts:
 *
 * @code{.c}
 * reap_part *part;
 * status = reap_part_create(&reap_kernel_sum_up, "sum", &part);
 * status = reap_parallel_for(queue, sum_up, reap_range_1d(end - first), .values = values,
 *                            .sum = {.part = part}, .launch.first_item = first);
 * status = reap_queue_wait(queue);
 * status = reap_mpi_allreduce(part, MPI_COMM_WORLD);
 * status = reap_part_finish(part, &sum, NULL);
 * @endcode
 *
 * - A rank's share is any range of items, several ranges, or no items. Shares must not overlap. The
 *   result has the bits of one launch over all items, for any number of ranks and any shares.
 * - The functions are collective: all ranks of the communicator call them, in the same order.
 * - **All ranks return the same status**, and the same message. What is wrong on one rank, or
 *   differs between two (operator, type, .identity, work-groups, root), is an error on all, and
 *   the message has the ranks' numbers. No part is changed then.
 * - Messages are sent on a duplicate of the communicator, which is made by the first call for it
 *   and freed with it. So they cannot meet messages of the program.
 * - MPI has been initialised with MPI_THREAD_FUNNELED or more. Reap has threads, but only the one
 *   that calls these functions calls MPI. Functions for one communicator are called by one thread
 *   at a time; below MPI_THREAD_MULTIPLE that holds for all of them and the program's own calls.
 *
 * [MPI](docs/mpi.md) has a program, and what a reduction costs. */
#ifndef REAP_MPI_H
#define REAP_MPI_H

#include <mpi.h>
#include <reap/api.h>
#include <reap/part.h>
#include <reap/status.h>
#include <stdbool.h>

/** A reduction that has begun. It belongs to the program, which ends it with reap_mpi_wait(). */
typedef struct reap_mpi_request reap_mpi_request;

/** Merges the parts of all ranks into that of one rank.
 *
 * The parts of the other ranks do not change. Collective; returns when the calling rank's part may
 * be used again, after all ranks have called it.
 *
 * @param part  the rank's part, without items if it has no share; on the rank `root` it receives
 *              the items of all
 * @param root  the rank that gets all items; the same on all ranks
 * @param comm  an intracommunicator
 * @retval REAP_ERROR_INVALID_ARGUMENT  on some rank: `part` is NULL; `root` is not a rank; a launch
 *                                      into the part has not completed. On two ranks: one calls
 *                                      another function or has another root; the parts are of
 *                                      different kernels, reductions, operators, types, identities,
 *                                      work-group sizes or lengths of a span; their ranges overlap.
 *                                      All ranks return it. On this rank alone: MPI is not
 *                                      initialised, or `comm` is not an intracommunicator
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out on a rank. All ranks return it. Only without
 *                                      memory for the communicator's first request, or for several
 *                                      at a time, that rank alone returns it, and the others wait
 * @retval REAP_ERROR_COMMUNICATION_FAILED  a function of MPI failed; reap_last_error() has its
 *                                      message. Not all ranks need to return it, and no further
 *                                      function can be called for this communicator
 * @note One thread at a time for each communicator. */
REAP_API reap_status reap_mpi_reduce(reap_part *part, int root, MPI_Comm comm);

/** Merges the parts of all ranks, and gives every rank's part all items.
 *
 * Collective; returns after all ranks have called it.
 *
 * @param part  the rank's part, without items if it has no share; receives the items of all ranks
 * @param comm  an intracommunicator
 * @retval REAP_ERROR_INVALID_ARGUMENT      as for reap_mpi_reduce()
 * @retval REAP_ERROR_OUT_OF_MEMORY         as for reap_mpi_reduce()
 * @retval REAP_ERROR_COMMUNICATION_FAILED  as for reap_mpi_reduce()
 * @note One thread at a time for each communicator. */
REAP_API reap_status reap_mpi_allreduce(reap_part *part, MPI_Comm comm);

/** Begins a reap_mpi_reduce(), which goes on in reap_mpi_test() and reap_mpi_wait().
 *
 * Collective; does not wait for other ranks. Until the request has ended, the part must not be
 * changed or released: no launches into it, no merges. Each call of test or wait advances all
 * requests of the communicator; outside of these nothing is sent. Requests may be ended in any
 * order. Those of several communicators do not advance each other: ranks wait for them in the same
 * order, or test them by turns.
 *
 * @param part          as for reap_mpi_reduce()
 * @param root          as for reap_mpi_reduce()
 * @param comm          as for reap_mpi_reduce(); it may be freed before the request has ended.
 *                      MPI_Comm_free() may wait then, until all ranks have begun the first request
 * @param[out] request  the request, to be ended with reap_mpi_wait(). What is wrong with the part
 *                      or the root is reported there, on all ranks
 * @retval REAP_ERROR_INVALID_ARGUMENT      `request` is NULL; MPI is not initialised; `comm` is not
 *                                          an intracommunicator
 * @retval REAP_ERROR_OUT_OF_MEMORY         no memory for the request; the other ranks wait
 * @retval REAP_ERROR_COMMUNICATION_FAILED  a function of MPI failed
 * @note One thread at a time for each communicator. */
REAP_API reap_status reap_mpi_reduce_begin(reap_part *part, int root, MPI_Comm comm,
                                           reap_mpi_request **request);

/** Begins a reap_mpi_allreduce(); see reap_mpi_reduce_begin().
 *
 * @param part          as for reap_mpi_allreduce()
 * @param comm          as for reap_mpi_reduce_begin()
 * @param[out] request  as for reap_mpi_reduce_begin()
 * @retval REAP_ERROR_INVALID_ARGUMENT      as for reap_mpi_reduce_begin()
 * @retval REAP_ERROR_OUT_OF_MEMORY         as for reap_mpi_reduce_begin()
 * @retval REAP_ERROR_COMMUNICATION_FAILED  as for reap_mpi_reduce_begin()
 * @note One thread at a time for each communicator. */
REAP_API reap_status reap_mpi_allreduce_begin(reap_part *part, MPI_Comm comm,
                                              reap_mpi_request **request);

/** Advances a request, and returns whether it has completed. Does not wait.
 *
 * A request that has completed is ended by reap_mpi_wait(), which then returns at once.
 *
 * @param request    the request
 * @param[out] done  whether it has completed, with or without an error
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL
 * @note One thread at a time for each communicator. */
REAP_API reap_status reap_mpi_test(reap_mpi_request *request, bool *done);

/** Waits until a request has completed, and ends it.
 *
 * @param[in,out] request  the request; receives NULL
 * @retval REAP_ERROR_INVALID_ARGUMENT      `request` or what it points to is NULL; and as for
 *                                          reap_mpi_reduce()
 * @retval REAP_ERROR_OUT_OF_MEMORY         as for reap_mpi_reduce()
 * @retval REAP_ERROR_COMMUNICATION_FAILED  as for reap_mpi_reduce()
 * @note One thread at a time for each communicator. */
REAP_API reap_status reap_mpi_wait(reap_mpi_request **request);

/** Writes how the last reduction on a communicator moved its values, for a program's log.
 *
 * "MPI"; "NCCL 2.28.3", the words of an array from device to device; "MPI (not NCCL: rank 1: its
 * part has no items)", the words of an array by MPI, and the first reason why not by NCCL; short
 * arrays in the host's memory are "MPI". The text is the same on all ranks.
 *
 * @param comm       as for reap_mpi_reduce()
 * @param[out] text  receives it, cut to `capacity`; empty before the first reduction
 * @param capacity   bytes of `text`; 320 are enough
 * @retval REAP_ERROR_INVALID_ARGUMENT      `text` is NULL or `capacity` 0; MPI is not initialised;
 *                                          `comm` is not an intracommunicator
 * @retval REAP_ERROR_OUT_OF_MEMORY         memory ran out
 * @retval REAP_ERROR_COMMUNICATION_FAILED  a function of MPI failed
 * @note One thread at a time for each communicator. A first call duplicates the communicator, so
 *       all ranks make it. */
REAP_API reap_status reap_mpi_get_transport(MPI_Comm comm, char *text, size_t capacity);

#endif
