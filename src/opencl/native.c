/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's own OpenCL contexts, command queues and memory objects.
 */
#include "src/opencl/driver.h"

#include "src/core/status.h"

enum { MOST_DEVICES = 64 };

static void describe(struct reap__accelerator *accelerator, reap_native_device *native)
{
    const struct reap__opencl_device *device = reap__opencl_device_of(accelerator);
    *native = (reap_native_device){.device = device->id, .ordinal = -1, .context = device->context};
}

static reap_status refuse(const struct reap__opencl_device *device, const char *what,
                          const char *call, int32_t error)
{
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "device '%s': the %s does not belong to this device: %s: %s (%d)",
                      device->name, what, call, reap__opencl_error_name(error), (int)error);
}

static reap_status check_context(const struct reap__opencl_device *device, cl_context context)
{
    cl_device_id ids[MOST_DEVICES];
    size_t bytes = 0;
    const int32_t error =
        device->api->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof ids, (void *)ids, &bytes);
    for (size_t d = 0; error == CL_SUCCESS && d < bytes / sizeof *ids; d++)
        if (ids[d] == device->id)
            return REAP_OK;
    return refuse(device, "context", "clGetContextInfo", error);
}

static reap_status set_context(struct reap__accelerator *accelerator, void *context)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    REAP_TRY(check_context(device, context));
    device->context = context;
    return REAP_OK;
}

static reap_status find_context(struct reap__accelerator *accelerator, void *stream, void **context)
{
    const struct reap__opencl_device *device = reap__opencl_device_of(accelerator);
    cl_device_id id = NULL;
    cl_context found = NULL;
    if (stream == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "device '%s': the command queue is NULL",
                          device->name);
    int32_t error =
        device->api->clGetCommandQueueInfo(stream, CL_QUEUE_DEVICE, sizeof id, (void *)&id, NULL);
    if (error == CL_SUCCESS)
        error = device->api->clGetCommandQueueInfo(stream, CL_QUEUE_CONTEXT, sizeof found,
                                                   (void *)&found, NULL);
    if (error != CL_SUCCESS || id != device->id)
        return refuse(device, "command queue", "clGetCommandQueueInfo", error);
    *context = found;
    return REAP_OK;
}

static reap_status import(struct reap__accelerator *accelerator, const reap_native_memory *native,
                          size_t bytes, struct reap__memory *memory)
{
    const struct reap__opencl_device *device = reap__opencl_device_of(accelerator);
    const struct reap__opencl_api *const api = device->api;
    cl_mem object = native->object;
    cl_context context = NULL;
    size_t size = 0;
    if (object == NULL || native->address != 0)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "device '%s': the memory must be given by .object, and .address must be "
                          "0: a memory object is imported from its beginning",
                          device->name);
    int32_t error =
        api->clGetMemObjectInfo(object, CL_MEM_CONTEXT, sizeof context, (void *)&context, NULL);
    if (error == CL_SUCCESS)
        error = api->clGetMemObjectInfo(object, CL_MEM_SIZE, sizeof size, &size, NULL);
    if (error != CL_SUCCESS || context != device->context)
        return refuse(device, "memory object", "clGetMemObjectInfo", error);
    if (bytes > size)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "device '%s': %zu bytes are more than the %zu that the memory object has",
                          device->name, bytes, size);
    *memory = (struct reap__memory){.object = object, .is_borrowed = true};
    return REAP_OK;
}

static reap_status record_event(struct reap__accelerator *accelerator, void *stream,
                                void **device_event)
{
    const struct reap__opencl_device *device = reap__opencl_device_of(accelerator);
    cl_event event = NULL;
    const int32_t error = device->api->clEnqueueMarkerWithWaitList(stream, 0, NULL, &event);
    REAP_TRY(reap__opencl_check(device, "clEnqueueMarkerWithWaitList", error));
    *device_event = event;
    return reap__opencl_check(device, "clFlush", device->api->clFlush(stream));
}

static reap_status follow(struct reap__accelerator *accelerator, void *stream, void *device_event)
{
    const struct reap__opencl_device *device = reap__opencl_device_of(accelerator);
    cl_event event = device_event;
    const int32_t error = device->api->clEnqueueBarrierWithWaitList(stream, 1, &event, NULL);
    return reap__opencl_check(device, "clEnqueueBarrierWithWaitList", error);
}

const struct reap__driver_native reap__opencl_native = {
    .describe = describe,
    .set_context = set_context,
    .find_context = find_context,
    .import = import,
    .record_event = record_event,
    .wait_event = follow,
};
