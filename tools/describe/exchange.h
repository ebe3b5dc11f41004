/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass whose blocks are divided among ranks. A stripe is s consecutive blocks; of n ranks, rank r
 * describes the blocks b with b / s % n == r. At the end each rank sends its results to rank 0,
 * which adds them to its own: parts of reductions merge to the same bits as in one rank. While
 * blocks are described, the ranks do not wait for each other.
 */
#ifndef CLI_EXCHANGE_H
#define CLI_EXCHANGE_H

#include "tools/describe/pass.h"

/* Chooses the length of stripes. */
void cli_exchange_divide(struct cli_pass *pass);

/* Whether a block is this rank's; without a job all are. */
bool cli_exchange_owns(const struct cli_pass *pass, uint64_t block);

/* ---- Collective functions, on the main thread -------------------------------------------------*/

/* Sends the start of rank 0's counting (put_start) to all ranks, if it has begun; returns whether
 * it has.
 */
bool cli_exchange_start(const struct cli_pass *pass, bool has_begun);

/* Adds the results of the other ranks to those of rank 0. */
void cli_exchange_collect(struct cli_pass *pass);

/* Sends rank 0's failure, or none, to all ranks, whose passes fail with it. */
void cli_exchange_close(struct cli_pass *pass);

#endif
