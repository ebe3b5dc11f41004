/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(dot_float, in(float, x), in(float, y), reduce(plus, float, sum))
{
    size_t i = reap_global_id(0);
    reap_combine(sum, x[i] * y[i]);
}

REAP_KERNEL(dot_double, in(double, x), in(double, y), reduce(plus, double, sum))
{
    size_t i = reap_global_id(0);
    reap_combine(sum, x[i] * y[i]);
}

REAP_KERNEL(dot_int, in(int, x), in(int, y), reduce(plus, int, sum))
{
    size_t i = reap_global_id(0);
    reap_combine(sum, x[i] * y[i]);
}

REAP_KERNEL(dot_half, in(reap_half, x), in(reap_half, y), reduce(plus, float, sum))
{
    size_t i = reap_global_id(0);
    reap_combine(sum, reap_half_to_float(x[i]) * reap_half_to_float(y[i]));
}
