/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream counts the commands that are enqueued and that are complete. The latest device event is
 * kept until it is reached, so waits can share it.
 */
#include "src/accelerator/runtime/streams.h"

#include "src/core/allocate.h"
#include "src/core/status.h"

/* ---- Device events ----------------------------------------------------------------------------*/

void reap__device_event_retain(struct reap__device_event *event)
{
    event->references++;
}

void reap__device_event_release(struct reap__accelerator *accelerator,
                                struct reap__device_event *event)
{
    if (event == NULL || --event->references > 0)
        return;
    accelerator->driver->destroy_event(accelerator, event->handle);
    reap__free(event);
}

struct reap__device_event *reap__device_event_record(struct reap__accelerator *accelerator,
                                                     enum reap__stream stream, bool is_timed)
{
    struct reap__stream_state *progress = &accelerator->streams[stream];
    void *handle = NULL;
    struct reap__device_event *event = reap__allocate(sizeof *event);
    if (event == NULL)
        return NULL;
    if (accelerator->driver->record_event(accelerator, stream, is_timed, &handle) != REAP_OK) {
        reap__free(event);
        return NULL;
    }
    *event = (struct reap__device_event){handle, stream, progress->enqueued, 2};
    reap__device_event_release(accelerator, progress->latest);
    progress->latest = event;
    return event;
}

/* ---- Order ------------------------------------------------------------------------------------*/

uint64_t reap__stream_note(struct reap__accelerator *accelerator, enum reap__stream stream)
{
    return ++accelerator->streams[stream].enqueued;
}

void reap__stream_note_done(struct reap__accelerator *accelerator, enum reap__stream stream,
                            uint64_t count)
{
    struct reap__stream_state *progress = &accelerator->streams[stream];
    if (progress->done < count)
        progress->done = count;
    if (progress->latest == NULL || progress->latest->at > progress->done)
        return;
    reap__device_event_release(accelerator, progress->latest);
    progress->latest = NULL;
}

struct reap__timeline_value reap__streams_end(const struct reap__accelerator *accelerator)
{
    struct reap__timeline_value timeline;
    for (size_t s = 0; s < REAP__STREAM_COUNT; s++)
        timeline.at[s] = accelerator->streams[s].enqueued;
    return timeline;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

void reap__last_access_wait_for(const struct reap__last_access *last_access, bool writes,
                                struct reap__timeline_value *timeline)
{
    if (last_access == NULL)
        return;
    reap__timeline_join(timeline, &last_access->written);
    if (writes)
        reap__timeline_join(timeline, &last_access->read);
}

void reap__last_access_note(struct reap__last_access *last_access, bool writes,
                            const struct reap__timeline_value *timeline)
{
    if (last_access != NULL)
        reap__timeline_join(writes ? &last_access->written : &last_access->read, timeline);
}
