/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the test of cancellation, one of each kind that a launch waits or takes memory for.
 */
#include <reap/kernel.h>

REAP_KERNEL(add_one, inout(float, x))
{
    x[reap_global_id(0)] += 1;
}

REAP_KERNEL(sum_up, in(float, x), reduce(plus, double, sum), reduce_span(plus, uint32_t, bins))
{
    size_t i = reap_global_id(0);
    reap_combine(sum, (double)x[i]);
    reap_combine_at(bins, i % 10, 1);
}

REAP_ND_KERNEL(turn_groups, in(float, x), out(float, y), local(float, all))
{
    size_t i = reap_local_id(0), n = reap_local_range(0);
    all[i] = x[reap_global_id(0)];
    reap_barrier(REAP_LOCAL_SPACE);
    y[reap_global_id(0)] = all[n - 1 - i];
}
