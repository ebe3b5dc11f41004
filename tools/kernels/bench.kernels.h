/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of `reap bench`: two reductions in one pass, and the numbers that they reduce.
 */
#ifndef KERNELS_BENCH_KERNELS_H
#define KERNELS_BENCH_KERNELS_H

#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Integers from -3 to 3, pseudo-random and evenly distributed, so sums of up to 2^40 of them, and
 * all partial sums, are integers that a float represents. (The hash is Knuth's, The Art of Computer
 * Programming, volume 3, section 6.4.) */
static inline float bench_number(uint64_t i)
{
    const uint64_t hash = i * 0x9e3779b97f4a7c15u;
    return (float)((hash >> 40) % 7) - 3.0f;
}

REAP_KERNEL(bench_fill, out(float, x), value(uint64_t, first))
{
    x[reap_global_id(0)] = bench_number(first + reap_global_id(0));
}

REAP_KERNEL(bench_sum_and_most, in(float, x), reduce(plus, float, sum),
            reduce(maximum, float, most))
{
    const float number = x[reap_global_id(0)];
    reap_combine(sum, number);
    reap_combine(most, number);
}

#endif
