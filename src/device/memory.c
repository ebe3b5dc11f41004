/* SPDX-License-Identifier: Apache-2.0
 *
 * A device's memory, as the core uses it: each call takes the device's lock.
 */
#include "src/core/status.h"
#include "src/device/accelerator.h"
#include "src/device/pending.h"
#include "src/device/run.h"

reap_status reap__device_allocate(const reap_device *device, size_t bytes,
                                  struct reap__memory *memory)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(accelerator,
                                   accelerator->driver->allocate(accelerator, bytes, memory));
}

void reap__device_release(const reap_device *device, struct reap__memory *memory)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (reap__accelerator_enter(accelerator) != REAP_OK)
        return;
    reap__accelerator_finish(accelerator);
    accelerator->driver->release(accelerator, memory);
    reap__accelerator_leave(accelerator, REAP_OK);
}

reap_status reap__device_write(const reap_device *device, const struct reap__memory *memory,
                               size_t offset, const void *from, size_t bytes)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(
        accelerator, accelerator->driver->write(accelerator, memory, offset, from, bytes));
}

reap_status reap__device_read(const reap_device *device, const struct reap__memory *memory,
                              size_t offset, void *into, size_t bytes)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(
        accelerator, accelerator->driver->read(accelerator, memory, offset, into, bytes));
}

reap_status reap__device_copy(const reap_device *device, const struct reap__memory *to,
                              size_t to_offset, const struct reap__memory *from, size_t from_offset,
                              size_t bytes)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(
        accelerator,
        accelerator->driver->copy(accelerator, to, to_offset, from, from_offset, bytes));
}

reap_status reap__device_fill(const reap_device *device, const struct reap__memory *memory,
                              size_t offset, unsigned char value, size_t bytes)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(
        accelerator, accelerator->driver->fill(accelerator, memory, offset, value, bytes));
}

reap_status reap__device_follow(const reap_device *device, reap_queue *queue, reap_event *event)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    reap_status status = REAP_OK;
    if (queue == NULL)
        reap__pending_complete(accelerator); /* its queues hear of what failed */
    if (queue == NULL)
        status = reap__accelerator_finish(accelerator);
    else
        status = reap__pending_add_transfer(accelerator, queue, event);
    return reap__accelerator_leave(accelerator, status);
}

reap_status reap__device_settle(const reap_device *device, const void *memory, size_t bytes)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    reap_status status = REAP_OK;
    if (reap__pending_touches(accelerator, memory, bytes) &&
        reap__pending_complete(accelerator) == REAP_ERROR_DEVICE_FAILED)
        status = REAP_ERROR_DEVICE_FAILED; /* of others the queues have heard */
    return reap__accelerator_leave(accelerator, status);
}

reap_status reap__device_share(const reap_device *device, reap_memory_kind kind, size_t bytes,
                               struct reap__memory *memory)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(
        accelerator, accelerator->driver->allocate_common(accelerator, kind, bytes, memory));
}

reap_status reap__device_prefetch(const reap_device *device, const struct reap__memory *memory,
                                  size_t offset, size_t bytes, bool to_host)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(
        accelerator, accelerator->driver->prefetch(accelerator, memory, offset, bytes, to_host));
}
