/* SPDX-License-Identifier: Apache-2.0
 *
 * REAP_CHECK=1: a command runs on the host, on copies of its buffers and allocations, each between
 * protected pages. So a work-item that accesses an element outside of them is found, and a command
 * that fails has changed nothing. For another device the host runs the command first, on copies
 * that are discarded: an error that it finds would also happen on the device.
 */
#ifndef REAP_MEMORY_BOUNDS_CHECK_H
#define REAP_MEMORY_BOUNDS_CHECK_H

#include "src/core/backend.h"

/* Runs the command on a device whose kernels use host memory, and writes changed bytes back. The
 * buffers are valid in host memory. Blocks while another guarded command of the process runs. Fails
 * with REAP_ERROR_INDEX_OUT_OF_RANGE, or as the device. */
reap_status reap__guarded_run(const reap_device *device, const struct reap__launch *command);

/* Runs the command on the host, for another device, and discards its results. Does nothing if the
 * host cannot run its work-groups. Blocks and fails in the same way, also if the device's memory
 * cannot be read. */
reap_status reap__guarded_try(const struct reap__launch *command);

#endif
