/* SPDX-License-Identifier: Apache-2.0
 *
 * The local memory of a group. In checked execution, under AddressSanitizer and under Valgrind
 * there are guards on either side of each parameter's.
 */
#ifndef REAP_HOST_LOCAL_MEMORY_H
#define REAP_HOST_LOCAL_MEMORY_H

#include "src/host/group.h"
#include "src/host/scratch.h"

/* Takes what the kernel's local parameters need. Fails with OUT_OF_MEMORY. */
reap_status reap__local_memory_take(struct reap__host_group *group, struct reap__scratch *scratch);
void reap__local_memory_return(const struct reap__host_group *group);

/* Before a group runs: it finds garbage, and nobody who has been there before. */
void reap__local_memory_begin(const struct reap__host_group *group);

/* Afterwards, in checked execution: the run is told of what was written into a guard. */
void reap__local_memory_check(const struct reap__host_group *group);

#endif
