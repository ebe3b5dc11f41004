/* SPDX-License-Identifier: Apache-2.0
 *
 * The vendor's objects, as the program sees them: checks, and then the device's backend.
 */
#include "src/core/backend.h"
#include "src/memory/registry.h"
#include "src/memory/usm.h"
#include "src/queue/queue.h"

#include <reap/native.h>

static reap_status check_device(const char *call, const reap_device *device)
{
    if (device == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: the device is NULL", call);
    if (device->functions->native == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "%s: device '%s' is not a device of CUDA or OpenCL", call,
                          device->info.name);
    return REAP_OK;
}

reap_status reap_device_get_native(const reap_device *device, reap_native_device *native)
{
    REAP_TRY(check_device(__func__, device));
    if (native == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: the pointer is NULL", __func__);
    return device->functions->native->describe(device, native);
}

reap_status reap_device_set_context(const reap_device *device, void *context)
{
    REAP_TRY(check_device(__func__, device));
    if (context == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: the context is NULL", __func__);
    return device->functions->native->set_context(device, context);
}

reap_status reap_queue_create_native(const reap_device *device, const reap_queue_options *options,
                                     void *stream, reap_queue **queue)
{
    if (device == NULL)
        REAP_TRY(reap_device_default(&device));
    REAP_TRY(check_device(__func__, device));
    if (queue == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: the pointer is NULL", __func__);
    if (options != NULL && (options->out_of_order || options->asynchronous))
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "%s: the commands of a stream are in order, so the queue cannot be %s",
                          __func__, options->out_of_order ? ".out_of_order" : ".asynchronous");
    REAP_TRY(device->functions->native->take_stream(device, stream));
    REAP_TRY(reap_queue_create(device, options, queue));
    (*queue)->is_native = true;
    (*queue)->native = stream;
    return REAP_OK;
}

reap_status reap_memory_get_native(const void *memory, reap_native_memory *native)
{
    if (memory == NULL || native == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: a pointer is NULL", __func__);
    const reap_buffer *buffer = reap__registry_find(memory, 1);
    if (buffer == NULL || !buffer->coherence.is_fixed)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "%s: %p lies in %s, which has no permanent address on a device: take "
                          "memory from reap_malloc_device",
                          __func__, memory,
                          buffer == NULL           ? "no allocation"
                          : buffer->device == NULL ? "a buffer"
                                                   : "an allocation that moves");
    const struct reap__memory *there = &buffer->coherence.copies[0].memory;
    const size_t offset = (size_t)((const unsigned char *)memory - buffer->extent.begin);
    *native = there->address != 0 ? (reap_native_memory){NULL, there->address + offset}
                                  : (reap_native_memory){there->object, offset};
    return REAP_OK;
}

reap_status reap_memory_import(const reap_device *device, const reap_native_memory *native,
                               size_t bytes, void **memory)
{
    struct reap__memory there = {.object = NULL};
    REAP_TRY(check_device(__func__, device));
    if (native == NULL || memory == NULL || bytes == 0)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: %s", __func__,
                          bytes == 0 ? "the size is 0" : "a pointer is NULL");
    REAP_TRY(device->functions->native->import(device, native, bytes, &there));
    return reap__usm_import(device, &there, bytes, memory);
}
