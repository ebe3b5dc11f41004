/* SPDX-License-Identifier: Apache-2.0
 *
 * Events. Commands complete before their launch returns, so an event holds only how they ended.
 */
#include "src/core/event.h"

#include "src/core/memory.h"
#include "src/core/usm.h"

#include <stdio.h>

reap_status reap__event_create(const reap_device *device, reap_event **event)
{
    reap_event *made = reap__allocate(sizeof *made);
    if (made == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for an event");
    made->device = device;
    made->status = REAP_OK;
    made->message[0] = '\0';
    *event = made;
    return REAP_OK;
}

void reap__event_complete(reap_event *event, reap_status status)
{
    event->status = status;
    if (status != REAP_OK)
        snprintf(event->message, sizeof event->message, "%s", reap_last_error());
}

reap_status reap_event_wait(reap_event *event)
{
    if (event == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_event_wait: the event is NULL");
    if (event->status != REAP_OK)
        return reap__fail(event->status, "%s", event->message);
    return reap__usm_bring_home(event->device);
}

void reap_event_release(reap_event *event)
{
    reap__free(event);
}
