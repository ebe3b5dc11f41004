/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels for what ranks refuse.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

REAP_KERNEL(ranks_sum, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

/* The first item takes long. */
REAP_KERNEL(ranks_slow, in(float, x), value(int, steps), reduce(plus, float, sum))
{
    float value = x[reap_global_id(0)];
    for (int i = 0; i < steps; i++)
        value = value * 0.75f + 1;
    reap_combine(sum, value);
}

REAP_KERNEL(ranks_wide, in(float, x), reduce(plus, double, sum), reduce(maximum, float, most))
{
    reap_combine(sum, (double)x[reap_global_id(0)]);
    reap_combine(most, x[reap_global_id(0)]);
}

REAP_KERNEL(ranks_exact, in(float, x), reduce(exact_plus, double, sum))
{
    reap_combine(sum, (double)x[reap_global_id(0)]);
}

REAP_KERNEL(ranks_count, in(float, x), reduce(plus, uint32_t, count))
{
    reap_combine(count, (uint32_t)x[reap_global_id(0)]);
}

REAP_KERNEL(ranks_bins, in(float, x), reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, reap_global_id(0) % 3, (uint32_t)x[reap_global_id(0)]);
}

REAP_KERNEL(ranks_tally, in(float, x), reduce_span(plus, uint32_t, tally))
{
    const uint32_t value = (uint32_t)x[reap_global_id(0)];
    reap_combine_at(tally, value % 3, value);
}

REAP_KERNEL(ranks_peaks, in(float, x), reduce_span(maximum, uint32_t, peaks))
{
    const uint32_t value = (uint32_t)x[reap_global_id(0)];
    reap_combine_at(peaks, value % 3, value);
}

REAP_KERNEL(ranks_sums, in(float, x), reduce_span(plus, double, sums))
{
    reap_combine_at(sums, reap_global_id(0) % 700, (double)x[reap_global_id(0)]);
}

REAP_KERNEL(ranks_most, in(float, x), value(int, first), reduce_span(maximum, float, most))
{
    const size_t i = reap_global_id(0) + (size_t)first;
    reap_combine_at(most, i * 31 % 300000, x[reap_global_id(0)]);
}

REAP_GROUP_KERNEL(ranks_groups, in(float, x), reduce(plus, float, sum))
{
    reap_for_each_item {
        reap_combine(sum, x[reap_global_id(0)]);
    }
}

REAP_GROUP_KERNEL(ranks_group_count, in(float, x), reduce(plus, uint32_t, count))
{
    reap_for_each_item {
        reap_combine(count, (uint32_t)x[reap_global_id(0)]);
    }
}
