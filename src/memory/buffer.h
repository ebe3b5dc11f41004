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

/* Whether these bytes touch a buffer, and the extent of the lowest that they touch. Any thread;
 * takes the registry's lock only when the bytes lie between the lowest and the highest buffer. */
bool reap__buffer_find(const void *memory, size_t bytes, struct reap__extent *extent);

/* Before a command on the host, or the library, uses the bytes from here on: where they lie in a
 * buffer, they are valid in the host's memory; in an allocation that migrates only there,
 * since the library does not see the program's writes. Costs nothing as long as no buffer is on a
 * device. Any thread. */
reap_status reap__buffer_on_host(const void *memory, bool writes);

/* Where a device with memory of its own has what this pointer means. */
struct reap__resolved_pointer {
    bool is_found; /* it lies in a buffer */
    struct reap__memory memory;
    size_t offset;
};

/* Before a command on such a device: the bytes of the pointer's buffer are valid there. Any thread.
 */
reap_status reap__buffer_on_device(const void *memory, const reap_device *device, bool writes,
                                   struct reap__resolved_pointer *pointer);

/* Copies bytes of a buffer or an allocation from where they are, or to there, for a command in its
 * place; both have happened at the return. */
reap_status reap__buffer_read(reap_buffer *buffer, size_t offset, void *into, size_t bytes);
reap_status reap__buffer_write(reap_buffer *buffer, size_t offset, const void *from, size_t bytes);

/* The same of any memory, which may be the program's own. */
reap_status reap__memory_read(const void *memory, void *into, size_t bytes);
reap_status reap__memory_write(void *memory, const void *from, size_t bytes);

#endif
