/* SPDX-License-Identifier: Apache-2.0
 *
 * A card behind CUDA's driver API.
 */
#ifndef REAP_CUDA_DRIVER_H
#define REAP_CUDA_DRIVER_H

#include "src/cuda/api.h"
#include "src/device/driver.h"

#include <stdbool.h>

/* The probe fills all but the last three. */
struct reap__cuda_device {
    struct reap__accelerator accelerator; /* first: the driver is given this one */
    const struct reap__cuda_api *cuda;
    int handle; /* a CUdevice */
    int major;  /* compute capability */
    int minor;
    int shared_bytes; /* that a group may have, with all that we use ourselves */
    bool has_managed_memory;
    bool can_prefetch;         /* managed memory */
    bool copies_without_stage; /* what lies in the host's pageable memory, as on Grace */
    char name[16];
    char description[256];
    char instruction_set[16];
    char identity[384];

    bool is_absent; /* so nobody runs what is compiled for it */

    /* Of the first use, under the accelerator's lock. */
    struct reap__cuda_context *context;
    struct reap__cuda_stream *stream;
};

extern const struct reap__driver reap__cuda_driver;

/* A card of the architecture "sm_90" that is not there, for which texts are only compiled (cuda.c).
 * Its lock is the caller's to make. Fails with INVALID_ARGUMENT, and with NO_DEVICE where NVRTC is
 * missing or has forgotten such cards. */
reap_status reap__cuda_describe(const char *architecture, struct reap__cuda_device *card);

#endif
