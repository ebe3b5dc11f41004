/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of reap__accelerator_functions (backend.c), by the file that defines them; and
 * compiling for a device that is not present.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_RUNTIME_H
#define REAP_ACCELERATOR_RUNTIME_RUNTIME_H

#include "src/accelerator/driver.h"

/* run.c */
reap_status reap__device_run(const reap_device *device, const struct reap__launch *command);
struct reap__item_log;
reap_status reap__device_log_items(const reap_device *device, const struct reap__launch *command,
                                   size_t first, size_t count, struct reap__item_log *log);

/* in_flight.c */
void reap__device_wait(const reap_device *device);
void reap__device_reach(const reap_device *device, reap_event *event, bool waits);
void reap__device_measure(const reap_device *device, reap_event *event);
void reap__device_stop_measuring(const reap_device *device, reap_event *event);

/* memory.c */
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

/* native.c */
extern const struct reap__native reap__device_native;

/* Compiles a kernel for a device that is not present, which `accelerator` describes, and discards
 * the result. Calls only the driver's `compile`; does not open the device (backend.c). Fails as
 * reap__program_check. */
reap_status reap__device_check(struct reap__accelerator *accelerator,
                               const struct reap_kernel *kernel);

#endif
