/* SPDX-License-Identifier: Apache-2.0
 *
 * An OpenCL device. opencl.c fills the struct; driver.c, program.c and events.c are its driver.
 */
#ifndef REAP_OPENCL_DRIVER_H
#define REAP_OPENCL_DRIVER_H

#include "src/accelerator/driver.h"
#include "src/opencl/api.h"

#include <reap/status.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REAP__OPENCL_TEXT_BYTES = 256 };

struct reap__opencl_device {
    struct reap__accelerator accelerator; /* first: an accelerator's address is its device's */

    /* The probe's, constant afterwards. */
    const struct reap__opencl_api *api;
    cl_platform_id platform;
    cl_device_id id;
    const char *options;            /* of the compiler */
    const char *options_for_orders; /* for texts whose atomic operations have a memory order */
    uint64_t max_allocation_bytes;
    char name[16];
    char description[REAP__OPENCL_TEXT_BYTES];
    char identity[4 * REAP__OPENCL_TEXT_BYTES];

    /* Made by `open`: an in-order queue for each stream. The compute stream's has no profiling;
     * another one replaces it for the first timed event. The old one is not released, since a
     * thread may wait for it. Also read without the lock, relaxed. */
    cl_context context;
    _Atomic(cl_command_queue) queues[REAP__STREAM_COUNT];

    /* Set for the first timed event: the compute stream's queue has profiling; the offset from the
     * device's times to reap__now. */
    bool measures;
    uint64_t clock_nanoseconds; /* added to the device's times */
    uint64_t clock_made;        /* the host's time; 0: not yet */

    /* Guarded by the accelerator's lock: memory of the host from which writes are copied to the
     * device, used from the start, and how much of it is in use. It is reused when the host has
     * waited for the queue. */
    unsigned char *staging;
    size_t staged_bytes;
};

extern const struct reap__driver reap__opencl_driver;
extern const struct reap__driver_native reap__opencl_native;

static inline struct reap__opencl_device *
reap__opencl_device_of(struct reap__accelerator *accelerator)
{
    return (struct reap__opencl_device *)accelerator;
}

static inline cl_command_queue reap__opencl_queue(const struct reap__opencl_device *device,
                                                  enum reap__stream stream)
{
    return atomic_load_explicit(&device->queues[stream], memory_order_relaxed);
}

/* Returns REAP_OK for CL_SUCCESS; otherwise fails with REAP_ERROR_OUT_OF_MEMORY or
 * REAP_ERROR_DEVICE_FAILED, and a message such as "device 'opencl:0': clFinish failed:
 * CL_OUT_OF_RESOURCES (-5)". */
reap_status reap__opencl_check(const struct reap__opencl_device *device, const char *call,
                               int32_t error);

/* The driver's functions on programs (program.c). */
reap_status reap__opencl_compile(struct reap__accelerator *accelerator, const char *text,
                                 struct reap__binary *binary, char **log);
reap_status reap__opencl_load(struct reap__accelerator *accelerator,
                              const struct reap__binary *binary, const char *const *names,
                              struct reap__program *program);
void reap__opencl_unload(struct reap__accelerator *accelerator, struct reap__program *program);

/* The driver's functions on device events (events.c). */
reap_status reap__opencl_record_event(struct reap__accelerator *accelerator,
                                      enum reap__stream stream, bool is_timed, void **device_event);
reap_status reap__opencl_queue_wait_event(struct reap__accelerator *accelerator,
                                          enum reap__stream stream, void *device_event);
reap_status reap__opencl_query_event(struct reap__accelerator *accelerator, void *device_event,
                                     bool waits, bool *is_reached);
reap_status reap__opencl_event_times(struct reap__accelerator *accelerator, void *first,
                                     void *second, uint64_t nanoseconds[2]);
void reap__opencl_destroy_event(struct reap__accelerator *accelerator, void *device_event);

#endif
