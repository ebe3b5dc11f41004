/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(sum_max, in(float, x), reduce(plus, float, sum), reduce(maximum, float, most))
{
    float v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
}
