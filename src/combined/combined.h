/* SPDX-License-Identifier: Apache-2.0
 *
 * Combined devices (reap_device_combine()): a device whose launches are divided among others.
 * Shares are contiguous ranges of work-items. Their reductions go to parts (reduction/part.h), so
 * that the result has the bits of one launch.
 */
#ifndef REAP_COMBINED_COMBINED_H
#define REAP_COMBINED_COMBINED_H

#include "src/combined/worker.h"
#include "src/core/backend.h"

#include <pthread.h>

enum { REAP__MOST_COMBINED = 16, REAP__MEASURED_KERNELS = 16 };

/* How fast a kernel was, in items a nanosecond. */
struct reap__kernel_speeds {
    const struct reap__kernel_state *state; /* of the kernel, whatever object was launched */
    size_t launches;                        /* that were measured */
    double speeds[REAP__MOST_COMBINED];     /* 0: not known yet */
    double weights[REAP__MOST_COMBINED];    /* by which its launches are divided */
};

struct reap__combined {
    reap_device device; /* first; constant, as are the next three */
    size_t count;
    const reap_device *devices[REAP__MOST_COMBINED];
    bool is_told;                        /* the weights are the program's */
    double weights[REAP__MOST_COMBINED]; /* before anything is measured */
    struct reap__combined *next;
    pthread_mutex_t lock; /* held by a divided launch; guards what follows */
    struct reap__kernel_speeds kernels[REAP__MEASURED_KERNELS];
    size_t next_kernel;
    struct reap__worker *workers[REAP__MOST_COMBINED]; /* of the devices before the last */
};

/* The device of a name such as "cuda:0+host". Fails with REAP_ERROR_NO_DEVICE, with `what` as
 * reap__device_find_named. */
reap_status reap__combined_find(const char *what, const char *name, const reap_device **device);

/* ---- Shares (shares.c) ------------------------------------------------------------------------*/

/* How many items, or work-groups of so many items, each device gets, in order. With the lock held.
 */
void reap__shares_plan(struct reap__combined *combined, const struct reap_kernel *kernel,
                       size_t items, size_t group_items, size_t *counts);

/* The device that a launch that is not divided runs on: the fastest. With the lock held. */
size_t reap__shares_fastest(struct reap__combined *combined, const struct reap_kernel *kernel);

/* Notes what the shares took. With the lock held. */
void reap__shares_note(struct reap__combined *combined, const struct reap_kernel *kernel,
                       const size_t *counts, const uint64_t *nanoseconds);

/* ---- Launches (divided_launch.c) --------------------------------------------------------------*/

reap_status reap__combined_run(const reap_device *device, const struct reap__launch *command);

#endif
