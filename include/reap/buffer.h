/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Buffers: memory that kernels on any device can use (SYCL 2020, section 4.7.2).
 *
 * A kernel argument is a plain pointer; the library finds the buffer that it points into. Access
 * modes order the commands that use a buffer, on all queues, devices and threads: commands that
 * read may overlap, a command that writes overlaps none. <reap/usm.h> is the alternative.
 *
 * On the host any pointer can be an argument. Two checks apply there too:
 * - What a reduction writes (variable, span, location) lies wholly in one buffer, or overlaps no
 *   buffer.
 * - It does not lie in a buffer that the same launch uses as an array.
 *
 * The library does not know how long an array is, and does not check it.
 *
 * If a command fails, the buffers that it should have written become failed buffers:
 * - A command that uses a failed buffer does not run. It ends with REAP_ERROR_DEPENDENCY_FAILED,
 *   and the buffers that it should have written become failed buffers.
 * - If only reductions into a buffer have failed, commands that only reduce into it still run.
 * - A copy, a fill or a host access that overwrites the whole buffer makes it valid again.
 * - Commands launched after reap_queue_wait() has returned the failure use the buffer as it is.
 */
#ifndef REAP_BUFFER_H
#define REAP_BUFFER_H

#include <reap/api.h>
#include <reap/status.h>
#include <stddef.h>

/** Memory that the library moves between the host and devices. Any thread may call functions on it,
 * several at the same time; none may use a buffer that has been released. */
typedef struct reap_buffer reap_buffer;

/** Creates a buffer from memory of the program.
 *
 * The memory belongs to the caller. It must remain valid for the life of the buffer, and the
 * program must not write it except in host accesses. It may be read-only if no kernel writes it.
 *
 * @param memory       its first byte
 * @param bytes        its size
 * @param[out] buffer  belongs to the caller, who releases it with reap_buffer_release()
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, `bytes` is 0, the memory extends beyond
 *                                      the last address, or it overlaps a buffer or an allocation
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Any thread may call it. */
REAP_API reap_status reap_buffer_wrap(const void *memory, size_t bytes, reap_buffer **buffer)
    REAP__UNREAD(1);

/** Creates a buffer with new memory, aligned to 64 bytes.
 *
 * The buffer is empty until a command, or a host access with REAP_WRITE, has written to it. A
 * command that reads an empty buffer is refused with REAP_ERROR_INVALID_ARGUMENT: one with an `in`
 * or `inout` array in it, a reduction variable that is not initialised to the identity, or the
 * source of a copy.
 *
 * @param bytes        its size
 * @param[out] buffer  belongs to the caller, who releases it with reap_buffer_release()
 * @retval REAP_ERROR_INVALID_ARGUMENT  `bytes` is 0, or `buffer` is NULL
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Any thread may call it. */
REAP_API reap_status reap_buffer_create(size_t bytes, reap_buffer **buffer);

/** The address of the buffer's memory, to use as an argument of kernels, from any element on.
 *
 * The address does not change. The program reads and writes the memory only between
 * reap_host_access_begin() and reap_host_access_end(), on the host device too; other writes do not
 * reach a device. REAP_CHECK=1 detects them ([checking](docs/checking.md)).
 *
 * @param buffer  the buffer, or NULL
 * @return the memory; NULL if `buffer` is NULL
 * @note Any thread may call it. */
REAP_API void *reap_buffer_data(const reap_buffer *buffer);

/** How the host accesses a buffer's memory; combine them with |. */
enum reap_access {
    REAP_READ = 1, /**< reads what it contains */
    REAP_WRITE = 2 /**< without REAP_READ: overwrites all of it */
};

/** Begins a host access: the program may use the buffer's memory until it ends the access
 * (SYCL 2020, section 4.7.6.10, host_accessor).
 *
 * Waits for the commands launched so far that it conflicts with; the memory then contains their
 * results. Several host accesses may overlap. Until the last has ended, no command that uses the
 * buffer may be launched.
 *
 * @param buffer     the buffer
 * @param access     one or both of enum reap_access
 * @param[out] data  the memory
 * @retval REAP_ERROR_INVALID_ARGUMENT   a pointer is NULL, or `access` is 0 or unknown
 * @retval REAP_ERROR_DEVICE_FAILED      a device failed to copy its contents to the host
 * @retval REAP_ERROR_DEPENDENCY_FAILED  it reads a failed buffer
 * @note Any thread may call it. */
REAP_API reap_status reap_host_access_begin(reap_buffer *buffer, unsigned access, void **data);

/** Ends a host access; commands may use the buffer again.
 *
 * @param buffer  the buffer of a reap_host_access_begin()
 * @retval REAP_ERROR_INVALID_ARGUMENT  `buffer` is NULL, or has no host access
 * @note Any thread may call it. */
REAP_API reap_status reap_host_access_end(reap_buffer *buffer);

/** Waits for the commands that use the buffer and frees it.
 *
 * Memory of a wrapped buffer contains what commands have written. After a failure the buffer is
 * freed too.
 *
 * @param buffer  may be NULL
 * @retval REAP_ERROR_DEVICE_FAILED      a device failed to copy its contents to the host
 * @retval REAP_ERROR_DEPENDENCY_FAILED  it was wrapped, and is a failed buffer
 * @note Any thread may call it. */
REAP_API reap_status reap_buffer_release(reap_buffer *buffer);

#endif
