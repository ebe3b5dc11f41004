/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for a device: for all that was launched there, or for one event's command, while later
 * ones go on.
 */
#include "src/core/event.h"
#include "src/accelerator/runtime/in_flight.h"
#include "src/accelerator/runtime/command.h"
#include "src/port/cpu.h"

void reap__device_wait(const reap_device *device)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (reap__accelerator_is_foreign(accelerator))
        return; /* the parent waits for what it has launched */
    reap__accelerator_lock(accelerator);
    reap__accelerator_leave(accelerator, reap__pending_wait(accelerator));
}

/* Who must not wait does not wait for the lock either: somebody else is about to complete it, or to
 * launch. */
void reap__device_reach(const reap_device *device, reap_event *event, bool waits)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (reap__accelerator_is_foreign(accelerator))
        return;
    if (waits)
        reap__accelerator_lock(accelerator);
    else if (!reap__accelerator_try_lock(accelerator))
        return;
    const reap_status status = reap__pending_reach(accelerator, event, waits);
    reap__accelerator_leave(accelerator, status);
}

/* Before the first timed mark, since the driver may change its queue for it. */
static reap_status begin_to_measure(struct reap__accelerator *accelerator)
{
    if (accelerator->measures)
        return REAP_OK;
    reap__pending_complete(accelerator); /* its queues hear of what failed */
    return reap__accelerator_finish(accelerator);
}

void reap__device_measure(const reap_device *device, reap_event *event)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (reap__accelerator_enter(accelerator) != REAP_OK)
        return; /* and so will the command */
    void *begin = NULL;
    if (begin_to_measure(accelerator) == REAP_OK &&
        accelerator->driver->mark(accelerator, REAP__STREAM_WORK, true, &begin) == REAP_OK) {
        accelerator->measures = true;
        event->begin = begin;
    }
    reap__accelerator_leave(accelerator, REAP_OK);
}

void reap__device_measure_from_here(struct reap__accelerator *accelerator, enum reap__stream stream,
                                    reap_event *event)
{
    void *begin = NULL;
    if (event == NULL || event->begin == NULL)
        return;
    event->times.started = reap__now();
    if (accelerator->driver->mark(accelerator, stream, true, &begin) != REAP_OK)
        return;
    accelerator->driver->unmark(accelerator, event->begin);
    event->begin = begin;
}

void reap__device_stop_measuring(const reap_device *device, reap_event *event)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (reap__accelerator_is_foreign(accelerator))
        return;
    reap__accelerator_lock(accelerator);
    accelerator->driver->unmark(accelerator, event->begin);
    event->begin = NULL;
    reap__accelerator_unlock(accelerator);
}
