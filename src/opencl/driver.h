/* SPDX-License-Identifier: Apache-2.0
 *
 * A device, through OpenCL. opencl.c fills it, driver.c and program.c drive it.
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
    const char *options_for_orders; /* of atomic operations */
    uint64_t max_allocation_bytes;
    char name[16];
    char description[REAP__OPENCL_TEXT_BYTES];
    char identity[4 * REAP__OPENCL_TEXT_BYTES];

    /* Made by `open`. The queues are in order. That of work does not measure, and another one
     * replaces it at the first timed mark; the old one stays, since a thread may wait for it. Also
     * read without the lock, relaxed. */
    cl_context context;
    _Atomic(cl_command_queue) queues[REAP__STREAM_COUNT];

    /* Of the first timed mark: whether the queue of work measures, and what is added to the
     * device's times. */
    bool measures;
    uint64_t clock_nanoseconds;

    /* Guarded by the accelerator's lock: bytes being copied to the device, one write after
     * another from the start, and how many there are. Writes that have completed are forgotten
     * where the host waits for the queue anyway. */
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

/* REAP_OK for CL_SUCCESS, else fails: "device 'opencl:0': clFinish failed: CL_OUT_OF_RESOURCES
 * (-5)", with REAP_ERROR_OUT_OF_MEMORY where the error says so and REAP_ERROR_DEVICE_FAILED
 * otherwise. */
reap_status reap__opencl_check(const struct reap__opencl_device *device, const char *call,
                               int32_t error);

/* The driver's functions that are about programs. */
reap_status reap__opencl_compile(struct reap__accelerator *accelerator, const char *text,
                                 struct reap__binary *binary, char **log);
reap_status reap__opencl_load(struct reap__accelerator *accelerator,
                              const struct reap__binary *binary, const char *const *names,
                              struct reap__program *program);
void reap__opencl_unload(struct reap__accelerator *accelerator, struct reap__program *program);

/* The driver's functions that are about marks. */
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
