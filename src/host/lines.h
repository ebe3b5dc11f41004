/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions with a result for each row or each column of a range, on the host.
 */
#ifndef REAP_HOST_LINES_H
#define REAP_HOST_LINES_H

#include "src/host/run.h"

/* Whether rows are so few and so long that all threads share each of them. */
bool reap__host_has_few_lines(const struct reap__launch *command, size_t threads);

/* The same as reap__host_plan, for a command with lines that have items. */
reap_status reap__host_plan_lines(struct reap__host_run *run, size_t threads,
                                  struct reap__scratch *scratch);

/* Runs a unit: some rows, or a segment of a strip of columns. */
void reap__host_run_lines(struct reap__host_slot *slot, size_t unit);

/* Takes memory for copies of the variables, which receive the results. Fails with
 * REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__host_take_line_targets(struct reap__host_run *run, struct reap__scratch *scratch);

/* Makes the targets of a launch over one line: its elements of these copies, set to the variables'
 * values. */
void reap__host_begin_line(const struct reap__host_run *run, size_t line,
                           struct reap__target *targets);

/* Combines the results of `count` lines of scalar s, from line `first` on, with the variables, and
 * stores them in the copies. `temporary` is memory for one result. */
void reap__host_store_lines(const struct reap__host_run *run, size_t s, size_t first, size_t count,
                            const struct reap__results *results, void *temporary);

/* Copies the results to the variables. */
void reap__host_end_lines(const struct reap__host_run *run);

#endif
