/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions whose words NCCL could add, and some that it does not.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

REAP_KERNEL(device_bins, in(uint32_t, x), reduce_span(plus, uint32_t, bins))
{
    const uint32_t v = x[reap_global_id(0)];
    reap_combine_at(bins, v % 70001, v | 1);
}

REAP_KERNEL(device_long, in(uint32_t, x), reduce_span(plus, uint64_t, bins))
{
    const uint32_t v = x[reap_global_id(0)];
    reap_combine_at(bins, v % 40000, (uint64_t)v << 31);
}

REAP_KERNEL(device_sums, in(uint32_t, x), reduce_span(plus, float, sums))
{
    const uint32_t v = x[reap_global_id(0)];
    reap_combine_at(sums, v % 4000, (float)(v % 7 == 0 ? -1 : 1) * (float)v * 0x1p-60f);
}

REAP_KERNEL(device_doubles, in(uint32_t, x), reduce_span(plus, double, sums))
{
    const uint32_t v = x[reap_global_id(0)];
    reap_combine_at(sums, v % 600, v % 3 == 0 ? (double)v * 0x1p900 : (double)v * -0x1p-900);
}

REAP_KERNEL(device_most, in(uint32_t, x), reduce_span(maximum, uint32_t, most))
{
    const uint32_t v = x[reap_global_id(0)];
    reap_combine_at(most, v % 70001, v);
}
