/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(squares_float, in(float, x), reduce(plus, float, squares))
{
    float v = x[reap_global_id(0)];
    reap_combine(squares, v * v);
}

REAP_KERNEL(squares_double, in(double, x), reduce(plus, double, squares))
{
    double v = x[reap_global_id(0)];
    reap_combine(squares, v * v);
}
