/* SPDX-License-Identifier: Apache-2.0
 *
 * The processes of an MPI job that run the tool together: the ranks. Rank 0 decides and prints; the
 * others work for it. Messages are sent only between rank 0 and the others, which receive them in
 * their order. The functions are for the main thread.
 *
 * A rank that waits for a message sleeps, so that it leaves its processor to the ranks that work.
 */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "tools/failure.h"
#include "tools/job/packet.h"

#include <stdbool.h>
#include <stddef.h>

struct cli_job;

/* Whether mpirun, or another program that starts MPI jobs, has started this process, by its
 * environment: as which rank, of how many (0: that is not known before MPI is initialised). Without
 * such a program they are 0 and 1. */
bool cli_job_is_started(int *rank, int *count);

/* Opens the library with MPI, and initialises MPI. NULL and a failure: the library is missing, or
 * is for another MPI than that of mpirun. */
struct cli_job *cli_job_open(struct cli_failure *failure);

/* Waits until all messages are received. Collective. NULL: nothing. */
void cli_job_close(struct cli_job *job);

/* Of NULL, a tool that was started alone: 0, and 1. */
int cli_job_own(const struct cli_job *job);
int cli_job_count(const struct cli_job *job);

/* ---- Collective functions: all ranks call them in the same order; of NULL they do nothing
 * -------*/

/* All receive the packet of rank 0. */
void cli_job_broadcast(struct cli_job *job, struct cli_packet *packet);

/* Returns whether all ranks are fine. Otherwise all get the failure of the first rank that is not;
 * it names the rank and its machine, except if that is rank 0. */
bool cli_job_agree(struct cli_job *job, bool is_fine, struct cli_failure *failure);

/* The same, where a rank is fine if its packet is equal to rank 0's; NULL is not. */
bool cli_job_agree_on(struct cli_job *job, const struct cli_packet *packet, const char *difference,
                      struct cli_failure *failure);

/* The sum of the ranks' values, for rank 0. */
double cli_job_add(struct cli_job *job, double value);

/* ---- Messages ---------------------------------------------------------------------------------*/

/* Begins to send a packet to rank 0, or from rank 0 to another; the packet is empty afterwards. */
void cli_job_send(struct cli_job *job, int to, struct cli_packet *packet);

/* How many packets to a rank have not been received. */
size_t cli_job_unreceived(struct cli_job *job, int to);

/* Receives a packet from a rank, and waits for it. */
void cli_job_receive(struct cli_job *job, int from, struct cli_packet *packet);

/* Waits a moment, a longer one after each call in which nothing has happened; *calls is their
 * number, initially 0. */
void cli_job_pause(unsigned *calls);

#endif
