/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(count_float, in(float, x), reduce(plus, uint64_t, count))
{
    if (x[reap_global_id(0)] > 0)
        reap_combine(count, 1);
}

REAP_KERNEL(count_double, in(double, x), reduce(plus, uint64_t, count))
{
    if (x[reap_global_id(0)] > 0)
        reap_combine(count, 1);
}

REAP_KERNEL(count_int, in(int, x), reduce(plus, uint64_t, count))
{
    if (x[reap_global_id(0)] > 0)
        reap_combine(count, 1);
}
