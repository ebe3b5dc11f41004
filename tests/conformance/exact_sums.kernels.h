/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums: alone and beside others, of values of another type, none or several of an item, in
 * ranges and work-groups.
 */
#ifndef TESTS_CONFORMANCE_EXACT_SUMS_KERNELS_H
#define TESTS_CONFORMANCE_EXACT_SUMS_KERNELS_H

#include <reap/kernel.h>

REAP_KERNEL(exact_float, in(float, x), reduce(exact_plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(exact_double, in(double, x), reduce(exact_plus, double, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(exact_wide, in(float, x), reduce(exact_plus, double, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

/* An item adds its value none to three times, the second time without its sign. */
static void add_again(REAP_ITEM, reap_reducer(exact_plus, double, sum), double value)
{
    reap_combine(sum, value < 0 ? -value : value);
}

REAP_KERNEL(exact_several, in(double, x), reduce(exact_plus, double, sum))
{
    const size_t i = reap_global_id(0);
    if (i % 4 > 0)
        reap_combine(sum, x[i]);
    if (i % 4 > 1)
        add_again(REAP_THIS_ITEM, reap_pass(sum), x[i]);
    if (i % 4 > 2)
        reap_combine(sum, x[i]);
}

REAP_KERNEL(exact_beside, in(double, x), reduce(plus, uint64_t, bits),
            reduce(exact_plus, double, sum), reduce_location(minimum, uint32_t, least),
            reduce(exact_plus, float, narrow))
{
    const size_t i = reap_global_linear_id();
    reap_combine(sum, x[i]);
    reap_combine(bits, (uint64_t)i);
    reap_combine(least, (uint32_t)(i * 2654435761u));
    reap_combine(narrow, (float)(i % 1000) * 0x1p-130f);
}

typedef struct floats_32 {
    float of[32];
} floats_32;

REAP_OPERATOR_NO_IDENTITY(add_floats_32, floats_32, left, right)
{
    for (int i = 0; i < 32; i++)
        left.of[i] += right.of[i];
    return left;
}

/* Rows of 64 lanes and of 32. */
REAP_KERNEL(exact_mixed, in(double, x), reduce(exact_plus, double, sum),
            reduce_with(add_floats_32, floats_32, count))
{
    const size_t i = reap_global_id(0);
    floats_32 one;
    for (int j = 0; j < 32; j++)
        one.of[j] = 1;
    reap_combine(sum, x[i]);
    reap_combine(count, one);
}

REAP_ND_KERNEL(exact_in_groups, in(double, x), reduce(exact_plus, double, sum), local(double, m))
{
    const size_t i = reap_global_id(0), l = reap_local_id(0);
    m[l] = x[i];
    reap_barrier(REAP_LOCAL_SPACE);
    reap_combine(sum, m[reap_local_range(0) - 1 - l]);
    reap_combine(sum, x[i]);
}

REAP_GROUP_KERNEL(exact_in_phases, in(double, x), reduce(exact_plus, double, sum), local(double, m))
{
    reap_for_each_item {
        m[reap_local_id(0)] = x[reap_global_id(0)];
        reap_combine(sum, x[reap_global_id(0)]);
    }
    reap_for_each_item {
        reap_combine(sum, m[reap_local_range(0) - 1 - reap_local_id(0)]);
    }
}

/* Nothing is added to an exact sum. */
REAP_KERNEL(exact_nothing, in(double, x), reduce(exact_plus, double, sum),
            reduce(plus, float, count))
{
    if (x[reap_global_id(0)] > 0)
        reap_combine(count, 1);
}

REAP_ND_KERNEL(exact_nothing_in_groups, in(double, x), reduce(exact_plus, double, sum),
               reduce_span(plus, float, counts))
{
    if (x[reap_global_id(0)] > 0)
        reap_combine_at(counts, 0, 1);
}

#endif
