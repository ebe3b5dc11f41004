/* SPDX-License-Identifier: Apache-2.0
 *
 * A device in use: opened at its first command, locked while something is enqueued, given up when
 * it is lost.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_ACCELERATOR_H
#define REAP_ACCELERATOR_RUNTIME_ACCELERATOR_H

#include "src/accelerator/runtime/streams.h"

struct reap__accelerator *reap__accelerator_of(const reap_device *device);

/* Whether another process, of which this one was forked, has opened it, or was about to: its lock
 * may be held by a thread that is not there. Any thread. */
bool reap__accelerator_is_foreign(const struct reap__accelerator *accelerator);

/* The lock, between which and its end the thread is not cancelled: drivers wait. */
void reap__accelerator_lock(struct reap__accelerator *accelerator);
bool reap__accelerator_try_lock(struct reap__accelerator *accelerator);
void reap__accelerator_unlock(struct reap__accelerator *accelerator);

/* Takes the lock and opens the device. A failure leaves it unlocked. */
reap_status reap__accelerator_enter(struct reap__accelerator *accelerator);

/* With the lock held: fails where the device is lost. */
reap_status reap__accelerator_check(const struct reap__accelerator *accelerator);

/* Releases the lock. After a failure it asks the driver whether the device is lost; returns
 * `status` with this thread's line. */
reap_status reap__accelerator_leave(struct reap__accelerator *accelerator, reap_status status);

/* With the lock held: waits for all that was enqueued; a device that is lost stays so. The second
 * releases the lock until then, and waits for what was enqueued before that point. */
reap_status reap__accelerator_finish(struct reap__accelerator *accelerator);
reap_status reap__accelerator_wait(struct reap__accelerator *accelerator,
                                   const struct reap__timeline_value *timeline);

/* With the lock held: so many commands of a stream have been done. */
void reap__accelerator_note_done(struct reap__accelerator *accelerator, enum reap__stream stream,
                                 uint64_t count);

/* With the lock held, which it gives up where it waits: whether all before a mark, which the caller
 * holds, has been done. */
reap_status reap__accelerator_wait_event(struct reap__accelerator *accelerator,
                                         const struct reap__device_event *event, bool waits,
                                         bool *is_reached);

/* With the lock held, on the stream of work: the driver's `write` and `read`. */
reap_status reap__accelerator_write(struct reap__accelerator *accelerator,
                                    const struct reap__memory *memory, size_t offset,
                                    const void *from, size_t bytes);
reap_status reap__accelerator_read(struct reap__accelerator *accelerator,
                                   const struct reap__memory *memory, size_t offset, void *into,
                                   size_t bytes);

/* With the lock held: scratch memory of at least that many bytes. It keeps what it holds as long as
 * it does not grow; *fresh says that it has grown. */
reap_status reap__accelerator_scratch(struct reap__accelerator *accelerator, size_t bytes,
                                      struct reap__memory *memory, bool *fresh);

/* The same, but the first `kept` bytes are copied where it grows. *memory is what it was then. */
reap_status reap__accelerator_scratch_grow(struct reap__accelerator *accelerator, size_t bytes,
                                           size_t kept, struct reap__memory *memory);

#endif
