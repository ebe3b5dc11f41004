/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices, contexts, streams and memory of the vendor's interface that the program passes to Reap.
 * A queue on the program's stream: before a command, the compute stream waits for an event recorded
 * in the program's stream; after it, the program's stream waits for the command.
 */
#include "src/accelerator/runtime/accelerator.h"
#include "src/accelerator/runtime/in_flight.h"
#include "src/accelerator/runtime/runtime.h"
#include "src/core/status.h"

static reap_status describe(const reap_device *device, reap_native_device *native)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    accelerator->driver->native->describe(accelerator, native);
    return reap__accelerator_leave(accelerator, REAP_OK);
}

/* A device's context cannot be changed after its first use. */
static reap_status adopt(struct reap__accelerator *accelerator, void *context)
{
    reap_native_device used;
    accelerator->driver->native->describe(accelerator, &used);
    if (used.context == context)
        return REAP_OK;
    if (used.context == NULL)
        return accelerator->driver->native->set_context(accelerator, context);
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "device '%s' already uses another context: set the context before the first "
                      "use of the device",
                      accelerator->device.info.name);
}

static reap_status set_context(const reap_device *device, void *context)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    reap__accelerator_lock(accelerator);
    const reap_status status = adopt(accelerator, context);
    reap__accelerator_unlock(accelerator);
    return status;
}

static reap_status take_stream(const reap_device *device, void *stream)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    void *context = NULL;
    reap__accelerator_lock(accelerator);
    const reap_status status =
        accelerator->driver->native->find_context(accelerator, stream, &context);
    reap__accelerator_unlock(accelerator);
    return status == REAP_OK ? set_context(device, context) : status;
}

static reap_status import(const reap_device *device, const reap_native_memory *native, size_t bytes,
                          struct reap__memory *memory)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(
        accelerator, accelerator->driver->native->import(accelerator, native, bytes, memory));
}

/* ---- Order ------------------------------------------------------------------------------------*/

static reap_status follow_stream(struct reap__accelerator *accelerator, void *stream,
                                 struct reap__execution *execution)
{
    const struct reap__driver *driver = accelerator->driver;
    void *device_event = NULL;
    REAP_TRY(driver->native->record_event(accelerator, stream, &device_event));
    const reap_status status = driver->wait_event(accelerator, REAP__STREAM_COMPUTE, device_event);
    driver->destroy_event(accelerator, device_event);
    if (status == REAP_OK)
        execution->timeline.at[REAP__STREAM_COMPUTE] =
            reap__stream_note(accelerator, REAP__STREAM_COMPUTE);
    return status;
}

static reap_status begin(const reap_device *device, void *stream, struct reap__execution *execution)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(accelerator, follow_stream(accelerator, stream, execution));
}

static reap_status have_stream_follow(struct reap__accelerator *accelerator, void *stream,
                                      const struct reap__timeline_value *timeline)
{
    for (enum reap__stream s = REAP__STREAM_COMPUTE; s < REAP__STREAM_COUNT; s++) {
        if (timeline->at[s] <= accelerator->streams[s].done)
            continue;
        struct reap__device_event *device_event =
            reap__device_event_after(accelerator, s, timeline->at[s]);
        const reap_status status =
            device_event != NULL
                ? accelerator->driver->native->wait_event(accelerator, stream, device_event->handle)
                : reap__accelerator_finish(accelerator);
        reap__device_event_release(accelerator, device_event);
        REAP_TRY(status);
    }
    return REAP_OK;
}

static reap_status end(const reap_device *device, void *stream,
                       const struct reap__execution *execution)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    REAP_TRY(reap__accelerator_enter(accelerator));
    return reap__accelerator_leave(accelerator,
                                   have_stream_follow(accelerator, stream, &execution->timeline));
}

const struct reap__native reap__device_native = {
    .describe = describe,
    .set_context = set_context,
    .take_stream = take_stream,
    .import = import,
    .begin = begin,
    .end = end,
};
