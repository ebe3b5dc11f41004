/* SPDX-License-Identifier: Apache-2.0
 *
 * What the GPU benchmark computes on: its inputs, and what must come out, by plain loops.
 */
#ifndef BENCH_GPU_REFERENCE_H
#define BENCH_GPU_REFERENCE_H

#include "bench/gpu/side.h"

#include <stdbool.h>

/* Which inputs a task has. Floats and doubles are in [0, 1), ints any. */
enum gpu_input {
    GPU_FLOATS,
    GPU_DOUBLES,
    GPU_INTS,
    GPU_UNIFORM_8,  /* numbers of 8 bits below 256 */
    GPU_UNIFORM_16, /* of 16 bits below 8192 */
    GPU_UNIFORM_32, /* of 32 bits below 256 */
    GPU_WIDE_32,    /* of 32 bits below 8192 */
    GPU_HOT_8,      /* one number all over */
    GPU_HOT_16,
    GPU_HOT_32,
    GPU_NUMBERS_32, /* any, whose lower bits are keys; */
    GPU_ONE_KEY_32  /* one key of those that are taken, and any weights */
};

size_t gpu_element_bytes(enum gpu_input input);

void gpu_fill(enum gpu_input input, void *memory, size_t count);

/* Compares Reap with Reap on the host (to the bit), and CUB with the plain loops (to the bit,
 * except sums of floats). Reports differences on standard error. */
bool gpu_check(const char *name, const struct gpu_task *task, const void *memory);

/* The same for a step of k-means: Reap to the bit, CUDA's inertia nearly. */
bool gpu_check_kmeans(const char *name, const struct gpu_task *task);

#endif
