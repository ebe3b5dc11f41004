/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions with a result for each row or column of a range, on the host.
 */
#ifndef REAP_HOST_LINES_H
#define REAP_HOST_LINES_H

#include "src/host/run.h"

/* Whether rows are so few and so long that each is to be shared by all threads. */
bool reap__host_has_few_lines(const struct reap__launch *command, size_t threads);

/* Plans a command with lines that have items, as reap__host_plan. */
reap_status reap__host_plan_lines(struct reap__host_run *run, size_t threads,
                                  struct reap__scratch *scratch);

/* Runs a unit: some rows, or a part of some columns. */
void reap__host_run_lines(struct reap__host_slot *slot, size_t unit);

/* Takes copies of the variables, in which lines' results end. */
reap_status reap__host_take_line_targets(struct reap__host_run *run, struct reap__scratch *scratch);

/* The targets of a launch over one line, which end in these copies, with the variables' values. */
void reap__host_begin_line(const struct reap__host_run *run, size_t line,
                           struct reap__target *targets);

/* Lines from number `first` on, of scalar s, have come to these: combines them with the variable,
 * in a copy. `temporary` is a result's room. */
void reap__host_store_lines(const struct reap__host_run *run, size_t s, size_t first, size_t count,
                            const struct reap__results *results, void *temporary);

/* The copies go to the variables. */
void reap__host_end_lines(const struct reap__host_run *run);

#endif
