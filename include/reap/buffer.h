/* SPDX-License-Identifier: Apache-2.0
 *
 * A buffer is memory that kernels on any device may use (SYCL 2020, section 4.7.2). A kernel
 * argument stays a plain pointer: the library finds the buffer that it points into. Commands on a
 * buffer are ordered by their access modes, whatever queue, device or thread they are from: those
 * that read may overlap, one that writes does not. <reap/usm.h> has the other way. On the host
 * any pointer may be an argument, and a buffer serves two checks. What a reduction writes (its
 * variable, its span, its location) lies wholly in one buffer or touches none; and it lies in no
 * buffer that the same launch uses as an array. How far an array reaches is not checked.
 *
 * Behind a command that failed, a buffer that it was to write is a failed one: commands that use it
 * end with DEPENDENCY_FAILED, and do not run, and what they were to write has failed, too. It is
 * whole again once a copy, a fill or an access has overwritten all of it; and commands launched
 * after reap_queue_wait has returned the failure use it as it is. Those that only reduce into it
 * run where only reductions into it have failed.
 */
#ifndef REAP_BUFFER_H
#define REAP_BUFFER_H

#include <reap/api.h>
#include <reap/status.h>
#include <stddef.h>

/* Memory of some number of bytes that the library knows. Its functions may be called from any
 * thread, on one buffer at the same time, too; but nobody else may use one that is released. */
typedef struct reap_buffer reap_buffer;

/* Makes the caller's memory of that many bytes known as a buffer. The memory stays the caller's: it
 * must outlive the buffer, and nobody else writes it meanwhile. It may be read-only as long as no
 * kernel writes it. The buffer is the caller's, to be released. Any thread.
 * Fails with INVALID_ARGUMENT (NULL, no bytes, bytes beyond the last address, or memory that
 * overlaps a buffer or an allocation) or OUT_OF_MEMORY. */
REAP_API reap_status reap_buffer_wrap(const void *memory, size_t bytes, reap_buffer **buffer)
    REAP__UNREAD(1);

/* Makes a buffer of that many bytes with memory of its own, aligned to 64 bytes. It is empty until
 * a command or a host access with REAP_WRITE has written to it: a command that reads an empty
 * buffer (an `in` or `inout` array, a reduction variable that is not initialised to the identity,
 * the source of a copy) is refused with INVALID_ARGUMENT. The buffer is the caller's, to be
 * released. Any thread. Fails with INVALID_ARGUMENT (no bytes, or buffer is NULL) or OUT_OF_MEMORY.
 */
REAP_API reap_status reap_buffer_create(size_t bytes, reap_buffer **buffer);

/* The buffer's memory, to be given to kernels, whole or from any element on; it stays the same for
 * the buffer's life. The program reads and writes it only between reap_host_access_begin and
 * reap_host_access_end, on the host device too: what it writes elsewhere does not reach a device.
 * REAP_CHECK=1 finds that (docs/checking.md).
 * NULL gives NULL. Any thread. */
REAP_API void *reap_buffer_data(const reap_buffer *buffer);

/* What the host does with a buffer's memory; combine them with |. */
enum reap_access {
    REAP_READ = 1, /* what it holds */
    REAP_WRITE = 2 /* without REAP_READ: all of it, whatever it held before */
};

/* Begins an access from the host's own code (SYCL 2020, section 4.7.6.10, host_accessor): once it
 * returns, *data is the memory, with what the commands launched so far have made of it, for which
 * it waits as far as it must. Several accesses may overlap. Until the last has ended no command may
 * use the buffer. access is of enum reap_access. Any thread. Fails with INVALID_ARGUMENT (a NULL,
 * no access or one that does not exist), or where a device does not give back what is there; and
 * with DEPENDENCY_FAILED where it reads a failed buffer. */
REAP_API reap_status reap_host_access_begin(reap_buffer *buffer, unsigned access, void **data);

/* Ends an access that reap_host_access_begin began: the host leaves the memory to commands again.
 * Fails with INVALID_ARGUMENT: NULL, or an end without a begin. Any thread. */
REAP_API reap_status reap_host_access_end(reap_buffer *buffer);

/* Waits for the commands that use the buffer, and frees it; memory that was wrapped stays, with
 * what commands wrote there. NULL is fine and gives REAP_OK. Fails, and frees it all the same,
 * where a device does not give back what is there, and where a buffer that was wrapped is a failed
 * one (DEPENDENCY_FAILED). Any thread. */
REAP_API reap_status reap_buffer_release(reap_buffer *buffer);

#endif
