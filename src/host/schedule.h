/* SPDX-License-Identifier: Apache-2.0
 *
 * Dealing out a batch of units to threads.
 */
#ifndef REAP_HOST_SCHEDULE_H
#define REAP_HOST_SCHEDULE_H

#include "src/host/run.h"

/* Runs the pieces from first_piece to batch_end. With several threads
 * helpers are invited at once when `eager`, else only if the work turns out to last. */
void reap__host_run_batch(struct reap__host_run *run, bool eager);

#endif
