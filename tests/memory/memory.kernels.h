/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the tests of memory.
 */
#include <reap/kernel.h>

REAP_KERNEL(change, inout(uint8_t, x), value(uint32_t, with))
{
    size_t i = reap_global_id(0);
    x[i] = (uint8_t)(x[i] * 3u + with);
}

REAP_KERNEL(add_one, inout(uint32_t, x))
{
    x[reap_global_id(0)] += 1;
}

/* Takes milliseconds on a processor. */
REAP_KERNEL(step, inout(uint32_t, x), value(uint32_t, steps))
{
    const size_t i = reap_global_id(0);
    uint32_t v = x[i];
    for (uint32_t s = 0; s < steps; s++)
        v = v * 1664525 + (v >> 7) + 1013904223;
    x[i] = v;
}

REAP_KERNEL(fill_up, out(uint32_t, x), value(uint32_t, with))
{
    x[reap_global_id(0)] = with;
}

REAP_KERNEL(add_up, in(uint32_t, x), reduce(plus, uint64_t, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

/* Reductions of every kind, and spans of both: in any order, and in one that matters. */
REAP_KERNEL(measure, in(uint32_t, x), reduce(plus, double, sum),
            reduce_location(maximum, uint32_t, most))
{
    size_t i = reap_global_id(0);
    reap_combine(sum, 0.1 * (double)x[i]);
    reap_combine(most, x[i]);
}

REAP_KERNEL(count, in(uint32_t, x), reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, x[reap_global_id(0)] % 10, 1);
}

REAP_KERNEL(weigh, in(uint32_t, x), reduce_span(plus, double, weights))
{
    size_t i = reap_global_id(0);
    reap_combine_at(weights, x[i] % 10, 0.1 * (double)x[i]);
}

REAP_KERNEL(mix, in(uint32_t, x), inout(uint32_t, y), value(uint32_t, with))
{
    size_t i = reap_global_id(0);
    y[i] = 31 * y[i] + x[i] + with;
}

REAP_KERNEL(add_to, in(uint32_t, x), reduce(plus, uint32_t, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(count_twice, in(uint32_t, x), reduce_span(plus, uint32_t, bins),
            reduce_span(plus, uint32_t, others))
{
    reap_combine_at(bins, x[reap_global_id(0)] % 10, 1);
    reap_combine_at(others, x[reap_global_id(0)] % 10, 1);
}

/* Fails where `at` is outside. */
REAP_KERNEL(fill_and_mark, out(uint32_t, x), value(uint32_t, with), value(size_t, at),
            reduce_span(plus, uint32_t, marks))
{
    x[reap_global_id(0)] = with;
    reap_combine_at(marks, at, 1);
}
