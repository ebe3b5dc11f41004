/* SPDX-License-Identifier: Apache-2.0
 *
 * Unified shared memory: which devices can access it, and what is copied back to the host when a
 * thread waits.
 */
#ifndef REAP_MEMORY_USM_H
#define REAP_MEMORY_USM_H

#include "src/core/checked_launch.h"
#include "src/memory/registry.h"

#include <reap/device.h>
#include <reap/status.h>

/* Whether commands on a device can access the buffer or allocation; NULL: the program's own memory.
 */
bool reap__usm_reaches(const reap_device *device, const reap_buffer *buffer);

/* Fails with REAP_ERROR_INVALID_ARGUMENT if the device cannot access an array, a variable, a
 * location or an identity of the command. */
reap_status reap__usm_check(const reap_device *device, const struct reap__launch *command);

/* Makes an allocation of kind device from the program's own memory on the device, `there`. Sets
 * *memory to its pointer. */
reap_status reap__usm_import(const reap_device *device, const struct reap__memory *there,
                             size_t bytes, void **memory);

/* After a wait for a device, or for a command there: copies allocations that migrate back to the
 * host and marks the device's copies stale, since the program may write now. Thread-safe; takes no
 * lock of the caller. */
reap_status reap__usm_migrate_to_host(const reap_device *device);

#endif
