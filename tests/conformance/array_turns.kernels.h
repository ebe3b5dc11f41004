/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums numbers after a while.
 */
#include <reap/kernel.h>

REAP_KERNEL(sum_slowly, in(double, x), value(uint32_t, rounds), reduce(plus, double, sum))
{
    double v = x[reap_global_id(0)];
    for (uint32_t r = 0; r < rounds; r++)
        v = v * 0.5 + v * 0.5;
    reap_combine(sum, v);
}

REAP_KERNEL(count_outside, in(double, x), reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, reap_global_id(0), (uint32_t)x[0]);
}
