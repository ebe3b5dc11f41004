/* SPDX-License-Identifier: Apache-2.0
 *
 * A buffer is memory that kernels on any device may use (SYCL 2020, section 4.7.2). A kernel
 * argument stays a plain pointer: the library finds the buffer that it points into. On the host
 * any pointer may be an argument; inside a buffer its extent is known, and checked.
 */
#ifndef REAP_BUFFER_H
#define REAP_BUFFER_H

#include <reap/api.h>
#include <reap/status.h>
#include <stddef.h>

typedef struct reap_buffer reap_buffer;

/* Makes the caller's memory of that many bytes known as a buffer. The memory stays the caller's: it
 * must outlive the buffer, and nobody else writes it meanwhile. It may be read-only as long as no
 * kernel writes it. The buffer is the caller's, to be released. Any thread.
 * Fails with INVALID_ARGUMENT (NULL, no bytes, or memory that overlaps another buffer's) or
 * OUT_OF_MEMORY. */
REAP_API reap_status reap_buffer_wrap(const void *memory, size_t bytes, reap_buffer **buffer);

/* Waits for the commands that use the buffer, brings its contents back to the caller's memory and
 * frees the buffer, not the memory; NULL is fine and gives REAP_OK. Any thread. */
REAP_API reap_status reap_buffer_release(reap_buffer *buffer);

#endif
