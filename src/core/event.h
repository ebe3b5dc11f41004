/* SPDX-License-Identifier: Apache-2.0
 *
 * An event's inside: how its command ended.
 */
#ifndef REAP_CORE_EVENT_H
#define REAP_CORE_EVENT_H

#include "src/core/status.h"

#include <reap/device.h>
#include <reap/event.h>

struct reap_event {
    const reap_device *device; /* its command's */
    reap_status status;        /* constant once the launch that made the event has returned */
    char message[REAP__MESSAGE_BYTES]; /* of a failure */
};

/* Fails with OUT_OF_MEMORY. */
reap_status reap__event_create(const reap_device *device, reap_event **event);

/* Notes how the command ended; after a failure with this thread's line. */
void reap__event_complete(reap_event *event, reap_status status);

#endif
