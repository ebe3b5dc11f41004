/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake libOpenCL's markers and their events, which know how much had been enqueued before them.
 */
#include "tests/fake/opencl.h"

#include <stdlib.h>
#include <string.h>

struct reap__cl_event {
    unsigned long mark;
};

int32_t clEnqueueMarkerWithWaitList(cl_command_queue in, uint32_t events, const cl_event *wait_for,
                                    cl_event *event)
{
    const int32_t error = fake_opencl_begin(__func__, FAKE_ENQUEUES);
    fake_opencl_check(fake_opencl_is_queue(in) && events == 0 && wait_for == NULL);
    if (error != CL_SUCCESS)
        return error;
    *event = calloc(1, sizeof **event);
    if (*event == NULL)
        abort();
    (*event)->mark = fake_mark();
    fake_count(FAKE_EVENT, 1);
    return CL_SUCCESS;
}

int32_t clWaitForEvents(uint32_t count, const cl_event *events)
{
    const int32_t error = fake_opencl_begin(__func__, FAKE_REACHES);
    fake_opencl_check(count == 1);
    if (error == CL_SUCCESS)
        fake_work_until(events[0]->mark);
    return error;
}

int32_t clGetEventInfo(cl_event event, uint32_t what, size_t bytes, void *into, size_t *needed)
{
    const int32_t error = fake_opencl_begin(__func__, FAKE_MAKES);
    fake_opencl_check(what == CL_EVENT_COMMAND_EXECUTION_STATUS && bytes == sizeof(int32_t) &&
                      needed == NULL);
    if (error != CL_SUCCESS)
        return error;
    fake_work_on();
    const int32_t status = fake_is_reached(event->mark) ? CL_COMPLETE : 1;
    memcpy(into, &status, sizeof status);
    return CL_SUCCESS;
}

int32_t clReleaseEvent(cl_event event)
{
    const int32_t error = fake_opencl_begin(__func__, FAKE_ASKS);
    if (error != CL_SUCCESS)
        return error;
    free(event);
    fake_count(FAKE_EVENT, -1);
    return CL_SUCCESS;
}
