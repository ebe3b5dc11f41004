/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass whose blocks are divided among ranks. A stripe is s consecutive blocks; of n ranks,
 * rank r describes the blocks b with b / s % n == r. Each sends what it has
 * found in its blocks to rank 0, which adds the blocks of all in their order, exactly as it adds
 * those of threads. What is counted (struct cli_counting) is added after the last block.
 *
 * A rank may be ahead of rank 0 by some megabytes of results.
 */
#ifndef CLI_EXCHANGE_H
#define CLI_EXCHANGE_H

#include "tools/describe/pass.h"

/* A NULL exchange is that of one rank, which has all blocks. */
struct cli_exchange;

struct cli_exchange *cli_exchange_open(struct cli_pass *pass);

/* Whether a block is this rank's, and its number among the rank's own. */
bool cli_exchange_owns(const struct cli_exchange *exchange, uint64_t block);
uint64_t cli_exchange_index(const struct cli_exchange *exchange, uint64_t block);

/* How many results the rank should have memory for, besides those of blocks in progress. */
size_t cli_exchange_slots(const struct cli_exchange *exchange);

/* ---- With the lock of the pass held -----------------------------------------------------------*/

/* Another rank than rank 0: the results of a block, or the failure that ends the pass; whether it
 * should not describe further blocks yet. */
void cli_exchange_put(struct cli_exchange *exchange, const struct cli_slot *slot);
bool cli_exchange_is_full(const struct cli_exchange *exchange);

/* The results of the next block, which is another rank's, until the next call. NULL: they have not
 * arrived. On other ranks than rank 0 an empty one. */
const struct cli_slot *cli_exchange_get(struct cli_exchange *exchange, uint64_t block);

/* ---- On the main thread -----------------------------------------------------------------------*/

/* Sends and receives until all blocks have been described, or the pass has failed. */
void cli_exchange_run(struct cli_exchange *exchange);

/* Once the other threads have ended: rank 0 adds the counts of all ranks. */
void cli_exchange_collect(struct cli_exchange *exchange);

/* Rank 0 sends its failure, or none, which becomes that of the passes of all ranks. */
void cli_exchange_close(struct cli_exchange *exchange);

#endif
