/* SPDX-License-Identifier: Apache-2.0
 *
 * Combined devices (reap_device_combine()): a device whose launches are divided among others. A
 * share is a contiguous range of work-items. Shares reduce into parts (reduction/part.h), so the
 * result has the same bits as one launch.
 */
#ifndef REAP_COMBINED_COMBINED_H
#define REAP_COMBINED_COMBINED_H

#include "src/combined/worker.h"
#include "src/core/backend.h"

#include <pthread.h>

enum { REAP__MOST_COMBINED = 16, REAP__MEASURED_KERNELS = 16 };

/* Measured speeds of a kernel, in items per nanosecond. */
struct reap__kernel_speeds {
    uint64_t kernel;                     /* its number; 0: none */
    size_t launches;                     /* measured ones */
    double speeds[REAP__MOST_COMBINED];  /* of each device; 0: not measured yet */
    double weights[REAP__MOST_COMBINED]; /* its launches are divided in this proportion */
};

struct reap__combined {
    reap_device device; /* first; constant, as are the members before `next` */
    size_t count;
    const reap_device *devices[REAP__MOST_COMBINED];
    bool has_fixed_weights;              /* the weights are the program's */
    double weights[REAP__MOST_COMBINED]; /* of kernels that are not measured yet */
    struct reap__combined *next;
    pthread_mutex_t lock; /* held by a divided launch; guards what follows */
    struct reap__kernel_speeds kernels[REAP__MEASURED_KERNELS];
    size_t next_kernel;
    struct reap__worker *workers[REAP__MOST_COMBINED]; /* for all devices except the last one */
};

/* Finds or creates the combined device of a name such as "cuda:0*20+host". Fails with
 * REAP_ERROR_NO_DEVICE; `what` as in reap__device_find_named. */
reap_status reap__combined_find(const char *what, const char *name, const reap_device **device);

/* ---- Speeds in names (speeds.c) ---------------------------------------------------------------*/

enum { REAP__SPEED_BYTES = 40 };

/* Reads a speed, which may be infinite. False: the text is something else. */
bool reap__speed_read(const char *text, double *speed);

/* Writes a speed with as few digits as are read as the same number. It is finite, and 0 or more. */
void reap__speed_write(double speed, char text[REAP__SPEED_BYTES]);

/* ---- Shares (shares.c) ------------------------------------------------------------------------*/

/* Fills `counts` with the number of items of each device's share, in order: multiples of
 * `group_items`. With the lock held. */
void reap__shares_plan(struct reap__combined *combined, const struct reap_kernel *kernel,
                       size_t items, size_t group_items, size_t *counts);

/* Returns the number of the fastest device, which runs launches that are not divided. With the lock
 * held. */
size_t reap__shares_fastest(struct reap__combined *combined, const struct reap_kernel *kernel);

/* Records the times of the shares, by which the next launch is divided. With the lock held. */
void reap__shares_note(struct reap__combined *combined, const struct reap_kernel *kernel,
                       const size_t *counts, const uint64_t *nanoseconds);

/* ---- Launches (divided_launch.c) --------------------------------------------------------------*/

/* The `run` of a combined device (struct reap__device_functions). */
reap_status reap__combined_run(const reap_device *device, const struct reap__launch *command);

#endif
