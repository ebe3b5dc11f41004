/* SPDX-License-Identifier: Apache-2.0
 *
 * How a command will run: its units and batches, and the memory of everything that works on it.
 */
#ifndef REAP_HOST_PLAN_H
#define REAP_HOST_PLAN_H

#include "src/host/run.h"

/* Plans the command for at most that many threads, one of which is the caller's. run->command,
 * run->kernel and run->isa are set already. The memory is the scratch's. Fails with OUT_OF_MEMORY.
 */
reap_status reap__host_plan(struct reap__host_run *run, size_t threads,
                            struct reap__scratch *scratch);

/* The same, in a fraction of the time, for a command of which reap__host_is_single_call is true:
 * items of one dimension that reduce to scalars of one width, in so few leaves that one call runs
 * them. The slot is given. */
bool reap__host_is_single_call(const struct reap__launch *command);
reap_status reap__host_plan_single_call(struct reap__host_run *run, struct reap__host_slot *slot,
                                        struct reap__scratch *scratch);

#endif
