/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(moments_float, in(float, x), reduce(plus, double, sum), reduce(plus, double, squares))
{
    double v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(squares, v * v);
}

REAP_KERNEL(moments_double, in(double, x), reduce(plus, double, sum), reduce(plus, double, squares))
{
    double v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(squares, v * v);
}

REAP_KERNEL(moments_int, in(int, x), reduce(plus, double, sum), reduce(plus, double, squares))
{
    double v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(squares, v * v);
}
