/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(sum_max_float, in(float, x), reduce(plus, float, sum), reduce(maximum, float, most))
{
    float v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
}

REAP_KERNEL(sum_max_double, in(double, x), reduce(plus, double, sum), reduce(maximum, double, most))
{
    double v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
}

REAP_KERNEL(sum_max_int, in(int, x), reduce(plus, int, sum), reduce(maximum, int, most))
{
    int v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
}
