/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream waits for another by a mark of it: the first one behind the commands in question that
 * somebody has, or else one that is set now, and so behind all that the other has.
 */
#include "src/accelerator/runtime/streams.h"

#include "src/accelerator/runtime/in_flight.h"
#include "src/core/allocate.h"
#include "src/core/status.h"

/* ---- Marks ------------------------------------------------------------------------------------*/

void reap__mark_hold(struct reap__mark *mark)
{
    mark->holders++;
}

void reap__mark_release(struct reap__accelerator *accelerator, struct reap__mark *mark)
{
    if (mark == NULL || --mark->holders > 0)
        return;
    accelerator->driver->unmark(accelerator, mark->of_driver);
    reap__free(mark);
}

struct reap__mark *reap__mark_set(struct reap__accelerator *accelerator, enum reap__stream stream,
                                  bool is_timed)
{
    struct reap__progress *progress = &accelerator->streams[stream];
    void *of_driver = NULL;
    struct reap__mark *mark = reap__allocate(sizeof *mark);
    if (mark == NULL)
        return NULL;
    if (accelerator->driver->mark(accelerator, stream, is_timed, &of_driver) != REAP_OK) {
        reap__free(mark);
        return NULL;
    }
    *mark = (struct reap__mark){of_driver, stream, progress->enqueued, 2};
    reap__mark_release(accelerator, progress->latest);
    progress->latest = mark;
    return mark;
}

/* ---- Order ------------------------------------------------------------------------------------*/

struct reap__mark *reap__mark_behind(struct reap__accelerator *accelerator,
                                     enum reap__stream stream, uint64_t count)
{
    struct reap__mark *mark = reap__in_flight_mark(accelerator, stream, count);
    struct reap__mark *const latest = accelerator->streams[stream].latest;
    if (mark == NULL && latest != NULL && latest->at >= count)
        mark = latest;
    if (mark == NULL)
        return reap__mark_set(accelerator, stream, false);
    reap__mark_hold(mark);
    return mark;
}

static reap_status follow(struct reap__accelerator *accelerator, enum reap__stream stream,
                          enum reap__stream other, uint64_t count)
{
    struct reap__mark *mark = reap__mark_behind(accelerator, other, count);
    if (mark == NULL)
        return reap__accelerator_finish(accelerator);
    const reap_status status = accelerator->driver->follow(accelerator, stream, mark->of_driver);
    if (status == REAP_OK)
        accelerator->streams[stream].seen.at[other] = mark->at;
    reap__mark_release(accelerator, mark);
    return status;
}

reap_status reap__stream_after(struct reap__accelerator *accelerator, enum reap__stream stream,
                               const struct reap__timeline_value *timeline)
{
    for (enum reap__stream other = REAP__STREAM_WORK; other < REAP__STREAMS; other++) {
        const uint64_t count = timeline->at[other];
        if (other == stream || count <= accelerator->streams[stream].seen.at[other] ||
            count <= accelerator->streams[other].done)
            continue;
        REAP_TRY(follow(accelerator, stream, other, count));
    }
    return REAP_OK;
}

uint64_t reap__stream_note(struct reap__accelerator *accelerator, enum reap__stream stream)
{
    return ++accelerator->streams[stream].enqueued;
}

void reap__stream_note_done(struct reap__accelerator *accelerator, enum reap__stream stream,
                            uint64_t count)
{
    struct reap__progress *progress = &accelerator->streams[stream];
    if (progress->done < count)
        progress->done = count;
    if (progress->latest == NULL || progress->latest->at > progress->done)
        return;
    reap__mark_release(accelerator, progress->latest);
    progress->latest = NULL;
}

struct reap__timeline_value reap__streams_end(const struct reap__accelerator *accelerator)
{
    struct reap__timeline_value timeline;
    for (size_t s = 0; s < REAP__STREAMS; s++)
        timeline.at[s] = accelerator->streams[s].enqueued;
    return timeline;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

void reap__track_before(const struct reap__last_access *last_access, bool writes,
                        struct reap__timeline_value *timeline)
{
    if (last_access == NULL)
        return;
    reap__timeline_join(timeline, &last_access->written);
    if (writes)
        reap__timeline_join(timeline, &last_access->read);
}

void reap__track_use(struct reap__last_access *last_access, bool writes,
                     const struct reap__timeline_value *timeline)
{
    if (last_access != NULL)
        reap__timeline_join(writes ? &last_access->written : &last_access->read, timeline);
}
