/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(minmax_float, in(float, x), reduce(minimum, float, least), reduce(maximum, float, most))
{
    float v = x[reap_global_id(0)];
    reap_combine(least, v);
    reap_combine(most, v);
}

REAP_KERNEL(minmax_double, in(double, x), reduce(minimum, double, least),
            reduce(maximum, double, most))
{
    double v = x[reap_global_id(0)];
    reap_combine(least, v);
    reap_combine(most, v);
}

REAP_KERNEL(minmax_int, in(int, x), reduce(minimum, int, least), reduce(maximum, int, most))
{
    int v = x[reap_global_id(0)];
    reap_combine(least, v);
    reap_combine(most, v);
}

REAP_KERNEL(minmax_bfloat16, in(reap_bfloat16, x), reduce(minimum, reap_bfloat16, least),
            reduce(maximum, reap_bfloat16, most))
{
    reap_bfloat16 v = x[reap_global_id(0)];
    reap_combine(least, v);
    reap_combine(most, v);
}

REAP_KERNEL(minmax_half, in(reap_half, x), reduce(minimum, reap_half, least),
            reduce(maximum, reap_half, most))
{
    reap_half v = x[reap_global_id(0)];
    reap_combine(least, v);
    reap_combine(most, v);
}
