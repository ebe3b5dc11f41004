/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(invert, in(float, x), out(float, y))
{
    size_t i = reap_global_id(0);
    y[i] = 1 / x[i];
}

REAP_KERNEL(invert_and_sum, in(float, x), reduce(plus, float, sum), reduce(maximum, float, largest))
{
    size_t i = reap_global_id(0);
    reap_combine(sum, x[i] / 3);
    reap_combine(largest, 1 / x[i]);
}
