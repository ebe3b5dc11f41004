/* SPDX-License-Identifier: Apache-2.0
 *
 * Device events, which are CUDA's events, and their times.
 */
#include "src/cuda/driver.h"

#include "src/core/status.h"
#include "src/port/cpu.h"

/* One of those that are kept, or a new one, which is kept if there is room. */
static int take_event(struct reap__cuda_device *device, unsigned flags,
                      struct reap__cuda_event **event)
{
    size_t k = 0;
    while (k < REAP__CUDA_KEPT_EVENTS && device->kept[k].is_in_use)
        k++;
    const bool is_kept = k < REAP__CUDA_KEPT_EVENTS && flags == REAP__CUDA_EVENT_DISABLE_TIMING;
    *event = is_kept ? device->kept[k].event : NULL;
    if (*event == NULL) {
        const int result = device->cuda->cuEventCreate(event, flags);
        if (result != REAP__CUDA_SUCCESS)
            return result;
    }
    if (is_kept) {
        device->kept[k].event = *event;
        device->kept[k].is_in_use = true;
    }
    return REAP__CUDA_SUCCESS;
}

/* Whether it is kept, which takes no call of CUDA. */
static bool keep_event(struct reap__cuda_device *device, const struct reap__cuda_event *event)
{
    size_t k = 0;
    while (k < REAP__CUDA_KEPT_EVENTS && device->kept[k].event != event)
        k++;
    if (k < REAP__CUDA_KEPT_EVENTS)
        device->kept[k].is_in_use = false;
    return k < REAP__CUDA_KEPT_EVENTS;
}

size_t reap__cuda_idle_events(const struct reap__cuda_device *device)
{
    size_t count = 0;
    for (size_t k = 0; k < REAP__CUDA_KEPT_EVENTS; k++)
        count += device->kept[k].event != NULL && !device->kept[k].is_in_use;
    return count;
}

int reap__cuda_record(struct reap__cuda_device *device, struct reap__cuda_stream *stream,
                      unsigned flags, struct reap__cuda_event **event)
{
    *event = NULL;
    int result = take_event(device, flags, event);
    if (result == REAP__CUDA_SUCCESS)
        result = device->cuda->cuEventRecord(*event, stream);
    if (result == REAP__CUDA_SUCCESS || *event == NULL)
        return result;
    if (!keep_event(device, *event))
        device->cuda->cuEventDestroy(*event);
    *event = NULL;
    return result;
}

/* Records an event on the idle stream. The host's time when it was reached lies between the two
 * times. */
static int record_reached(struct reap__cuda_device *device, struct reap__cuda_event **event,
                          uint64_t *before, uint64_t *after)
{
    *before = reap__now();
    int result = reap__cuda_record(device, device->streams[REAP__STREAM_COMPUTE],
                                   REAP__CUDA_EVENT_DEFAULT, event);
    if (result == REAP__CUDA_SUCCESS)
        result = device->cuda->cuEventSynchronize(*event);
    *after = reap__now();
    return result;
}

/* Replaces the clock: an event and the host's time when it was reached, which relate the device's
 * times to the host's. The host notices the event late, by milliseconds where other programs have
 * its processor: then another one is tried, and that with the shortest time is taken. */
static int make_clock(struct reap__cuda_device *device)
{
    enum { SHORT = 50000 }; /* nanoseconds */
    uint64_t shortest = UINT64_MAX, before, after;
    int result = REAP__CUDA_SUCCESS;
    for (int i = 0; i < REAP__CLOCK_TRIES && shortest > SHORT && result == REAP__CUDA_SUCCESS;
         i++) {
        struct reap__cuda_event *event = NULL;
        result = record_reached(device, &event, &before, &after);
        const bool is_better = result == REAP__CUDA_SUCCESS && after - before < shortest;
        struct reap__cuda_event *const unused = is_better ? device->clock : event;
        if (is_better) {
            shortest = after - before;
            device->clock = event;
            device->clock_nanoseconds = after;
        }
        if (unused != NULL)
            device->cuda->cuEventDestroy(unused);
    }
    return result;
}

reap_status reap__cuda_record_event(struct reap__accelerator *accelerator, enum reap__stream stream,
                                    bool is_timed, void **device_event)
{
    struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    const unsigned flags = is_timed ? REAP__CUDA_EVENT_DEFAULT : REAP__CUDA_EVENT_DISABLE_TIMING;
    struct reap__cuda_event *event = NULL;
    REAP_TRY(reap__cuda_enter(device));
    int result = REAP__CUDA_SUCCESS;
    if (is_timed && reap__clock_is_due(accelerator, device->clock_nanoseconds))
        result = make_clock(device);
    if (result == REAP__CUDA_SUCCESS)
        result = reap__cuda_record(device, device->streams[stream], flags, &event);
    *device_event = event;
    return reap__cuda_leave_with(device, "cuEventRecord", result);
}

/* CUDA returns milliseconds as floats: exact enough between two events, coarse since a clock event
 * that is old because the device was never idle. */
reap_status reap__cuda_event_times(struct reap__accelerator *accelerator, void *first, void *second,
                                   uint64_t nanoseconds[2])
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    float before = 0, between = 0;
    REAP_TRY(reap__cuda_enter(device));
    int result = device->cuda->cuEventElapsedTime(&before, device->clock, first);
    if (result == REAP__CUDA_SUCCESS)
        result = device->cuda->cuEventElapsedTime(&between, first, second);
    const int64_t since = (int64_t)((double)before * 1e6);
    nanoseconds[0] = device->clock_nanoseconds + (uint64_t)since;
    nanoseconds[1] = nanoseconds[0] + (uint64_t)((double)between * 1e6);
    return reap__cuda_leave_with(device, "cuEventElapsedTime", result);
}

reap_status reap__cuda_query_event(struct reap__accelerator *accelerator, void *device_event,
                                   bool waits, bool *is_reached)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    REAP_TRY(reap__cuda_enter(device));
    const int result = waits ? device->cuda->cuEventSynchronize(device_event)
                             : device->cuda->cuEventQuery(device_event);
    *is_reached = result == REAP__CUDA_SUCCESS;
    if (!waits && result == REAP__CUDA_NOT_READY)
        return reap__cuda_leave_with(device, "cuEventQuery", REAP__CUDA_SUCCESS);
    return reap__cuda_leave_with(device, waits ? "cuEventSynchronize" : "cuEventQuery", result);
}

reap_status reap__cuda_stream_wait_event(struct reap__accelerator *accelerator,
                                         enum reap__stream stream, void *device_event)
{
    const struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    REAP_TRY(reap__cuda_enter(device));
    const int result = device->cuda->cuStreamWaitEvent(device->streams[stream], device_event, 0);
    return reap__cuda_leave_with(device, "cuStreamWaitEvent", result);
}

void reap__cuda_destroy_event(struct reap__accelerator *accelerator, void *device_event)
{
    struct reap__cuda_device *device = reap__cuda_device_of(accelerator);
    if (device_event == NULL || keep_event(device, device_event) ||
        device->cuda->cuCtxPushCurrent(device->context) != REAP__CUDA_SUCCESS)
        return;
    device->cuda->cuEventDestroy(device_event);
    reap__cuda_leave(device);
}
