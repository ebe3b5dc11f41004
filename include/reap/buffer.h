/* SPDX-License-Identifier: Apache-2.0
 *
 * A buffer is memory that kernels on any device may use (SYCL 2020, section 4.7.2). A kernel
 * argument stays a plain pointer: the library finds the buffer that it points into. On the host
 * any pointer may be an argument, and a buffer serves two checks. What a reduction writes (its
 * variable, its span, its location) lies wholly in one buffer or touches none; and it lies in no
 * buffer that the same launch uses as an array. How far an array reaches is not checked.
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

/* Frees the buffer, not the memory, which keeps what kernels wrote there; NULL is fine and gives
 * REAP_OK. No command may still be using the buffer, no other thread's either: wait for its queue
 * first. Any thread. */
REAP_API reap_status reap_buffer_release(reap_buffer *buffer);

#endif
