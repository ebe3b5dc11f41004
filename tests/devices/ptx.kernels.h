/* SPDX-License-Identifier: Apache-2.0
 *
 * One small sum of two arrays: what is read in the widest pieces.
 */
#include <reap/kernel.h>

REAP_KERNEL(dot_floats, in(float, x), in(float, y), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)] * y[reap_global_id(0)]);
}

REAP_KERNEL(dot_doubles, in(double, x), in(double, y), reduce(plus, double, sum))
{
    reap_combine(sum, x[reap_global_id(0)] * y[reap_global_id(0)]);
}
