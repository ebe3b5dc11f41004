/* SPDX-License-Identifier: Apache-2.0
 *
 * REAP_CHECK=1: a command runs on the host, on copies of the memory that the library knows of, each
 * between protected pages. So a work-item that uses an element outside of a buffer or an
 * allocation is found, and a command that failed has changed nothing. For another device the host
 * runs the command first, on copies that are discarded: an error that it finds would also happen on
 * the device.
 */
#ifndef REAP_MEMORY_BOUNDS_CHECK_H
#define REAP_MEMORY_BOUNDS_CHECK_H

#include "src/core/backend.h"

/* Runs the command on a device whose kernels use the host's memory, and writes what it has changed.
 * The buffers' contents are in the host's memory. Fails as the host does, and with
 * REAP_ERROR_INDEX_OUT_OF_RANGE. One guarded command of the process runs at a time. */
reap_status reap__guarded_run(const reap_device *device, const struct reap__launch *command);

/* Runs it on the host for another device, and forgets its results; a group that the host cannot
 * hold is not run. Fails in the same way, also where the device does not give its memory. */
reap_status reap__guarded_try(const struct reap__launch *command);

#endif
