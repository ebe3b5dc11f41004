/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums in spans: alone, beside spans of other kinds, several values of an item, in ranges and
 * work-groups.
 */
#ifndef TESTS_CONFORMANCE_EXACT_SPANS_KERNELS_H
#define TESTS_CONFORMANCE_EXACT_SPANS_KERNELS_H

#include <reap/kernel.h>

REAP_KERNEL(exact_span_float, in(uint32_t, at), in(float, x), reduce_span(plus, float, sums))
{
    const size_t i = reap_global_linear_id();
    reap_combine_at(sums, at[i], x[i]);
}

REAP_KERNEL(exact_span_double, in(uint32_t, at), in(double, x), reduce_span(plus, double, sums))
{
    const size_t i = reap_global_linear_id();
    reap_combine_at(sums, at[i], x[i]);
}

/* Of a user's operator a device does not know that its order does not matter. */
REAP_OPERATOR(exact_span_most, uint32_t, 0, left, right)
{
    return left > right ? left : right;
}

/* Beside integers, extremes and a scalar. */
REAP_KERNEL(exact_span_beside, in(uint32_t, at), in(double, x), reduce_span(plus, double, sums),
            reduce_span(plus, float, narrow), reduce_span(plus, uint32_t, counts),
            reduce_span(minimum, double, least), reduce_span(maximum, float, most),
            reduce(exact_plus, double, all))
{
    const size_t i = reap_global_id(0);
    reap_combine_at(sums, at[i], x[i]);
    reap_combine_at(narrow, at[i], (float)x[i]);
    reap_combine_at(counts, at[i], 1u);
    reap_combine_at(least, at[i], x[i]);
    reap_combine_at(most, at[i], (float)x[i]);
    reap_combine(all, x[i]);
}

REAP_KERNEL(exact_span_ordered, in(uint32_t, at), in(double, x), reduce_span(plus, double, sums),
            reduce_span_with(exact_span_most, uint32_t, users), reduce_span(minimum, double, least))
{
    const size_t i = reap_global_id(0);
    reap_combine_at(sums, at[i], x[i]);
    reap_combine_at(users, at[i], at[i] + 1);
    reap_combine_at(least, at[i], x[i]);
}

/* Several values of an item. The host's code collects values of kernels with one exact sum in
 * spans: on a condition and after it, but not in a loop of the item's own; and the first two of
 * ten. */
REAP_KERNEL(exact_span_several, in(uint32_t, at), in(float, x), value(uint32_t, length),
            reduce_span(plus, float, sums))
{
    const size_t i = reap_global_id(0);
    const uint32_t first = at[i];
    if (x[i] < 0)
        reap_combine_at(sums, first, x[i]);
    reap_combine_at(sums, first, x[i]);
    for (uint32_t n = 0; n < first % 5; n++)
        reap_combine_at(sums, (first + n) % length, x[i]);
}

REAP_KERNEL(exact_span_ten, in(uint32_t, at), in(double, x), value(uint32_t, length),
            reduce_span(plus, double, sums))
{
    const size_t i = reap_global_id(0);
    const uint32_t first = at[i], second = (first + 1) % length;
    reap_combine_at(sums, first, x[i]);
    reap_combine_at(sums, second, x[i]);
    reap_combine_at(sums, first, -x[i]);
    reap_combine_at(sums, second, x[i]);
    reap_combine_at(sums, first, x[i]);
    reap_combine_at(sums, second, x[i]);
    reap_combine_at(sums, first, -x[i]);
    reap_combine_at(sums, second, x[i]);
    reap_combine_at(sums, first, x[i]);
    reap_combine_at(sums, second, x[i]);
}

/* Each value twice, once with a helper's span. */
static void exact_span_again(REAP_ITEM, reap_span_reducer(plus, double, sums), size_t at,
                             double value)
{
    reap_combine_at(sums, at, value);
}

REAP_ND_KERNEL(exact_span_in_groups, in(uint32_t, at), in(double, x), value(size_t, m),
               local(double, copy), reduce_span(plus, double, sums))
{
    const size_t i = reap_global_id(0);
    copy[reap_local_id(0)] = x[i];
    reap_barrier(REAP_LOCAL_SPACE);
    reap_combine_at(sums, at[i], copy[reap_local_id(0)]);
    exact_span_again(REAP_THIS_ITEM, reap_pass_span(sums), at[i - reap_local_id(0)],
                     copy[m - 1 - reap_local_id(0)]);
}

REAP_ND_KERNEL(exact_span_logged, in(uint32_t, at), in(double, x), reduce_span(plus, double, sums),
               reduce_span_with(exact_span_most, uint32_t, users))
{
    const size_t i = reap_global_id(0);
    reap_combine_at(sums, at[i], x[i]);
    reap_combine_at(sums, at[i], x[i]);
    reap_barrier(REAP_LOCAL_SPACE);
    reap_combine_at(sums, at[i - reap_local_id(0)], x[i]);
    reap_combine_at(users, at[i], at[i] + 1);
}

#endif
