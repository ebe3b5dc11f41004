/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Unified shared memory (SYCL 2020, section 4.8): allocations whose pointers, to any element, are
 * arguments of kernels. Also the commands that copy, fill and prefetch memory of any kind.
 *
 * An allocation belongs to a device. It can be used by:
 *
 * @code{.unparsed}
 * kind     commands on its device   commands on the host   the program's own code
 * device   yes                      no (host's own: yes)   no (host's own: yes)
 * host     yes                      yes                    yes
 * shared   yes                      yes                    yes
 * @endcode
 *
 * Other devices cannot use it; copy it with reap_copy(). On the host device all kinds are plain
 * memory. On other devices a pointer of kind device is an address of the device and must not be
 * dereferenced by the program. Memory of a combined device (reap_device_combine()) is the host's,
 * and launches that use it run on the host; a combined device without the host has none.
 *
 * Only events and the order of a queue order the commands that use an allocation. (The library
 * orders commands on buffers automatically: <reap/buffer.h>.) The program uses host and shared
 * memory only while no command does: after reap_queue_wait() or reap_event_wait() has returned for
 * every command that uses it. [Memory](docs/memory.md) has more.
 */
#ifndef REAP_USM_H
#define REAP_USM_H

#include <reap/api.h>
#include <reap/device.h>
#include <reap/launch.h>
#include <reap/queue.h>
#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

/** Allocates memory of the kind in the function's name (SYCL 2020, section 4.8.3), aligned to at
 * least 64 bytes and not initialised.
 *
 * Host memory stays near the host; shared memory migrates to where it is used. Where a device
 * supports neither (OpenCL devices), it keeps a copy of the allocation: the whole copy is written
 * before a command, and read back when the program waits for the device.
 *
 * @param device       NULL: the default device
 * @param bytes        the size
 * @param[out] memory  belongs to the caller, who frees it with reap_free()
 * @retval REAP_ERROR_INVALID_ARGUMENT  `bytes` is 0, `memory` is NULL, or the device combines
 * devices without the host
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out, of the host or of the device
 * @retval REAP_ERROR_NO_DEVICE         as for reap_device_default()
 * @retval REAP_ERROR_DEVICE_FAILED     the device failed
 * @note Any thread may call it. */
/**@{*/
REAP_API reap_status reap_malloc_device(const reap_device *device, size_t bytes, void **memory);
REAP_API reap_status reap_malloc_host(const reap_device *device, size_t bytes, void **memory);
REAP_API reap_status reap_malloc_shared(const reap_device *device, size_t bytes, void **memory);
/**@}*/

/** Waits for the commands that use an allocation and frees it.
 *
 * @param memory  the first byte of an allocation, or NULL
 * @retval REAP_ERROR_INVALID_ARGUMENT  it is not an allocation; nothing is freed
 * @note Any thread may call it. */
REAP_API reap_status reap_free(void *memory);

/** The kinds of memory that the library knows. */
typedef enum reap_memory_kind {
    REAP_MEMORY_UNKNOWN, /**< memory of the program that is not in a buffer */
    REAP_MEMORY_BUFFER,  /**< in a buffer, wrapped or created */
    REAP_MEMORY_DEVICE,  /**< from reap_malloc_device() or reap_memory_import() */
    REAP_MEMORY_HOST,    /**< from reap_malloc_host() */
    REAP_MEMORY_SHARED   /**< from reap_malloc_shared() */
} reap_memory_kind;

/** What a pointer points into. */
typedef struct reap_pointer_info {
    reap_memory_kind kind;     /**< the kind of the memory */
    const reap_device *device; /**< the allocation's device; NULL: a buffer, or unknown */
    const void *base;          /**< first byte of the allocation or buffer; NULL: unknown */
    size_t bytes;              /**< size of the allocation or buffer; 0: unknown */
    bool is_unwritten;         /**< a buffer to which no command has written yet */
} reap_pointer_info;

/** Returns what a pointer points into (SYCL 2020, section 4.8.4).
 *
 * @param pointer    any byte of an allocation, of a buffer, or of other memory
 * @param[out] info  the memory; REAP_MEMORY_UNKNOWN is not a failure
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL
 * @note Any thread may call it. */
REAP_API reap_status reap_pointer_get_info(const void *pointer, reap_pointer_info *info);

/** Copies bytes: memcpy(to, from, bytes). Memory that overlaps is refused.
 *
 * Copies, fills and prefetches (SYCL 2020, section 4.9.4.3) are commands. They accept any memory:
 * unified shared memory that the queue's device can use, buffers, which migrate as for kernels, and
 * other memory of the program, on any device. They are ordered, and fail, as launches do.
 *
 * Memory of the program that is not in a buffer: when the call returns, the source may be changed,
 * and the destination has its new contents. On an asynchronous queue both are true only once the
 * command has completed.
 *
 * @param queue    the queue
 * @param to       the destination
 * @param from     the source
 * @param bytes    how many; 0: nothing is copied, and the pointers may be NULL
 * @param options  NULL: all defaults
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, the memory overlaps, or the source or the
 *                                      destination lies only partly in an allocation or buffer
 * @retval REAP_ERROR_OUT_OF_MEMORY     as for reap_launch()
 * @retval REAP_ERROR_DEVICE_FAILED     as for reap_launch()
 * @note Any thread may call it. */
REAP_API reap_status reap_copy(reap_queue *queue, void *to, const void *from, size_t bytes,
                               const reap_launch_options *options);

/** Fills memory with a pattern. It equals
 *
 * @code{.c}
 * for (i = 0; i < count; i++)
 *     memcpy((char *)memory + i * pattern_bytes, pattern, pattern_bytes);
 * @endcode
 *
 * Memory, order and failures are those of reap_copy().
 *
 * @param queue          the queue
 * @param memory         the destination
 * @param pattern        an element; not used after the call
 * @param pattern_bytes  its size, 1 to 4096
 * @param count          how many elements
 * @param options        NULL: all defaults
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_copy(), or `pattern_bytes` is out of range
 * @note Any thread may call it. */
REAP_API reap_status reap_fill(reap_queue *queue, void *memory, const void *pattern,
                               size_t pattern_bytes, size_t count,
                               const reap_launch_options *options);

/** Moves memory to where the queue's device accesses it fastest, before a command needs it.
 *
 * A buffer, or the device's copy of an allocation, moves whole. Results do not change. If nothing
 * can be moved, as in an allocation that kernels on the device cannot use, the command does
 * nothing. Memory, order and failures are those of reap_copy().
 *
 * @param queue    the queue
 * @param memory   the first byte
 * @param bytes    how many
 * @param options  NULL: all defaults
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_copy()
 * @note Any thread may call it. */
REAP_API reap_status reap_prefetch(reap_queue *queue, const void *memory, size_t bytes,
                                   const reap_launch_options *options);

#endif
