/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(argmax_float, in(float, x), reduce_location(maximum, float, most))
{
    reap_combine(most, x[reap_global_id(0)]);
}

REAP_KERNEL(argmax_double, in(double, x), reduce_location(maximum, double, most))
{
    reap_combine(most, x[reap_global_id(0)]);
}

REAP_KERNEL(argmax_int, in(int, x), reduce_location(maximum, int, most))
{
    reap_combine(most, x[reap_global_id(0)]);
}
