/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of `reap bench`: two reductions in one pass, and what makes the numbers for them.
 */
#ifndef KERNELS_BENCH_KERNELS_H
#define KERNELS_BENCH_KERNELS_H

#include <reap/kernel.h>

REAP_KERNEL_FILE

/* -3 to 3, in no order, and as many of one sign as of the other: so that sums of 2^40 of them and
 * all sums on the way there are whole numbers which a float holds. (The hash is Knuth's, The Art of
 * Computer Programming, volume 3, section 6.4.) */
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
