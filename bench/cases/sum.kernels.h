/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(sum_float, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(sum_double, in(double, x), reduce(plus, double, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(sum_int, in(int, x), reduce(plus, int, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(sum_bfloat16, in(reap_bfloat16, x), reduce(plus, reap_bfloat16, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(sum_half, in(reap_half, x), reduce(plus, reap_half, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}
