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

/* Exact sums by key: one, of which the host's code collects values, and several. */
REAP_KERNEL(sum_by_key, in(float, x), reduce_span(plus, double, sums))
{
    const size_t n = reap_global_id(0);
    reap_combine_at(sums, n % 100, (double)x[n]);
}

REAP_KERNEL(sums_by_key, in(float, x), reduce_span(plus, double, a), reduce_span(plus, double, b),
            reduce_span(plus, float, c), reduce_span(plus, float, d), reduce_span(plus, double, e),
            reduce_span(plus, double, f))
{
    const size_t n = reap_global_id(0);
    reap_combine_at(a, n % 100, (double)x[n]);
    reap_combine_at(b, n % 100, (double)x[n]);
    reap_combine_at(c, n % 100, x[n]);
    reap_combine_at(d, n % 100, x[n]);
    reap_combine_at(e, n % 100, (double)x[n]);
    reap_combine_at(f, n % 100, (double)x[n]);
}
