/* SPDX-License-Identifier: Apache-2.0
 *
 * A device's streams: how many commands each has, and device events in them.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_STREAMS_H
#define REAP_ACCELERATOR_RUNTIME_STREAMS_H

#include "src/accelerator/driver.h"

/* Copies of fewer bytes are work among others (memory.c). Only tests change it, while no device has
 * any. */
extern size_t reap__least_async_copy_bytes;

/* All with the accelerator's lock held. */

/* A driver's event, with a count of references. */
struct reap__device_event {
    void *handle;
    enum reap__stream stream;
    uint64_t at; /* it is reached once so many commands of the stream are done */
    size_t references;
};

/* An event after everything enqueued on the stream; NULL on failure. The caller releases it. */
struct reap__device_event *reap__device_event_record(struct reap__accelerator *accelerator,
                                                     enum reap__stream stream, bool is_timed);
void reap__device_event_retain(struct reap__device_event *event);
void reap__device_event_release(struct reap__accelerator *accelerator,
                                struct reap__device_event *event);

/* A command has been enqueued: returns its number. */
uint64_t reap__stream_note(struct reap__accelerator *accelerator, enum reap__stream stream);

/* So many commands of a stream are done. */
void reap__stream_note_done(struct reap__accelerator *accelerator, enum reap__stream stream,
                            uint64_t count);

/* After all that has been enqueued. */
struct reap__timeline_value reap__streams_end(const struct reap__accelerator *accelerator);

/* What a command comes after that uses memory which is tracked (NULL: it is not); and that it
 * does, at a point. */
void reap__last_access_wait_for(const struct reap__last_access *last_access, bool writes,
                                struct reap__timeline_value *timeline);
void reap__last_access_note(struct reap__last_access *last_access, bool writes,
                            const struct reap__timeline_value *timeline);

#endif
