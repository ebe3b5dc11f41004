/* SPDX-License-Identifier: Apache-2.0
 *
 * Reap beside a vendor's own interface (SYCL 2020, section 4.5.1): a program's CUDA streams and
 * contexts, OpenCL command queues, contexts and memory objects in Reap, and Reap's in such a
 * program. No vendor's header is needed: their objects are pointers here, of the types that are
 * named. The host has none of this. docs/native.md has examples.
 */
#ifndef REAP_NATIVE_H
#define REAP_NATIVE_H

#include <reap/api.h>
#include <reap/device.h>
#include <reap/queue.h>
#include <reap/status.h>
#include <stddef.h>
#include <stdint.h>

/* A device, and the context that Reap uses there. */
typedef struct reap_native_device {
    void *device;  /* cl_device_id; NULL: it is CUDA's */
    int ordinal;   /* CUdevice; -1: it is OpenCL's */
    void *context; /* CUcontext, the device's primary one unless another was given; cl_context */
} reap_native_device;

/* Opens the device, as its first command would, and fills *native with what stays Reap's. Any
 * thread. Fails with INVALID_ARGUMENT (a NULL, or the host) or DEVICE_FAILED. */
REAP_API reap_status reap_device_get_native(const reap_device *device, reap_native_device *native);

/* Has Reap use a context of the program's on a device, a CUcontext or a cl_context, from the first
 * command there on; without, Reap takes CUDA's primary context, and a context of its own on OpenCL.
 * It must outlive all use of the device, for good. Any thread. Fails with INVALID_ARGUMENT (a NULL,
 * the host, a context of other devices, or the device has been used with another context) or
 * DEVICE_FAILED. */
REAP_API reap_status reap_device_set_context(const reap_device *device, void *context);

/* Makes a queue whose commands take their place in a stream of the program's, a CUstream (NULL: the
 * default stream) or a cl_command_queue: each runs after what the stream was given before its
 * launch, and what the stream is given after the launch runs after it. So neither side waits on the
 * host. Reduction variables of the program's own have their values only once the command was waited
 * for by reap_queue_wait or reap_event_wait, as always. The stream must outlive the queue, and is
 * not released with it. options may be NULL; queues out of order, and asynchronous ones, are
 * refused. Where the device has not been used yet, the stream's context is used there from now on,
 * as reap_device_set_context has it. Any thread. Fails as reap_queue_create does, and with
 * INVALID_ARGUMENT (the host, or a stream of another device or context) or DEVICE_FAILED. */
REAP_API reap_status reap_queue_create_native(const reap_device *device,
                                              const reap_queue_options *options, void *stream,
                                              reap_queue **queue);

/* Memory of a device, from some byte on. */
typedef struct reap_native_memory {
    void *object;     /* cl_mem; NULL: it is CUDA's */
    uint64_t address; /* CUdeviceptr; or the byte of the object */
} reap_native_memory;

/* Tells what a pointer into an allocation of kind device is (and on CUDA of kind host and shared),
 * for work of the program's own, which it puts in order with Reap's by streams, events, or waiting.
 * It stays so until reap_free. Any thread. Fails with INVALID_ARGUMENT: a NULL, or a pointer into
 * anything else, buffers too, since those move. */
REAP_API reap_status reap_memory_get_native(const void *memory, reap_native_memory *native);

/* Makes so many bytes of the program's own device memory an allocation of kind device: *memory is a
 * pointer to give to kernels and copies, on CUDA the CUdeviceptr itself. Of a cl_mem it is the
 * begin. The memory stays the program's: it must outlive the allocation, and is not freed by
 * reap_free, to which *memory is to be given. Opens the device. Any thread. Fails with
 * INVALID_ARGUMENT (a NULL, no bytes, the host, memory of another context, or not as many bytes),
 * OUT_OF_MEMORY or DEVICE_FAILED. */
REAP_API reap_status reap_memory_import(const reap_device *device, const reap_native_memory *native,
                                        size_t bytes, void **memory);

#endif
