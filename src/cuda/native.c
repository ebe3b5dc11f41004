/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's own CUDA contexts, streams and memory.
 */
#include "src/cuda/driver.h"

#include "src/core/status.h"

static void describe(struct reap__accelerator *accelerator, reap_native_device *native)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    *native = (reap_native_device){.ordinal = device->handle, .context = device->context};
}

/* An object that CUDA refuses, or that belongs to another card, is an invalid argument. */
static reap_status refuse(const struct reap__cuda_device *device, const char *what,
                          const char *call, int result)
{
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "device '%s': the %s does not belong to this device: %s: %s (%d)",
                      device->name, what, call, reap__cuda_error_name(device->cuda, result),
                      result);
}

static reap_status check_context(const struct reap__cuda_device *device,
                                 struct reap__cuda_context *context)
{
    struct reap__cuda_context *popped;
    int handle = -1;
    int result = device->cuda->cuCtxPushCurrent(context);
    if (result != REAP__CUDA_SUCCESS)
        return refuse(device, "context", "cuCtxPushCurrent", result);
    result = device->cuda->cuCtxGetDevice(&handle);
    device->cuda->cuCtxPopCurrent(&popped);
    if (result != REAP__CUDA_SUCCESS || handle != device->handle)
        return refuse(device, "context", "cuCtxGetDevice", result);
    return REAP_OK;
}

static reap_status set_context(struct reap__accelerator *accelerator, void *context)
{
    struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    REAP_TRY(check_context(device, context));
    device->context = context;
    return REAP_OK;
}

/* The default stream is that of the thread's current context, if the thread has one of this device;
 * otherwise of the context that Reap uses, or will use (NULL). */
static reap_status find_context(struct reap__accelerator *accelerator, void *stream, void **context)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    struct reap__cuda_context *found = NULL;
    const int result = device->cuda->cuStreamGetCtx(stream, &found);
    const bool has_found = result == REAP__CUDA_SUCCESS && found != NULL;
    if (stream == NULL && (!has_found || check_context(device, found) != REAP_OK)) {
        *context = device->context;
        return REAP_OK;
    }
    if (result != REAP__CUDA_SUCCESS || found == NULL)
        return refuse(device, "stream", "cuStreamGetCtx", result);
    *context = found;
    return REAP_OK;
}

static reap_status import(struct reap__accelerator *accelerator, const reap_native_memory *native,
                          size_t bytes, struct reap__memory *memory)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    uint64_t begin = 0;
    size_t size = 0;
    if (native->object != NULL || native->address == 0)
        return reap__fail(
            REAP_ERROR_INVALID_ARGUMENT,
            "device '%s': the memory must be given by .address, and .object must be NULL",
            device->name);
    REAP_TRY(reap__cuda_enter(device));
    const int result = device->cuda->cuMemGetAddressRange(&begin, &size, native->address);
    reap__cuda_leave(device);
    if (result != REAP__CUDA_SUCCESS)
        return refuse(device, "memory", "cuMemGetAddressRange", result);
    if (bytes > size - (size_t)(native->address - begin))
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "device '%s': %zu bytes are more than the %zu that the allocation has "
                          "from that address on",
                          device->name, bytes, size - (size_t)(native->address - begin));
    *memory = (struct reap__memory){.address = native->address, .is_borrowed = true};
    return REAP_OK;
}

static reap_status record_event(struct reap__accelerator *accelerator, void *stream,
                                void **device_event)
{
    struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    struct reap__cuda_event *event = NULL;
    REAP_TRY(reap__cuda_enter(device));
    const int result = reap__cuda_record(device, stream, REAP__CUDA_EVENT_DISABLE_TIMING, &event);
    *device_event = event;
    return reap__cuda_leave_with(device, "cuEventRecord", result);
}

static reap_status follow(struct reap__accelerator *accelerator, void *stream, void *device_event)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    REAP_TRY(reap__cuda_enter(device));
    const int result = device->cuda->cuStreamWaitEvent(stream, device_event, 0);
    return reap__cuda_leave_with(device, "cuStreamWaitEvent", result);
}

const struct reap__driver_native reap__cuda_native = {
    .describe = describe,
    .set_context = set_context,
    .find_context = find_context,
    .import = import,
    .record_event = record_event,
    .wait_event = follow,
};
