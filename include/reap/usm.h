/* SPDX-License-Identifier: Apache-2.0
 *
 * Unified shared memory (SYCL 2020, section 4.8): allocations whose plain pointers, to any of their
 * elements, are arguments of kernels; and commands that copy, fill and prefetch memory of any kind.
 *
 * An allocation belongs to a device. What may use it:
 *
 *     kind     commands on its device   commands on the host   the program's own code
 *     device   yes                      no (host's own: yes)   no (host's own: yes)
 *     host     yes                      yes                    yes
 *     shared   yes                      yes                    yes
 *
 * No other device may: copy with reap_copy. On the host device all kinds are plain memory.
 * Elsewhere a pointer of kind device stands for the device's memory, and must not be followed.
 *
 * Nothing but events, and the order of a queue, orders commands on this memory; buffers
 * (<reap/buffer.h>) order theirs by themselves. The program's own code uses host and shared memory
 * while no command does: once reap_queue_wait or reap_event_wait has returned for all that do.
 * docs/memory.md has more.
 */
#ifndef REAP_USM_H
#define REAP_USM_H

#include <reap/api.h>
#include <reap/device.h>
#include <reap/launch.h>
#include <reap/queue.h>
#include <reap/status.h>
#include <stddef.h>

/* Allocates that many bytes of the kind that the name says (SYCL 2020, section 4.8.3), aligned to
 * 64 bytes or more, which hold garbage at first; *memory is the caller's, to be given to reap_free.
 * device may be NULL (the default device). Any thread. Fails with INVALID_ARGUMENT (no bytes, or
 * memory is NULL), OUT_OF_MEMORY, NO_DEVICE (see reap_device_default) or DEVICE_FAILED.
 *
 * Host memory stays near the host, and shared memory moves to where it is used. A device that
 * cannot do either (OpenCL's) has a copy of such an allocation, which goes there whole before a
 * command, and comes home, whole, when the device is waited for. */
REAP_API reap_status reap_malloc_device(const reap_device *device, size_t bytes, void **memory);
REAP_API reap_status reap_malloc_host(const reap_device *device, size_t bytes, void **memory);
REAP_API reap_status reap_malloc_shared(const reap_device *device, size_t bytes, void **memory);

/* Waits for the commands that use the allocation, and frees it; memory is its first byte, and NULL
 * is fine. Fails with INVALID_ARGUMENT, and frees nothing, where it is none of the above. Any
 * thread. */
REAP_API reap_status reap_free(void *memory);

/* What memory is, as far as the library knows. */
typedef enum reap_memory_kind {
    REAP_MEMORY_UNKNOWN, /* the program's own, which Reap has not been told of */
    REAP_MEMORY_BUFFER,  /* in a buffer, wrapped or with memory of its own */
    REAP_MEMORY_DEVICE,  /* from reap_malloc_device */
    REAP_MEMORY_HOST,    /* from reap_malloc_host */
    REAP_MEMORY_SHARED   /* from reap_malloc_shared */
} reap_memory_kind;

/* What a pointer points into. */
typedef struct reap_pointer_info {
    reap_memory_kind kind;     /* of the buffer or allocation that it points into */
    const reap_device *device; /* that the allocation was made for; NULL: a buffer, or unknown */
    const void *base;          /* its first byte, or the buffer's; NULL: unknown */
    size_t bytes;              /* 0: unknown */
} reap_pointer_info;

/* Tells what a pointer points into (SYCL 2020, section 4.8.4): an allocation or buffer, at any of
 * its bytes. *info is filled; the program's own memory is no failure. Fails with INVALID_ARGUMENT
 * when either pointer is NULL. Any thread. */
REAP_API reap_status reap_pointer_get_info(const void *pointer, reap_pointer_info *info);

/* Copies bytes: memcpy(to, from, bytes), which refuses memory that overlaps. The program's own
 * memory may change once the call has returned where it is `from`, and has its bytes then where it
 * is `to`; on an asynchronous queue both once the command has completed.
 *
 * Copies, fills and prefetches (SYCL 2020, section 4.9.4.3) are commands on any memory: unified
 * shared memory that the queue's device may use, buffers, which move as for kernels, and the
 * program's own memory, on any device. They are ordered as launches are, and fail as launches do.
 * options may be NULL (all defaults). What does not lie wholly in one allocation or buffer, or in
 * none, is refused with INVALID_ARGUMENT, and so is NULL but where there are no bytes. Any thread.
 */
REAP_API reap_status reap_copy(reap_queue *queue, void *to, const void *from, size_t bytes,
                               const reap_launch_options *options);

/* Fills `count` elements with a pattern of 1 to 4096 bytes, which is not used after the call;
 * what reap_copy says of memory, order and failures holds here, too:
 *
 *     for (i = 0; i < count; i++)
 *         memcpy((char *)memory + i * pattern_bytes, pattern, pattern_bytes);
 */
REAP_API reap_status reap_fill(reap_queue *queue, void *memory, const void *pattern,
                               size_t pattern_bytes, size_t count,
                               const reap_launch_options *options);

/* Brings memory to where the queue's device uses it fastest, ahead of a command that does: a buffer
 * or a copy goes there whole. It changes no result, and where there is nothing to bring, it does
 * nothing. What reap_copy says of memory, order and failures holds here, too. */
REAP_API reap_status reap_prefetch(reap_queue *queue, const void *memory, size_t bytes,
                                   const reap_launch_options *options);

#endif
