/* SPDX-License-Identifier: Apache-2.0
 *
 * The members of struct reap__device_functions for devices with a driver.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_RUN_H
#define REAP_ACCELERATOR_RUNTIME_RUN_H

#include "src/accelerator/driver.h"

reap_status reap__device_run(const reap_device *device, const struct reap__launch *command);

void reap__device_wait(const reap_device *device);
void reap__device_reach(const reap_device *device, reap_event *event, bool waits);
void reap__device_measure(const reap_device *device, reap_event *event);
void reap__device_stop_measuring(const reap_device *device, reap_event *event);

/* With the lock held: the event's command begins here on a stream (NULL: nobody has it), after what
 * was compiled, and brought to the device, for it. */
void reap__device_record_begin(struct reap__accelerator *accelerator, enum reap__stream stream,
                               reap_event *event);

reap_status reap__device_allocate(const reap_device *device, size_t bytes,
                                  struct reap__memory *memory);
void reap__device_release(const reap_device *device, struct reap__memory *memory);
reap_status reap__device_write(const reap_device *device, const struct reap__device_address *to,
                               const void *from, size_t bytes, struct reap__execution *execution);
reap_status reap__device_read(const reap_device *device, const struct reap__device_address *from,
                              void *into, size_t bytes, struct reap__execution *execution);
reap_status reap__device_copy(const reap_device *device, const struct reap__device_address *to,
                              const struct reap__device_address *from, size_t bytes,
                              struct reap__execution *execution);
reap_status reap__device_fill(const reap_device *device, const struct reap__device_address *to,
                              unsigned char value, size_t bytes, struct reap__execution *execution);
reap_status reap__device_follow(const reap_device *device, reap_queue *queue,
                                struct reap__execution *execution);
reap_status reap__device_settle(const reap_device *device, const void *memory, size_t bytes);
reap_status reap__device_share(const reap_device *device, reap_memory_kind kind, size_t bytes,
                               struct reap__memory *memory);
reap_status reap__device_prefetch(const reap_device *device, const struct reap__memory *memory,
                                  size_t offset, size_t bytes, bool to_host);

#endif
