/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose launches are refused for their arguments.
 */
#include <reap/kernel.h>

REAP_OPERATOR_NO_IDENTITY(later_word, uint32_t, a, b)
{
    return a > b ? a : b;
}

typedef struct {
    double x, y;
} point;

REAP_KERNEL(strict, in(uint32_t, x), inout(uint32_t, z), out(uint32_t, y),
            reduce(plus, uint32_t, sum), reduce_with(later_word, uint32_t, last),
            reduce_location(maximum, uint32_t, peak), reduce_span(plus, uint32_t, bins),
            reduce_span_with(later_word, uint32_t, latest))
{
    const size_t i = reap_global_linear_id();
    y[i] = x[i];
    z[i] += x[i];
    reap_combine(sum, x[i]);
    reap_combine(last, x[i]);
    reap_combine(peak, x[i]);
    reap_combine_at(bins, x[i] % 4, 1);
    reap_combine_at(latest, x[i] % 4, x[i]);
}

REAP_KERNEL(two_inputs, in(point, a), in(point, b), reduce(plus, double, sum))
{
    reap_combine(sum, a[reap_global_linear_id()].x * b[reap_global_linear_id()].y);
}
