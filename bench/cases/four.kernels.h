/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(four_float, in(float, x), reduce(plus, float, sum), reduce(maximum, float, most),
            reduce(minimum, float, least), reduce(plus, float, squares))
{
    float v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
    reap_combine(least, v);
    reap_combine(squares, v * v);
}

REAP_KERNEL(four_double, in(double, x), reduce(plus, double, sum), reduce(maximum, double, most),
            reduce(minimum, double, least), reduce(plus, double, squares))
{
    double v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
    reap_combine(least, v);
    reap_combine(squares, v * v);
}

REAP_KERNEL(four_int, in(int, x), reduce(plus, int, sum), reduce(maximum, int, most),
            reduce(minimum, int, least), reduce(plus, int, squares))
{
    int v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
    reap_combine(least, v);
    reap_combine(squares, v * v);
}
