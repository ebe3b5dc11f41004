/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(exact_sum_float, in(float, x), reduce(exact_plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(exact_sum_double, in(double, x), reduce(exact_plus, double, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}
