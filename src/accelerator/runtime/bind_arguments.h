/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a launch's arrays and variables lie.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_BIND_ARGUMENTS_H
#define REAP_ACCELERATOR_RUNTIME_BIND_ARGUMENTS_H

#include "src/accelerator/runtime/launch.h"

/* Which variables stay on the device: those that lie in buffers. Completes the layout. */
void reap__bind_choose_resident(struct reap__device_launch *launch);

/* Whether a variable that does not stay lies in a buffer all the same, or its identity is the
 * caller's: such a command completes at once. */
bool reap__bind_must_complete(const struct reap__device_launch *launch);

/* Fills the launch's memories and their words; moves buffers. Without the accelerator's lock. Fails
 * as the device does. */
reap_status reap__bind_all(struct reap__device_launch *launch);

#endif
