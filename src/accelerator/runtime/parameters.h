/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of a launch's block, and where in scratch memory everything lies that they point to.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_PARAMETERS_H
#define REAP_ACCELERATOR_RUNTIME_PARAMETERS_H

#include "src/accelerator/runtime/launch.h"

/* Scratch memory: offsets of results, starts, parts, copies of spans. */
void reap__kernel_params_plan(struct reap__device_launch *launch);

/* What does not need the device: the range, values, local memory. Fails with INVALID_ARGUMENT where
 * a work-group takes more local memory than there is. */
reap_status reap__kernel_params_set(struct reap__device_launch *launch);

/* Reductions; with the accelerator's lock held, since what has no room in the block is written to
 * scratch memory. */
reap_status reap__kernel_params_set_reductions(struct reap__device_launch *launch);

/* What lanes of a scalar start as; NULL: they have no value. It may lie in `room`. */
const void *reap__lane_start(const struct reap__target *target, void *temporary);

#endif
