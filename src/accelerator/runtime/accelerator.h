/* SPDX-License-Identifier: Apache-2.0
 *
 * An accelerator's life and its lock: it is opened at its first use, locked while work is enqueued,
 * and rejects all calls once it is lost. Its scratch buffer.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_ACCELERATOR_H
#define REAP_ACCELERATOR_RUNTIME_ACCELERATOR_H

#include "src/accelerator/runtime/streams.h"

struct reap__accelerator *reap__accelerator_of(const reap_device *device);

/* Whether the parent process had opened the device, or was opening it, before it forked this one.
 * The lock may then be held by a thread of the parent, which does not exist in this process. Any
 * thread, without the lock. */
bool reap__accelerator_is_foreign(const struct reap__accelerator *accelerator);

/* Locks and unlocks the device. The thread is not cancelled while it holds the lock, since drivers
 * have cancellation points. `try_lock` returns whether it has locked, and does not block. */
void reap__accelerator_lock(struct reap__accelerator *accelerator);
bool reap__accelerator_try_lock(struct reap__accelerator *accelerator);
void reap__accelerator_unlock(struct reap__accelerator *accelerator);

/* Locks the device, and opens it at its first use. On failure it is not locked. Fails with
 * REAP_ERROR_DEVICE_FAILED if the device is lost or was opened by the parent process, with
 * REAP_ERROR_OUT_OF_MEMORY if the thread has little stack, or as the driver's `open`. */
reap_status reap__accelerator_enter(struct reap__accelerator *accelerator);

/* With the lock held. Fails with REAP_ERROR_DEVICE_FAILED if the device is lost. */
reap_status reap__accelerator_check(const struct reap__accelerator *accelerator);

/* Unlocks the device; returns `status`, and keeps this thread's message. If `status` is
 * REAP_ERROR_DEVICE_FAILED or REAP_ERROR_OUT_OF_MEMORY, waits for the device first, to find out
 * whether it is lost. */
reap_status reap__accelerator_leave(struct reap__accelerator *accelerator, reap_status status);

/* With the lock held. `finish` waits for all enqueued work with the lock held. `wait` waits for the
 * work up to a timeline value, and unlocks the device while it waits. Both fail with
 * REAP_ERROR_DEVICE_FAILED if the device is lost, or as the driver's `finish`. */
reap_status reap__accelerator_finish(struct reap__accelerator *accelerator);
reap_status reap__accelerator_wait(struct reap__accelerator *accelerator,
                                   const struct reap__timeline_value *timeline);

/* With the lock held: notes that the first `count` commands of a stream are complete. */
void reap__accelerator_note_done(struct reap__accelerator *accelerator, enum reap__stream stream,
                                 uint64_t count);

/* With the lock held. Sets *is_reached to whether the device event, to which the caller holds a
 * reference, is reached; waits for that if `waits`, and unlocks the device while it waits. Fails as
 * reap__accelerator_finish. */
reap_status reap__accelerator_wait_event(struct reap__accelerator *accelerator,
                                         const struct reap__device_event *event, bool waits,
                                         bool *is_reached);

/* With the lock held: the driver's `write` and `read` on the compute stream. */
reap_status reap__accelerator_write(struct reap__accelerator *accelerator,
                                    const struct reap__memory *memory, size_t offset,
                                    const void *from, size_t bytes);
reap_status reap__accelerator_read(struct reap__accelerator *accelerator,
                                   const struct reap__memory *memory, size_t offset, void *into,
                                   size_t bytes);

/* With the lock held. Sets *memory to the scratch buffer, with at least `bytes` bytes, and *fresh
 * to whether it was allocated again, which loses its contents. */
reap_status reap__accelerator_scratch(struct reap__accelerator *accelerator, size_t bytes,
                                      struct reap__memory *memory, bool *fresh);

/* With the lock held. Grows the scratch buffer to at least `bytes` bytes, and keeps the contents of
 * its first `kept` bytes. Sets *memory if it was allocated again. */
reap_status reap__accelerator_scratch_grow(struct reap__accelerator *accelerator, size_t bytes,
                                           size_t kept, struct reap__memory *memory);

#endif
