/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(smooth, in(float, x), out(float, y))
{
    size_t i = reap_global_id(0);
    y[i] = (x[i] + 2 * x[i + 1] + x[i + 2]) / 4;
}

REAP_KERNEL(scale, inout(float, x), value(float, factor))
{
    x[reap_global_id(0)] *= factor;
}

REAP_KERNEL(largest_of, in(float, x), reduce_location(maximum, float, largest))
{
    reap_combine(largest, x[reap_global_id(0)]);
}
