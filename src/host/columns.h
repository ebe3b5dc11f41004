/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of columns on the host.
 */
#ifndef REAP_HOST_COLUMNS_H
#define REAP_HOST_COLUMNS_H

#include "src/host/run.h"

/* Plans a reduction of columns: units are strips of columns, or segments of their rows. Fails with
 * REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__host_plan_columns(struct reap__host_run *run, size_t threads,
                                    struct reap__scratch *scratch);

/* Takes the memory of the run's slots. Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__host_take_columns(struct reap__host_run *run, struct reap__scratch *scratch);

/* Runs a unit. */
void reap__host_run_columns(struct reap__host_slot *slot, size_t unit);

/* Call it after all units: combines the nodes of segments, and stores the results. */
void reap__host_end_columns(const struct reap__host_run *run);

#endif
