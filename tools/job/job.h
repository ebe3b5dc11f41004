/* SPDX-License-Identifier: Apache-2.0
 *
 * The processes of an MPI job that run the tool together: the ranks. Rank 0 decides and prints; the
 * others work for it. Messages are sent only between rank 0 and the others, which receive them in
 * their order. Only the main thread may call these functions.
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

/* Whether mpirun, or another program that starts MPI jobs, has started this process, according to
 * its environment. Sets *rank, and *count to the number of ranks (0: not known before MPI is
 * initialised). Without such a program they are 0 and 1. */
bool cli_job_is_started(int *rank, int *count);

/* Opens the library with MPI, and initialises MPI. Returns NULL and a failure if the library is
 * missing, or is for another MPI than mpirun's. */
struct cli_job *cli_job_open(struct cli_failure *failure);

/* Waits until all messages are received, and ends MPI. Collective. NULL: does nothing. */
void cli_job_close(struct cli_job *job);

/* This rank, and the number of ranks. NULL, a tool that was started alone: 0 and 1. */
int cli_job_own(const struct cli_job *job);
int cli_job_count(const struct cli_job *job);

/* ---- Collective functions: all ranks call them in the same order; of NULL they do nothing
 * -------*/

/* Sends the packet of rank 0 to all ranks. */
void cli_job_broadcast(struct cli_job *job, struct cli_packet *packet);

/* Returns whether is_fine is true on all ranks. Otherwise all ranks get the failure of the first
 * rank on which it is false; the text names the rank and its machine, except for rank 0. */
bool cli_job_agree(struct cli_job *job, bool is_fine, struct cli_failure *failure);

/* The same, for the condition that a rank's packet is equal to rank 0's, and not NULL. `difference`
 * is the failure's text. */
bool cli_job_agree_on(struct cli_job *job, const struct cli_packet *packet, const char *difference,
                      struct cli_failure *failure);

/* Returns the sum of all ranks' values on rank 0. */
double cli_job_add(struct cli_job *job, double value);

/* ---- Messages ---------------------------------------------------------------------------------*/

/* Begins to send a packet to rank 0, or from rank 0 to another; the packet is empty afterwards. */
void cli_job_send(struct cli_job *job, int to, struct cli_packet *packet);

/* Returns how many packets to a rank have not been received. */
size_t cli_job_unreceived(struct cli_job *job, int to);

/* Receives a packet from a rank, and waits for it. */
void cli_job_receive(struct cli_job *job, int from, struct cli_packet *packet);

/* Sleeps for a short time that grows with *calls, the number of calls since the last message;
 * initially 0. */
void cli_job_pause(unsigned *calls);

#endif
