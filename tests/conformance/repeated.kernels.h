/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that are launched again and again.
 */
#include <reap/kernel.h>

REAP_OPERATOR_NO_IDENTITY(later_short, int16_t, a, b)
{
    return a > b ? a : b;
}

/* Every kind of scalar reduction of one width. */
REAP_KERNEL(repeated, in(float, x), in(int16_t, y), value(float, factor), reduce(plus, double, sum),
            reduce(minimum, int16_t, least), reduce_with(later_short, int16_t, last),
            reduce_location(maximum, float, peak))
{
    const size_t i = reap_global_linear_id();
    reap_combine(sum, (double)(x[i] * factor));
    reap_combine(least, y[i]);
    reap_combine(last, y[i]);
    reap_combine(peak, x[i]);
}

/* Whose lanes are in registers. */
REAP_KERNEL(repeated_sum, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_linear_id()]);
}

REAP_KERNEL(repeated_exact, in(float, x), reduce(exact_plus, float, sum))
{
    reap_combine(sum, x[reap_global_linear_id()]);
}

REAP_KERNEL(repeated_product, in(float, x), reduce(multiplies, double, product))
{
    reap_combine(product, 1 + (double)x[reap_global_linear_id()] / 64);
}

REAP_KERNEL(repeated_least, in(int16_t, y), reduce(minimum, int16_t, least))
{
    reap_combine(least, y[reap_global_linear_id()]);
}
