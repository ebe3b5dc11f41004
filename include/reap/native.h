/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Interoperation with CUDA and OpenCL (SYCL 2020, section 4.5.1): Reap on a program's streams,
 * contexts and memory, and Reap's objects for a program's own calls of the vendor's interface.
 *
 * No vendor header is needed: the vendor's objects are pointers here, of the types named in the
 * comments. The host has no native objects. [Native](docs/native.md) has examples.
 */
#ifndef REAP_NATIVE_H
#define REAP_NATIVE_H

#include <reap/api.h>
#include <reap/device.h>
#include <reap/queue.h>
#include <reap/status.h>
#include <stddef.h>
#include <stdint.h>

/** A vendor's device, and the context that Reap uses on it. */
typedef struct reap_native_device {
    void *device;  /**< cl_device_id; NULL for CUDA */
    int ordinal;   /**< CUdevice; -1 for OpenCL */
    void *context; /**< CUcontext (the primary one unless another was set), or cl_context */
} reap_native_device;

/** Returns the vendor's objects of a device. Opens the device, as its first command does.
 *
 * @param device       the device
 * @param[out] native  its objects, which belong to the library
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, or the device is the host
 * @retval REAP_ERROR_DEVICE_FAILED     the device failed
 * @note Any thread may call it. */
REAP_API reap_status reap_device_get_native(const reap_device *device, reap_native_device *native);

/** Has Reap use a context of the program on a device, from the first command on.
 *
 * By default Reap uses CUDA's primary context, and creates a context on OpenCL.
 *
 * @param device   the device
 * @param context  a CUcontext or cl_context, valid until the program ends
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, the device is the host, the context is of
 *                                      other devices, or the device already uses another context
 * @retval REAP_ERROR_DEVICE_FAILED     the device failed
 * @note Any thread may call it. */
REAP_API reap_status reap_device_set_context(const reap_device *device, void *context);

/** Creates a queue whose commands run in a stream of the program.
 *
 * A command runs after the work that the stream had received before the launch; work that the
 * stream receives after the launch runs after the command. Neither side waits on the host.
 * Reduction variables in the program's own memory have their values only after reap_queue_wait() or
 * reap_event_wait(), as with any queue.
 *
 * The stream must outlive the queue, and is not released with it. If the device has not been used
 * before, Reap uses the stream's context on it from now on, as with reap_device_set_context().
 *
 * @param device      NULL: the default device
 * @param options     NULL: all defaults; `.out_of_order` and `.asynchronous` are refused
 * @param stream      a CUstream (NULL: the default stream) or a cl_command_queue
 * @param[out] queue  belongs to the caller, who releases it with reap_queue_release()
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_queue_create(), the device is the host, an
 * option is refused, or the stream is of another device or context
 * @retval REAP_ERROR_NO_DEVICE         as for reap_queue_create()
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @retval REAP_ERROR_DEVICE_FAILED     the device failed
 * @note Any thread may call it. */
REAP_API reap_status reap_queue_create_native(const reap_device *device,
                                              const reap_queue_options *options, void *stream,
                                              reap_queue **queue);

/** Memory of a device, from some byte on. */
typedef struct reap_native_memory {
    void *object;     /**< cl_mem; NULL for CUDA */
    uint64_t address; /**< CUdeviceptr; for OpenCL the byte offset in the object */
} reap_native_memory;

/** Returns the vendor's memory of a pointer into an allocation of kind device (on CUDA also of kind
 * host and shared).
 *
 * The program orders its own work on the memory with Reap's commands: by streams, events, or
 * waiting. The result is valid until reap_free().
 *
 * @param memory       any byte of the allocation
 * @param[out] native  the vendor's memory
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, or points to any other memory. Buffers
 * are refused because they migrate
 * @note Any thread may call it. */
REAP_API reap_status reap_memory_get_native(const void *memory, reap_native_memory *native);

/** Makes device memory of the program an allocation of kind device. Opens the device.
 *
 * The memory belongs to the program and must outlive the allocation. reap_free() ends the
 * allocation and does not free the memory.
 *
 * @param device       the device
 * @param native       the memory; for OpenCL a cl_mem from its first byte on, so `.address` is 0
 * @param bytes        its size
 * @param[out] memory  a pointer for kernels and copies; on CUDA the CUdeviceptr itself
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, `bytes` is 0 or more than the memory has,
 *                                      `.address` of a cl_mem is not 0, the device is the host, or
 *                                      the memory is of another context
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @retval REAP_ERROR_DEVICE_FAILED     the device failed
 * @note Any thread may call it. */
REAP_API reap_status reap_memory_import(const reap_device *device, const reap_native_memory *native,
                                        size_t bytes, void **memory);

#endif
