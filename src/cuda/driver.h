/* SPDX-License-Identifier: Apache-2.0
 *
 * A card, through CUDA's driver API.
 */
#ifndef REAP_CUDA_DRIVER_H
#define REAP_CUDA_DRIVER_H

#include "src/accelerator/driver.h"
#include "src/cuda/api.h"

#include <stdbool.h>

/* The probe fills what stands above the first use. */
struct reap__cuda_device {
    struct reap__accelerator accelerator; /* first: the driver is given this one */
    const struct reap__cuda_api *cuda;
    int handle; /* a CUdevice */
    int major;  /* compute capability */
    int minor;
    int shared_bytes; /* that a group may have, with all that we use ourselves */
    bool has_managed_memory;
    bool copies_without_stage; /* what lies in the host's pageable memory, as on Grace */
    char name[16];
    char description[256];
    char instruction_set[16];
    char identity[384];

    bool is_absent; /* so its code is not run */

    /* Of the first use, under the accelerator's lock. */
    struct reap__cuda_context *context;
    struct reap__cuda_stream *streams[REAP__STREAM_COUNT];

    /* Of the first timed mark, under that lock: when this one was reached. */
    struct reap__cuda_event *clock;
    uint64_t clock_nanoseconds;
};

extern const struct reap__driver reap__cuda_driver;

static inline struct reap__cuda_device *reap__cuda_device_of(struct reap__accelerator *accelerator)
{
    return (struct reap__cuda_device *)accelerator;
}

/* REAP_OK for CUDA_SUCCESS, else fails with a line that names the device, the call and CUDA's name
 * of the error: with REAP_ERROR_OUT_OF_MEMORY where that says so, and REAP_ERROR_DEVICE_FAILED
 * otherwise. */
reap_status reap__cuda_check(const struct reap__cuda_device *device, const char *call, int result);

/* Makes our context current; each success is paired with a leave, which may check a result. */
reap_status reap__cuda_enter(const struct reap__cuda_device *device);
void reap__cuda_leave(const struct reap__cuda_device *device);
reap_status reap__cuda_leave_with(const struct reap__cuda_device *device, const char *call,
                                  int result);

/* A new event, recorded on a stream; NULL where it fails. With the context current. */
int reap__cuda_record(const struct reap__cuda_device *device, struct reap__cuda_stream *stream,
                      unsigned flags, struct reap__cuda_event **event);

extern const struct reap__driver_native reap__cuda_native;

/* The driver's functions that are about marks. */
reap_status reap__cuda_record_event(struct reap__accelerator *accelerator, enum reap__stream stream,
                                    bool is_timed, void **device_event);
reap_status reap__cuda_stream_wait_event(struct reap__accelerator *accelerator,
                                         enum reap__stream stream, void *device_event);
reap_status reap__cuda_query_event(struct reap__accelerator *accelerator, void *device_event,
                                   bool waits, bool *is_reached);
reap_status reap__cuda_event_times(struct reap__accelerator *accelerator, void *first, void *second,
                                   uint64_t nanoseconds[2]);
void reap__cuda_destroy_event(struct reap__accelerator *accelerator, void *device_event);

/* A card of the architecture "sm_90" that is not there, for which texts are only compiled (cuda.c).
 * Its lock is the caller's to make. Fails with REAP_ERROR_INVALID_ARGUMENT, and with
 * REAP_ERROR_NO_DEVICE where NVRTC is missing or has forgotten such cards. */
reap_status reap__cuda_describe(const char *architecture, struct reap__cuda_device *card);

#endif
