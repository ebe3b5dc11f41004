/* SPDX-License-Identifier: Apache-2.0
 *
 * An NVIDIA card as a device, through CUDA's driver API.
 */
#ifndef REAP_CUDA_DRIVER_H
#define REAP_CUDA_DRIVER_H

#include "src/accelerator/driver.h"
#include "src/cuda/api.h"

#include <stdbool.h>

enum { REAP__CUDA_KEPT_EVENTS = 16 };

/* The probe fills the members up to is_absent. */
struct reap__cuda_device {
    struct reap__accelerator accelerator; /* first: its address is that of the device */
    const struct reap__cuda_api *cuda;
    int handle; /* a CUdevice */
    int major;  /* compute capability */
    int minor;
    int shared_bytes; /* of a group, including what Reap uses itself */
    bool has_managed_memory;
    bool copies_without_stage; /* from pageable host memory, as on Grace */
    char name[16];
    char description[256];
    char instruction_set[16];
    char identity[384];

    bool is_absent; /* reap__cuda_describe: its code is not run */

    /* Made by `open`, under the accelerator's lock. */
    struct reap__cuda_context *context;
    struct reap__cuda_stream *streams[REAP__STREAM_COUNT];

    /* Made for timed events, under that lock: an event, and when it was reached. */
    struct reap__cuda_event *clock;
    uint64_t clock_nanoseconds;

    /* Events without times that are recorded again and again, under that lock. */
    struct {
        struct reap__cuda_event *event;
        bool is_in_use;
    } kept[REAP__CUDA_KEPT_EVENTS];
};

extern const struct reap__driver reap__cuda_driver;

static inline struct reap__cuda_device *reap__cuda_device_of(struct reap__accelerator *accelerator)
{
    return (struct reap__cuda_device *)accelerator;
}

/* Returns REAP_OK for CUDA_SUCCESS; otherwise fails with REAP_ERROR_OUT_OF_MEMORY or
 * REAP_ERROR_DEVICE_FAILED, and a message that names the device, the call and CUDA's error. */
reap_status reap__cuda_check(const struct reap__cuda_device *device, const char *call, int result);

/* Makes the device's context current; after each success the caller calls one of the two that
 * restore the previous context. `leave_with` also returns the status of a call's result. */
reap_status reap__cuda_enter(const struct reap__cuda_device *device);
void reap__cuda_leave(const struct reap__cuda_device *device);
reap_status reap__cuda_leave_with(const struct reap__cuda_device *device, const char *call,
                                  int result);

/* Records an event, a kept one or a new one, on a stream; returns CUDA's result; *event is NULL on
 * failure. With the context current. */
int reap__cuda_record(struct reap__cuda_device *device, struct reap__cuda_stream *stream,
                      unsigned flags, struct reap__cuda_event **event);

/* How many kept events are not in use. With the lock. */
size_t reap__cuda_idle_events(const struct reap__cuda_device *device);

extern const struct reap__driver_native reap__cuda_native;

/* The driver's functions on device events (events.c). */
reap_status reap__cuda_record_event(struct reap__accelerator *accelerator, enum reap__stream stream,
                                    bool is_timed, void **device_event);
reap_status reap__cuda_stream_wait_event(struct reap__accelerator *accelerator,
                                         enum reap__stream stream, void *device_event);
reap_status reap__cuda_query_event(struct reap__accelerator *accelerator, void *device_event,
                                   bool waits, bool *is_reached);
reap_status reap__cuda_event_times(struct reap__accelerator *accelerator, void *first, void *second,
                                   uint64_t nanoseconds[2]);
void reap__cuda_destroy_event(struct reap__accelerator *accelerator, void *device_event);

/* Describes a card of an architecture such as "sm_90" that is not present, for compiling only
 * (cuda.c). The caller initialises its lock. Fails with REAP_ERROR_INVALID_ARGUMENT if the
 * architecture is malformed, and with REAP_ERROR_NO_DEVICE if NVRTC is missing or does not know
 * it. The card is of the newest architecture that NVRTC knows if this one is newer. */
reap_status reap__cuda_describe(const char *architecture, struct reap__cuda_device *card);

#endif
