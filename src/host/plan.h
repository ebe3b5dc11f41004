/* SPDX-License-Identifier: Apache-2.0
 *
 * How a command will run: its tiles and batches, and the memory of everything that works on it.
 */
#ifndef REAP_HOST_PLAN_H
#define REAP_HOST_PLAN_H

#include "src/host/run.h"

/* Plans the command for at most that many threads, one of which is the caller's. run->isa and
 * run->kernel are set already. The memory is the scratch's. Fails with OUT_OF_MEMORY. */
reap_status reap__host_plan(struct reap__host_run *run, const struct reap__command *command,
                            size_t threads, struct reap__scratch *scratch);

#endif
