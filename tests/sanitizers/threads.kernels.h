/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels over a range, correct ones and one whose items race.
 */
#include <reap/kernel.h>

REAP_KERNEL(add_up, in(float, x), reduce(plus, double, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(find_most, in(float, x), reduce_location(maximum, float, most))
{
    reap_combine(most, x[reap_global_id(0)]);
}

REAP_KERNEL(count_values, in(float, x), reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, (size_t)x[reap_global_id(0)], 1);
}

REAP_KERNEL(double_each, inout(float, x))
{
    x[reap_global_id(0)] *= 2;
}

REAP_KERNEL(keep_last, in(float, x), out(float, last))
{
    *last = x[reap_global_id(0)]; /* bug race */
}
