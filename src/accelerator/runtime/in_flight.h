/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands in flight: enqueued by calls that have returned, and not known to be complete. Waiting
 * for the device, or for one of them, stores the results of their reductions into variables in host
 * memory and reports their errors.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_IN_FLIGHT_H
#define REAP_ACCELERATOR_RUNTIME_IN_FLIGHT_H

#include "src/accelerator/runtime/launch.h"
#include "src/accelerator/runtime/streams.h"

/* All functions are called with the accelerator's lock held. "Finish" a command: store its results,
 * report its error to its queue and its event. */

/* Reserves memory for a launch's results and entries in the list of commands; completes earlier
 * commands if there is not enough. Sets the launch's memory and block word of results, and *view to
 * the host's view of them. Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__in_flight_reserve(struct reap__device_launch *launch, unsigned char **view);

/* Adds the launch that was the last to reserve, once it is enqueued. A wait for the device finishes
 * it. */
void reap__in_flight_add(const struct reap__device_launch *launch, unsigned char *view);

/* Adds a command without results that has been enqueued on its execution's stream. Fails with
 * REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__in_flight_add_transfer(struct reap__accelerator *accelerator, reap_queue *queue,
                                         const struct reap__execution *execution);

/* Returns an event that is reached once the stream's first `count` commands are complete: an
 * existing one, or one that is recorded now. NULL: recording failed. The caller releases it. */
struct reap__device_event *reap__device_event_after(struct reap__accelerator *accelerator,
                                                    enum reap__stream stream, uint64_t count);

/* Makes work that is enqueued on the stream from now on wait for the timeline value of the other
 * streams. Fails as the driver does. */
reap_status reap__stream_after(struct reap__accelerator *accelerator, enum reap__stream stream,
                               const struct reap__timeline_value *timeline);

/* Before work of a command is enqueued on the stream: records when the command begins, if it is its
 * first work and its event is timed. */
void reap__device_record_begin(struct reap__accelerator *accelerator, enum reap__stream stream,
                               struct reap__execution *execution);

/* The event's command has ended, and this thread has waited for that: notes when the device began
 * it, after what was before it on the stream, and that it ends now. */
void reap__device_note_times(struct reap__accelerator *accelerator, reap_event *event);

/* Whether a command in flight will store into these bytes of host memory. */
bool reap__in_flight_overlaps(const struct reap__accelerator *accelerator, const void *memory,
                              size_t bytes);

/* Waits for the device and finishes all commands, in order. Returns the first failure. `wait`
 * unlocks the device while it waits, and finishes only commands that were in flight before. */
reap_status reap__in_flight_complete(struct reap__accelerator *accelerator);
reap_status reap__in_flight_wait(struct reap__accelerator *accelerator);

/* Finishes all commands up to the timeline value, which the caller knows to be complete. */
void reap__in_flight_note_done(struct reap__accelerator *accelerator,
                               const struct reap__timeline_value *timeline);

/* Finishes the command of an event, and all before it in its stream. If `waits`, waits for it, and
 * unlocks the device while it waits; otherwise does nothing unless the command is complete. Returns
 * failures of the device only. */
reap_status reap__in_flight_wait_event(struct reap__accelerator *accelerator,
                                       const reap_event *event, bool waits);

/* Fails with REAP_ERROR_INDEX_OUT_OF_RANGE if a command's results report an index outside of one of
 * its spans, and with REAP_ERROR_OUT_OF_MEMORY if they report that a sparse span is full. */
reap_status reap__check_outside(const struct reap_kernel *kernel, const unsigned char *view,
                                const struct reap__target *const *spans);

/* Temporary memory in which the results of a command are finished: initially zeros, but `small`,
 * which need not be initialised. It is taken for each scalar that will have a result before the
 * first of them is stored, so that memory that runs out leaves all variables unchanged. */
struct reap__finishing {
    size_t bytes; /* of `large` */
    unsigned char *large;
    _Alignas(64) unsigned char small[512];
};

/* Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__finishing_begin(struct reap__finishing *finishing,
                                  const struct reap__target *target);

/* Stores the result at `from` into one scalar's variable. */
void reap__finish_result(struct reap__finishing *finishing, const struct reap__target *target,
                         const unsigned char *from);
void reap__finishing_end(struct reap__finishing *finishing);

#endif
