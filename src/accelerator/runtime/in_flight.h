/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands whose launch has returned before they were done: what is left is to wait for the device
 * and to finish the reduction variables that are objects of the host.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_IN_FLIGHT_H
#define REAP_ACCELERATOR_RUNTIME_IN_FLIGHT_H

#include "src/accelerator/runtime/launch.h"
#include "src/accelerator/runtime/streams.h"

/* All with the accelerator's lock held. */

/* Room for a launch's results in the memory that the host sees, and in the list; completes earlier
 * commands where there is none. Fills the launch's memory and word for results, and *view, which
 * is the host's view of them. Fails with OUT_OF_MEMORY. */
reap_status reap__in_flight_reserve(struct reap__device_launch *launch, unsigned char **view);

/* The launch that has reserved last has been enqueued: its variables are finished when the device
 * is waited for. */
void reap__in_flight_add(const struct reap__device_launch *launch, unsigned char *view);

/* A queue's work has been enqueued, on its execution's stream, that has no results: as above. Fails
 * with OUT_OF_MEMORY. */
reap_status reap__in_flight_add_transfer(struct reap__accelerator *accelerator, reap_queue *queue,
                                         const struct reap__execution *execution);

/* One that is reached when so many commands are done: an existing one, or one that is recorded now;
 * NULL: there can be none. The caller holds it. */
struct reap__device_event *reap__device_event_after(struct reap__accelerator *accelerator,
                                                    enum reap__stream stream, uint64_t count);

/* What is enqueued on a stream from now on comes after a point of the others. Fails as the device
 * does. */
reap_status reap__stream_after(struct reap__accelerator *accelerator, enum reap__stream stream,
                               const struct reap__timeline_value *timeline);

/* With the lock held: the event's command begins here on a stream (NULL: none), after what
 * was compiled, and brought to the device, for it. */
void reap__device_record_begin(struct reap__accelerator *accelerator, enum reap__stream stream,
                               reap_event *event);

/* Whether these bytes of the host touch a variable or a location that is to be finished. */
bool reap__in_flight_overlaps(const struct reap__accelerator *accelerator, const void *memory,
                              size_t bytes);

/* Waits for the device and finishes all commands, in their order; a failure is noted at their
 * queues and their events, and given back. The second releases the lock while it waits, and so
 * waits for those commands alone that were there before. */
reap_status reap__in_flight_complete(struct reap__accelerator *accelerator);
reap_status reap__in_flight_wait(struct reap__accelerator *accelerator);

/* All up to a point are done, as a wait for later commands has found: finishes them;
 * failures are noted at the queues. */
void reap__in_flight_note_done(struct reap__accelerator *accelerator,
                               const struct reap__timeline_value *timeline);

/* Waits for the command of an event, without the lock, and finishes it with all before it in its
 * stream, as above; where it must not wait, only if they have ended. A failure that is given back
 * is the device's. */
reap_status reap__in_flight_wait_event(struct reap__accelerator *accelerator,
                                       const reap_event *event, bool waits);

/* Fails with INDEX_OUT_OF_RANGE where a command's results say that an index was outside of one of
 * its spans. */
reap_status reap__check_outside(const struct reap_kernel *kernel, const unsigned char *view,
                                const struct reap__target *const *spans);

/* Finishes one scalar's variable from its result, which lies at `from`. */
reap_status reap__finish_result(const struct reap__target *target, const unsigned char *from);

#endif
