/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(sum_and_max, in(float, values), reduce(plus, double, sum), reduce(maximum, float, max))
{
    float value = values[reap_global_id(0)];
    reap_combine(sum, value);
    reap_combine(max, value);
}
