/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of which every compiler has to make vectors.
 */
#include <reap/kernel.h>

REAP_KERNEL(add, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(describe, in(float, x), reduce(plus, float, sum), reduce(maximum, float, most),
            reduce(minimum, float, least), reduce(plus, float, squares))
{
    const float v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
    reap_combine(least, v);
    reap_combine(squares, v * v);
}

REAP_KERNEL(find, in(float, x), reduce_location(maximum, float, most))
{
    reap_combine(most, x[reap_global_id(0)]);
}

REAP_KERNEL(add_rows, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_linear_id()]);
}

/* More arrays than compilers compare with each other when the program runs. */
REAP_KERNEL(mix, in(float, a), in(float, b), in(float, c), in(float, d), out(float, e),
            out(float, f), out(float, g), out(float, h), reduce(plus, float, sum))
{
    const size_t i = reap_global_id(0);
    e[i] = a[i] + b[i];
    f[i] = b[i] - c[i];
    g[i] = c[i] * d[i];
    h[i] = a[i] * d[i];
    reap_combine(sum, a[i]);
}
