/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of columns on the host.
 */
#ifndef REAP_HOST_COLUMNS_H
#define REAP_HOST_COLUMNS_H

#include "src/host/run.h"

/* Says what the units are: strips of columns, or segments of their rows. */
reap_status reap__host_plan_columns(struct reap__host_run *run, size_t threads,
                                    struct reap__scratch *scratch);

/* Takes the memory of the run's slots. */
reap_status reap__host_take_columns(struct reap__host_run *run, struct reap__scratch *scratch);

void reap__host_run_columns(struct reap__host_slot *slot, size_t unit);

/* After all units: what segments came to combines, and is stored. */
void reap__host_end_columns(const struct reap__host_run *run);

#endif
