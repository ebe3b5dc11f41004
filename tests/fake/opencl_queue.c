/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake libOpenCL's queue, its markers and their events, which know how much had been enqueued
 * before them.
 */
#include "tests/fake/opencl.h"

#include <stdlib.h>
#include <string.h>

struct reap__cl_queue {
    bool measures;
};
struct reap__cl_event {
    struct fake_mark mark;
    bool is_timed;
};

enum { OWN_QUEUES = 3 }; /* that Reap makes at first */

static struct reap__cl_queue queues[FAKE_STREAMS];

bool fake_opencl_is_queue(cl_command_queue what)
{
    return what >= queues && what < queues + fake_alive(FAKE_STREAM);
}

/* That which takes the first one's place is made last, when the first has nothing to do. */
size_t fake_opencl_stream(cl_command_queue of)
{
    fake_opencl_check(fake_opencl_is_queue(of));
    return (size_t)(of - queues) % OWN_QUEUES;
}

cl_command_queue clCreateCommandQueue(cl_context in, cl_device_id on, uint64_t properties,
                                      int32_t *error)
{
    FAKE_ALONE;
    *error = fake_opencl_begin(__func__, FAKE_MAKES);
    if (*error != CL_SUCCESS)
        return NULL;
    fake_opencl_check(fake_opencl_is_device(in, on) &&
                      (properties == 0 || properties == CL_QUEUE_PROFILING_ENABLE));
    fake_count(FAKE_STREAM, 1);
    cl_command_queue made = &queues[fake_alive(FAKE_STREAM) - 1];
    made->measures = properties != 0;
    return made;
}

int32_t clFlush(cl_command_queue in)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ENQUEUES);
    if (error != CL_SUCCESS)
        return error;
    fake_opencl_check(fake_opencl_is_queue(in));
    return CL_SUCCESS;
}

/* A failure here is one of the commands', none of which is done. */
int32_t clFinish(cl_command_queue in)
{
    FAKE_ALONE;
    const struct fake_mark end = fake_mark(fake_opencl_stream(in));
    const int32_t error = fake_opencl_begin(__func__, FAKE_REACHES);
    if (error == CL_SUCCESS)
        fake_work_until(&end);
    else
        fake_forget_work();
    return error;
}

/* ---- Markers ----------------------------------------------------------------------------------*/

int32_t clEnqueueMarkerWithWaitList(cl_command_queue in, uint32_t events, const cl_event *wait_for,
                                    cl_event *event)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ENQUEUES);
    fake_opencl_check(fake_opencl_is_queue(in) && events == 0 && wait_for == NULL);
    if (error != CL_SUCCESS)
        return error;
    *event = calloc(1, sizeof **event);
    if (*event == NULL)
        abort();
    (*event)->mark = fake_mark(fake_opencl_stream(in));
    (*event)->is_timed = in->measures;
    fake_count(FAKE_EVENT, 1);
    return CL_SUCCESS;
}

int32_t clEnqueueBarrierWithWaitList(cl_command_queue in, uint32_t events, const cl_event *wait_for,
                                     cl_event *event)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ENQUEUES);
    fake_opencl_check(events == 1 && event == NULL);
    if (error == CL_SUCCESS)
        fake_follow(fake_opencl_stream(in), &(*wait_for)->mark);
    return error;
}

int32_t clWaitForEvents(uint32_t count, const cl_event *events)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_REACHES);
    fake_opencl_check(count == 1);
    if (error == CL_SUCCESS)
        fake_work_until(&events[0]->mark);
    return error;
}

int32_t clGetEventInfo(cl_event event, uint32_t what, size_t bytes, void *into, size_t *needed)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_MAKES);
    fake_opencl_check(what == CL_EVENT_COMMAND_EXECUTION_STATUS && bytes == sizeof(int32_t) &&
                      needed == NULL);
    if (error != CL_SUCCESS)
        return error;
    fake_work_on();
    const int32_t status = fake_is_reached(&event->mark) ? CL_COMPLETE : 1;
    memcpy(into, &status, sizeof status);
    return CL_SUCCESS;
}

/* A command takes a microsecond. */
int32_t clGetEventProfilingInfo(cl_event event, uint32_t what, size_t bytes, void *into,
                                size_t *needed)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    fake_opencl_check(what == CL_PROFILING_COMMAND_END && bytes == sizeof(uint64_t) &&
                      needed == NULL && event->is_timed && fake_is_reached(&event->mark));
    if (error != CL_SUCCESS)
        return error;
    const uint64_t nanoseconds = 1000 * (uint64_t)event->mark.time;
    memcpy(into, &nanoseconds, sizeof nanoseconds);
    return CL_SUCCESS;
}

int32_t clReleaseEvent(cl_event event)
{
    FAKE_ALONE;
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    free(event);
    fake_count(FAKE_EVENT, -1);
    return CL_SUCCESS;
}

/* ---- The program's own objects, of which there are none ---------------------------------------*/

static int32_t know_nothing(size_t *needed)
{
    fake_misuse("an object that there is not");
    if (needed != NULL)
        *needed = 0;
    return CL_INVALID_VALUE;
}

int32_t clGetContextInfo(cl_context of, uint32_t what, size_t bytes, void *into, size_t *needed)
{
    (void)of, (void)what, (void)bytes, (void)into;
    return know_nothing(needed);
}

int32_t clGetCommandQueueInfo(cl_command_queue of, uint32_t what, size_t bytes, void *into,
                              size_t *needed)
{
    (void)of, (void)what, (void)bytes, (void)into;
    return know_nothing(needed);
}

int32_t clGetMemObjectInfo(cl_mem of, uint32_t what, size_t bytes, void *into, size_t *needed)
{
    (void)of, (void)what, (void)bytes, (void)into;
    return know_nothing(needed);
}
