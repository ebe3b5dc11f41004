/* SPDX-License-Identifier: Apache-2.0
 *
 * Timing the sides of the GPU benchmark against each other: they take turns, each turn as many
 * launches as fill its time and one wait, and the medians are compared.
 */
#ifndef BENCH_GPU_TURNS_H
#define BENCH_GPU_TURNS_H

#include "bench/gpu/side.h"

struct gpu_time {
    double seconds; /* of one: the median over the turns */
    double spread;  /* the middle half of the turns' times, relative to the median */
};

/* How often sides take turns, and how long one is. */
struct gpu_turns {
    int count; /* at most 101 */
    double seconds;
};

enum { GPU_MOST_SIDES = 3 };

double gpu_now(void);

/* Sorts the times. */
struct gpu_time gpu_median(double *times, int count);

/* Times `sides` functions of the task, after some calls of each; and by events the device's time of
 * CUB's, where *device is not NULL. */
void gpu_take_turns(const gpu_function *functions, int sides, const struct gpu_task *task,
                    const struct gpu_turns *turns, struct gpu_time *times, struct gpu_time *device);

#endif
