/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree kernel in OpenCL, where the machine has an OpenCL device that is its processor (PoCL).
 */
#ifndef BENCH_OPENCL_H
#define BENCH_OPENCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens the device, once; false where there is none, or where its headers were not there. */
bool opencl_open(void);

/* What the device says of itself. After opencl_open. */
const char *opencl_description(void);

/* The sum of the numbers, by the loop of launches that bench.kernels.h has for Reap. */
uint32_t opencl_tree_sum(const uint32_t *x, size_t count, size_t group_size);

#endif
