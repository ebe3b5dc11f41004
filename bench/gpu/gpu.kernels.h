/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that the GPU benchmark launches.
 */
#include <reap/kernel.h>

REAP_KERNEL(sum_float, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(sum_double, in(double, x), reduce(plus, double, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(exact_sum_float, in(float, x), reduce(exact_plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(exact_sum_double, in(double, x), reduce(exact_plus, double, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(sum_int, in(int, x), reduce(plus, int, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(dot, in(float, x), in(float, y), reduce(plus, float, sum))
{
    size_t i = reap_global_id(0);
    reap_combine(sum, x[i] * y[i]);
}

REAP_KERNEL(argmax, in(float, x), reduce_location(maximum, float, most))
{
    reap_combine(most, x[reap_global_id(0)]);
}

REAP_KERNEL(four, in(float, x), reduce(plus, float, sum), reduce(maximum, float, most),
            reduce(minimum, float, least), reduce(plus, float, squares))
{
    float v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
    reap_combine(least, v);
    reap_combine(squares, v * v);
}

REAP_KERNEL(histogram_8, in(uint8_t, x), reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, x[reap_global_id(0)], 1);
}

REAP_KERNEL(histogram_16, in(uint16_t, x), reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, x[reap_global_id(0)], 1);
}

REAP_KERNEL(histogram_32, in(uint32_t, x), reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, x[reap_global_id(0)], 1);
}

REAP_KERNEL(keys_int, in(uint32_t, x), value(uint32_t, mask), reduce_span(plus, uint32_t, elements))
{
    reap_combine_at(elements, x[reap_global_id(0)] & mask, 1);
}

REAP_KERNEL(keys_float, in(uint32_t, x), value(uint32_t, mask), reduce_span(plus, float, elements))
{
    const uint32_t number = x[reap_global_id(0)];
    reap_combine_at(elements, number & mask, (float)(number >> 8) * 0x1p-24f);
}

REAP_KERNEL(keys_double, in(uint32_t, x), value(uint32_t, mask),
            reduce_span(plus, double, elements))
{
    const uint32_t number = x[reap_global_id(0)];
    reap_combine_at(elements, number & mask, (number >> 8) * 0x1p-24);
}

REAP_OPERATOR(add, float, 0, a, b)
{
    return a + b;
}

REAP_KERNEL(keys_ordered, in(uint32_t, x), value(uint32_t, mask),
            reduce_span_with(add, float, elements))
{
    const uint32_t number = x[reap_global_id(0)];
    reap_combine_at(elements, number & mask, (float)(number >> 8) * 0x1p-24f);
}

REAP_KERNEL(step_series, inout(uint32_t, x))
{
    size_t i = reap_global_id(0);
    x[i] = 31 * x[i] + 7;
}
