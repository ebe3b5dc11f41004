/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts, memory and launches through OpenCL. Each stream is a queue, in order. Programs are in
 * program.c.
 */
#include "src/opencl/driver.h"

#include "src/core/allocate.h"
#include "src/core/status.h"

#include <string.h>

/* Writes up to the first size use the staging memory; those that are larger, or find it
 * full, wait for the queue. */
enum { MOST_STAGED_WRITE_BYTES = 1 << 16, STAGING_BYTES = 1 << 18 };

reap_status reap__opencl_check(const struct reap__opencl_device *device, const char *call,
                               int32_t error)
{
    if (error == CL_SUCCESS)
        return REAP_OK;
    const bool is_memory =
        error == CL_OUT_OF_HOST_MEMORY || error == CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return reap__fail(is_memory ? REAP_ERROR_OUT_OF_MEMORY : REAP_ERROR_DEVICE_FAILED,
                      "device '%s': %s failed: %s (%d)", device->name, call,
                      reap__opencl_error_name(error), (int)error);
}

static const char *identity(struct reap__accelerator *accelerator)
{
    return reap__opencl_device_of(accelerator)->identity;
}

static reap_status make_queue(struct reap__opencl_device *device, enum reap__stream stream)
{
    int32_t error = CL_SUCCESS;
    const uint64_t properties = stream == REAP__STREAM_COMPUTE ? 0 : CL_QUEUE_PROFILING_ENABLE;
    if (reap__opencl_queue(device, stream) != NULL)
        return REAP_OK;
    cl_command_queue queue =
        device->api->clCreateCommandQueue(device->context, device->id, properties, &error);
    REAP_TRY(reap__opencl_check(device, "clCreateCommandQueue", error));
    atomic_store_explicit(&device->queues[stream], queue, memory_order_relaxed);
    return REAP_OK;
}

static reap_status make_context(struct reap__opencl_device *device)
{
    const intptr_t properties[] = {CL_CONTEXT_PLATFORM, (intptr_t)device->platform, 0};
    int32_t error = CL_SUCCESS;
    if (device->context != NULL)
        return REAP_OK;
    cl_context context =
        device->api->clCreateContext(properties, 1, &device->id, NULL, NULL, &error);
    REAP_TRY(reap__opencl_check(device, "clCreateContext", error));
    device->context = context;
    return REAP_OK;
}

/* Objects that an earlier attempt has made are kept. */
static reap_status open_device(struct reap__accelerator *accelerator)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    if (device->staging == NULL)
        device->staging = (unsigned char *)reap__allocate(STAGING_BYTES);
    if (device->staging == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                          "device '%s': no memory for its staging area of %d bytes", device->name,
                          (int)STAGING_BYTES);
    REAP_TRY(make_context(device));
    for (enum reap__stream stream = REAP__STREAM_COMPUTE; stream < REAP__STREAM_COUNT; stream++)
        REAP_TRY(make_queue(device, stream));
    return REAP_OK;
}

/* If memory is short, drivers may also report a lack of resources, or an invalid buffer size. */
static reap_status allocation_failed(const struct reap__opencl_device *device, size_t bytes,
                                     const char *call, int32_t error)
{
    if (error != CL_MEM_OBJECT_ALLOCATION_FAILURE && error != CL_OUT_OF_RESOURCES &&
        error != CL_OUT_OF_HOST_MEMORY && error != CL_INVALID_BUFFER_SIZE)
        return reap__opencl_check(device, call, error);
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                      "device '%s': no memory for %zu bytes: %s failed: %s (%d)", device->name,
                      bytes, call, reap__opencl_error_name(error), (int)error);
}

/* Drivers may allocate a buffer's memory at its first use, when it is too late to fail. So it is
 * used here, on a stream that is less often busy than the compute stream. */
static int32_t touch(struct reap__opencl_device *device, cl_mem buffer)
{
    static const unsigned char zero;
    const struct reap__opencl_api *const api = device->api;
    cl_command_queue queue = reap__opencl_queue(device, REAP__STREAM_TO_HOST);
    cl_event event = NULL;
    int32_t error =
        api->clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL);
    if (error == CL_SUCCESS)
        error = api->clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);
    if (error != CL_SUCCESS)
        return error;
    error = api->clWaitForEvents(1, &event);
    api->clReleaseEvent(event);
    return error;
}

static reap_status allocate(struct reap__accelerator *accelerator, size_t bytes,
                            struct reap__memory *memory)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    const struct reap__opencl_api *const api = device->api;
    int32_t error = CL_SUCCESS;
    if (bytes == 0)
        bytes = 1; /* OpenCL has no empty buffers */
    if (bytes > device->max_allocation_bytes)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                          "device '%s': no memory for %zu bytes: it takes at most %llu at a time",
                          device->name, bytes, (unsigned long long)device->max_allocation_bytes);
    cl_mem buffer = api->clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    if (error != CL_SUCCESS)
        return allocation_failed(device, bytes, "clCreateBuffer", error);
    error = touch(device, buffer);
    if (error != CL_SUCCESS) {
        api->clReleaseMemObject(buffer);
        return allocation_failed(device, bytes, "the first write", error);
    }
    *memory = (struct reap__memory){.object = buffer};
    return REAP_OK;
}

static void release(struct reap__accelerator *accelerator, struct reap__memory *memory)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    if (memory->object != NULL && !memory->is_borrowed)
        device->api->clReleaseMemObject((cl_mem)memory->object);
    *memory = (struct reap__memory){.object = NULL};
}

static reap_status enqueue_write(struct reap__opencl_device *device, cl_command_queue queue,
                                 const struct reap__device_address *to, const void *from,
                                 size_t bytes, uint32_t blocking)
{
    const int32_t error = device->api->clEnqueueWriteBuffer(
        queue, (cl_mem)to->memory->object, blocking, to->offset, bytes, from, 0, NULL, NULL);
    return reap__opencl_check(device, "clEnqueueWriteBuffer", error);
}

static reap_status write(struct reap__accelerator *accelerator, enum reap__stream stream,
                         const struct reap__device_address *to, const void *from, size_t bytes)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    cl_command_queue queue = reap__opencl_queue(device, stream);
    if (bytes == 0)
        return REAP_OK;
    if (stream != REAP__STREAM_COMPUTE)
        return enqueue_write(device, queue, to, from, bytes, CL_TRUE);
    if (bytes <= MOST_STAGED_WRITE_BYTES && bytes <= STAGING_BYTES - device->staged_bytes) {
        unsigned char *const staged = device->staging + device->staged_bytes;
        memcpy(staged, from, bytes);
        device->staged_bytes += bytes;
        return enqueue_write(device, queue, to, staged, bytes, CL_FALSE);
    }
    REAP_TRY(enqueue_write(device, queue, to, from, bytes, CL_TRUE));
    device->staged_bytes = 0; /* the queue is in order: earlier writes have completed */
    return REAP_OK;
}

static reap_status read(struct reap__accelerator *accelerator, enum reap__stream stream,
                        const struct reap__device_address *from, void *into, size_t bytes)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    const struct reap__opencl_api *const api = device->api;
    cl_command_queue queue = reap__opencl_queue(device, stream);
    if (bytes == 0)
        return reap__opencl_check(device, "clFinish", api->clFinish(queue));
    const int32_t error = api->clEnqueueReadBuffer(queue, (cl_mem)from->memory->object, CL_TRUE,
                                                   from->offset, bytes, into, 0, NULL, NULL);
    return reap__opencl_check(device, "clEnqueueReadBuffer", error);
}

/* The host's view is a copy, which `fetch_results` updates. */
static reap_status share(struct reap__accelerator *accelerator, size_t bytes,
                         struct reap__memory *memory, void **host)
{
    void *const view = reap__allocate(bytes);
    if (view == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "device '%s': no memory for results",
                          accelerator->device.info.name);
    const reap_status status = allocate(accelerator, bytes, memory);
    if (status == REAP_OK)
        *host = view;
    else
        reap__free(view);
    return status;
}

static reap_status fetch(struct reap__accelerator *accelerator, const struct reap__memory *memory,
                         size_t offset, size_t bytes, void *host)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    const struct reap__opencl_api *const api = device->api;
    return reap__opencl_check(
        device, "clEnqueueReadBuffer",
        api->clEnqueueReadBuffer(reap__opencl_queue(device, REAP__STREAM_COMPUTE),
                                 (cl_mem)memory->object, CL_FALSE, offset, bytes, host, 0, NULL,
                                 NULL));
}

/* By patterns of 16 bytes: past 2^31 bytes, NVIDIA's fill by single bytes fails and the device is
 * lost (seen on an H100). The bytes before the first pattern and after the last one are written. */
enum { PATTERN_BYTES = 16 };

static reap_status fill(struct reap__accelerator *accelerator, const struct reap__memory *memory,
                        size_t offset, unsigned char value, size_t bytes)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    unsigned char pattern[PATTERN_BYTES];
    const size_t to_pattern = (PATTERN_BYTES - offset % PATTERN_BYTES) % PATTERN_BYTES;
    const size_t before = to_pattern < bytes ? to_pattern : bytes;
    const size_t after = (bytes - before) % PATTERN_BYTES, end = offset + bytes;
    const struct reap__device_address first = {memory, offset}, last = {memory, end - after};
    memset(pattern, value, sizeof pattern);
    if (before > 0)
        REAP_TRY(write(accelerator, REAP__STREAM_COMPUTE, &first, pattern, before));
    if (after > 0)
        REAP_TRY(write(accelerator, REAP__STREAM_COMPUTE, &last, pattern, after));
    if (before + after == bytes)
        return REAP_OK;
    return reap__opencl_check(
        device, "clEnqueueFillBuffer",
        device->api->clEnqueueFillBuffer(reap__opencl_queue(device, REAP__STREAM_COMPUTE),
                                         (cl_mem)memory->object, pattern, sizeof pattern,
                                         offset + before, bytes - before - after, 0, NULL, NULL));
}

static reap_status copy(struct reap__accelerator *accelerator, enum reap__stream stream,
                        const struct reap__device_address *to,
                        const struct reap__device_address *from, size_t bytes)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    const int32_t error = device->api->clEnqueueCopyBuffer(
        reap__opencl_queue(device, stream), (cl_mem)from->memory->object,
        (cl_mem)to->memory->object, from->offset, to->offset, bytes, 0, NULL, NULL);
    return reap__opencl_check(device, "clEnqueueCopyBuffer", error);
}

static reap_status set_arguments(const struct reap__opencl_device *device, cl_kernel kernel,
                                 const struct reap__grid *grid)
{
    const struct reap__opencl_api *const api = device->api;
    uint32_t next = 0;
    int32_t error = api->clSetKernelArg(kernel, next++, grid->block_bytes, grid->block);
    for (size_t i = 0; i < grid->memory_count && error == CL_SUCCESS; i++) {
        cl_mem buffer = (cl_mem)grid->memories[i].object;
        error = api->clSetKernelArg(kernel, next++, sizeof buffer, &buffer);
    }
    if (grid->local_bytes > 0 && error == CL_SUCCESS)
        error = api->clSetKernelArg(kernel, next, grid->local_bytes, NULL);
    return reap__opencl_check(device, "clSetKernelArg", error);
}

/* The flush starts the work, which might otherwise start only when the host waits for it. */
static reap_status launch(struct reap__accelerator *accelerator, const struct reap__grid *grid)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    cl_kernel kernel = (cl_kernel)grid->program->entries[grid->entry];
    const size_t items = grid->groups * grid->threads;
    REAP_TRY(set_arguments(device, kernel, grid));
    const int32_t error =
        device->api->clEnqueueNDRangeKernel(reap__opencl_queue(device, REAP__STREAM_COMPUTE),
                                            kernel, 1, NULL, &items, &grid->threads, 0, NULL, NULL);
    REAP_TRY(reap__opencl_check(device, "clEnqueueNDRangeKernel", error));
    return reap__opencl_check(
        device, "clFlush", device->api->clFlush(reap__opencl_queue(device, REAP__STREAM_COMPUTE)));
}

/* A queue that could not be finished has lost commands and does not report which, so the device
 * counts as lost. */
static reap_status finish(struct reap__accelerator *accelerator, enum reap__stream stream,
                          bool *lost)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    const int32_t error = device->api->clFinish(reap__opencl_queue(device, stream));
    *lost = error != CL_SUCCESS;
    return reap__opencl_check(device, "clFinish", error);
}

static void note_idle(struct reap__accelerator *accelerator)
{
    reap__opencl_device_of(accelerator)->staged_bytes = 0;
}

const struct reap__driver reap__opencl_driver = {
    .dialect = REAP__DIALECT_OPENCL,
    .identity = identity,
    .open = open_device,
    .compile = reap__opencl_compile,
    .load = reap__opencl_load,
    .unload = reap__opencl_unload,
    .allocate = allocate,
    .release = release,
    .write = write,
    .read = read,
    .allocate_results = share,
    .fetch_results = fetch,
    .fill = fill,
    .copy = copy,
    .launch = launch,
    .record_event = reap__opencl_record_event,
    .query_event = reap__opencl_query_event,
    .wait_event = reap__opencl_queue_wait_event,
    .event_times = reap__opencl_event_times,
    .destroy_event = reap__opencl_destroy_event,
    .finish = finish,
    .note_idle = note_idle,
    .native = &reap__opencl_native,
};
