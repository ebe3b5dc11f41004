/* SPDX-License-Identifier: Apache-2.0
 *
 * Which buffer, or allocation, a pointer lies in, and where a command finds its bytes.
 */
#ifndef REAP_MEMORY_BUFFER_H
#define REAP_MEMORY_BUFFER_H

#include "src/memory/registry.h"

#include <reap/buffer.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether these bytes overlap a buffer or an allocation; sets *extent to the extent of the lowest
 * one. Any thread; locks the registry only if the bytes lie between the lowest and the highest. */
bool reap__buffer_find(const void *memory, size_t bytes, struct reap__extent *extent);

/* Makes the buffer or allocation that `memory` is in valid in host memory, before the host uses it.
 * If `writes`, or if it is an allocation that migrates, whose later writes by the program are not
 * seen, copies on devices become stale. Does nothing if `memory` is in neither, or no buffer has
 * copies on devices. Blocks until the bytes are there. Fails as the device. Any thread. */
reap_status reap__buffer_on_host(const void *memory, bool writes);

/* What a pointer of the program is in a device's own memory. */
struct reap__resolved_pointer {
    bool is_found; /* it lies in a buffer */
    struct reap__memory memory;
    size_t offset;
};

/* Makes the buffer that `memory` is in valid on a device with memory of its own, and resolves the
 * pointer. Fails as the device. Any thread. */
reap_status reap__buffer_on_device(const void *memory, const reap_device *device, bool writes,
                                   struct reap__resolved_pointer *pointer);

/* Copies bytes of a buffer or an allocation to or from host memory, for a command in its wait
 * lists. Blocks until they are copied. Fails as the device. */
reap_status reap__buffer_read(reap_buffer *buffer, size_t offset, void *into, size_t bytes);
reap_status reap__buffer_write(reap_buffer *buffer, size_t offset, const void *from, size_t bytes);

/* As these two, for any memory, also the program's own. */
reap_status reap__memory_read(const void *memory, void *into, size_t bytes);
reap_status reap__memory_write(void *memory, const void *from, size_t bytes);

#endif
