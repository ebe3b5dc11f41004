/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(fold, in(float, values), reduce(plus, float, sum), reduce(maximum, float, largest),
            reduce(plus, double, squares))
{
    float v = values[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(largest, v);
    reap_combine(squares, (double)v * v);
}
