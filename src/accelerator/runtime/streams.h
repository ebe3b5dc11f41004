/* SPDX-License-Identifier: Apache-2.0
 *
 * A device's streams: their timeline values, and device events.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_STREAMS_H
#define REAP_ACCELERATOR_RUNTIME_STREAMS_H

#include "src/accelerator/driver.h"

/* Copies of fewer bytes use the compute stream (memory.c). Only tests change it, while no device
 * has work. */
extern size_t reap__least_async_copy_bytes;

/* All functions are called with the accelerator's lock held. */

/* A driver's event with a reference count. */
struct reap__device_event {
    void *handle;
    enum reap__stream stream;
    uint64_t at; /* reached once this many commands of the stream are complete */
    size_t references;
};

/* Records an event after all work enqueued on the stream. NULL: failure. The caller releases it. */
struct reap__device_event *reap__device_event_record(struct reap__accelerator *accelerator,
                                                     enum reap__stream stream, bool is_timed);
void reap__device_event_retain(struct reap__device_event *event);
void reap__device_event_release(struct reap__accelerator *accelerator,
                                struct reap__device_event *event);

/* Counts a command that has been enqueued on the stream; returns its number, from 1 on. */
uint64_t reap__stream_note(struct reap__accelerator *accelerator, enum reap__stream stream);

/* Notes that the first `count` commands of the stream are complete. */
void reap__stream_note_done(struct reap__accelerator *accelerator, enum reap__stream stream,
                            uint64_t count);

/* The timeline value at which all enqueued commands are complete. */
struct reap__timeline_value reap__streams_end(const struct reap__accelerator *accelerator);

/* Hazard tracking; NULL: the memory is not tracked. `wait_for` adds to *timeline the accesses that
 * a command must wait for before it reads, or writes, the memory. `note` records an access by a
 * command that is complete at *timeline. */
void reap__last_access_wait_for(const struct reap__last_access *last_access, bool writes,
                                struct reap__timeline_value *timeline);
void reap__last_access_note(struct reap__last_access *last_access, bool writes,
                            const struct reap__timeline_value *timeline);

#endif
