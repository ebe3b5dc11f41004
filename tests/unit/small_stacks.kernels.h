/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel with many parameters.
 */
#include <reap/kernel.h>

REAP_KERNEL(add_many, inout(float, a), in(float, b), in(float, c), in(float, d), in(float, e),
            in(float, f), in(float, g), in(float, h), in(float, i))
{
    size_t n = reap_global_id(0);
    a[n] += 1 + b[n] + c[n] + d[n] + e[n] + f[n] + g[n] + h[n] + i[n];
}

/* The most that is held for a row of lanes. */
REAP_KERNEL(reduce_doubles, in(float, x), reduce(plus, double, sum), reduce(plus, double, squares),
            reduce(maximum, double, most), reduce(minimum, double, least))
{
    const double v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(squares, v * v);
    reap_combine(most, v);
    reap_combine(least, v);
}
