/* SPDX-License-Identifier: Apache-2.0
 *
 * Device events, which are the events of OpenCL's markers, and their times.
 */
#include "src/opencl/driver.h"

#include "src/core/status.h"
#include "src/port/cpu.h"

static reap_status time_of(const struct reap__opencl_device *device, cl_event event,
                           uint64_t *nanoseconds)
{
    const int32_t error = device->api->clGetEventProfilingInfo(
        event, CL_PROFILING_COMMAND_END, sizeof *nanoseconds, nanoseconds, NULL);
    return reap__opencl_check(device, "clGetEventProfilingInfo", error);
}

/* The host's time when it notices a marker of the idle device, and the device's when it ended it.
 */
static reap_status time_marker(const struct reap__opencl_device *device, uint64_t *noticed,
                               uint64_t *ended)
{
    const struct reap__opencl_api *const api = device->api;
    cl_event event = NULL;
    const int32_t error = api->clEnqueueMarkerWithWaitList(
        reap__opencl_queue(device, REAP__STREAM_COMPUTE), 0, NULL, &event);
    REAP_TRY(reap__opencl_check(device, "clEnqueueMarkerWithWaitList", error));
    reap_status status =
        reap__opencl_check(device, "clWaitForEvents", api->clWaitForEvents(1, &event));
    *noticed = reap__now();
    if (status == REAP_OK)
        status = time_of(device, event, ended);
    api->clReleaseEvent(event);
    return status;
}

/* Finds the offset from the device's times to the host's. The host notices a marker late, by
 * milliseconds where other programs have its processor: so the least of several offsets is the best
 * one. */
static reap_status make_clock(struct reap__opencl_device *device)
{
    int64_t least = INT64_MAX;
    uint64_t noticed = 0, ended;
    for (int i = 0; i < REAP__CLOCK_TRIES; i++) {
        REAP_TRY(time_marker(device, &noticed, &ended));
        const int64_t offset = (int64_t)(noticed - ended);
        least = offset < least ? offset : least;
    }
    device->clock_nanoseconds = (uint64_t)least;
    device->clock_made = noticed;
    return REAP_OK;
}

static reap_status replace_queue(struct reap__opencl_device *device)
{
    int32_t error;
    cl_command_queue queue = device->api->clCreateCommandQueue(device->context, device->id,
                                                               CL_QUEUE_PROFILING_ENABLE, &error);
    REAP_TRY(reap__opencl_check(device, "clCreateCommandQueue", error));
    atomic_store_explicit(&device->queues[REAP__STREAM_COMPUTE], queue, memory_order_relaxed);
    device->measures = true;
    return REAP_OK;
}

/* Profiling is a property of a queue and costs time: so the queue, which is idle, is replaced by
 * one with profiling when a program first asks for times. */
static reap_status begin_to_measure(struct reap__accelerator *accelerator,
                                    struct reap__opencl_device *device)
{
    if (!device->measures)
        REAP_TRY(replace_queue(device));
    return reap__clock_is_due(accelerator, device->clock_made) ? make_clock(device) : REAP_OK;
}

/* Flushes, so that a query need not. A failure of the flush is returned by the wait. */
reap_status reap__opencl_record_event(struct reap__accelerator *accelerator,
                                      enum reap__stream stream, bool is_timed, void **device_event)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    cl_event event = NULL;
    if (is_timed)
        REAP_TRY(begin_to_measure(accelerator, device));
    cl_command_queue queue = reap__opencl_queue(device, stream);
    const int32_t error = device->api->clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);
    REAP_TRY(reap__opencl_check(device, "clEnqueueMarkerWithWaitList", error));
    *device_event = event;
    device->api->clFlush(queue);
    return REAP_OK;
}

reap_status reap__opencl_queue_wait_event(struct reap__accelerator *accelerator,
                                          enum reap__stream stream, void *device_event)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    cl_event event = device_event;
    const int32_t error = device->api->clEnqueueBarrierWithWaitList(
        reap__opencl_queue(device, stream), 1, &event, NULL);
    return reap__opencl_check(device, "clEnqueueBarrierWithWaitList", error);
}

/* clWaitForEvents fails if a command has failed. */
reap_status reap__opencl_query_event(struct reap__accelerator *accelerator, void *device_event,
                                     bool waits, bool *is_reached)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    const struct reap__opencl_api *const api = device->api;
    cl_event event = device_event;
    int32_t status = CL_COMPLETE;
    if (waits)
        REAP_TRY(reap__opencl_check(device, "clWaitForEvents", api->clWaitForEvents(1, &event)));
    else
        REAP_TRY(reap__opencl_check(device, "clGetEventInfo",
                                    api->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                        sizeof status, &status, NULL)));
    *is_reached = status == CL_COMPLETE;
    return status >= CL_COMPLETE ? REAP_OK : reap__opencl_check(device, "a command", status);
}

reap_status reap__opencl_event_times(struct reap__accelerator *accelerator, void *first,
                                     void *second, uint64_t nanoseconds[2])
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    REAP_TRY(time_of(device, first, &nanoseconds[0]));
    REAP_TRY(time_of(device, second, &nanoseconds[1]));
    nanoseconds[0] += device->clock_nanoseconds;
    nanoseconds[1] += device->clock_nanoseconds;
    return REAP_OK;
}

void reap__opencl_destroy_event(struct reap__accelerator *accelerator, void *device_event)
{
    struct reap__opencl_device *const device = reap__opencl_device_of(accelerator);
    device->api->clReleaseEvent(device_event);
}
