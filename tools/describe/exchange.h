/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass whose blocks are divided among ranks. A stripe is s consecutive blocks; of n ranks,
 * rank r describes the blocks b with b / s % n == r. In the end each sends what it has found to
 * rank 0, which adds it to its own: parts of reductions merge with the bits of one rank's. While
 * blocks are described, the ranks do not wait for each other.
 */
#ifndef CLI_EXCHANGE_H
#define CLI_EXCHANGE_H

#include "tools/describe/pass.h"

/* Chooses the stripe. */
void cli_exchange_divide(struct cli_pass *pass);

/* Whether a block is this rank's; without a job all are. */
bool cli_exchange_owns(const struct cli_pass *pass, uint64_t block);

/* ---- Collective functions, on the main thread -------------------------------------------------*/

/* What rank 0's counting has found out in its first block, if it has begun; returns whether it has.
 */
bool cli_exchange_start(const struct cli_pass *pass, bool has_begun);

/* Adds the results of the other ranks to those of rank 0. */
void cli_exchange_collect(struct cli_pass *pass);

/* Rank 0's failure, or none, becomes that of the passes of all ranks. */
void cli_exchange_close(struct cli_pass *pass);

#endif
