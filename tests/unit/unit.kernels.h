/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the unit tests: one of each kind of thing that a launch takes memory for.
 */
#include <reap/kernel.h>

typedef struct {
    double values[8];
} eight;

REAP_OPERATOR_NO_IDENTITY(add_eight, eight, a, b)
{
    for (int i = 0; i < 8; i++)
        a.values[i] += b.values[i];
    return a;
}

REAP_KERNEL(count_items, reduce(plus, uint64_t, items))
{
    reap_combine(items, 1);
}

REAP_KERNEL(add_up, in(float, x), reduce(plus, double, sum), reduce(maximum, float, most))
{
    float v = x[reap_global_id(0)];
    reap_combine(sum, (double)v);
    reap_combine(most, v);
}

REAP_KERNEL(everything, in(float, x), out(float, y), reduce(plus, float, sum),
            reduce_location(maximum, float, most), reduce_with(add_eight, eight, all),
            reduce_span(plus, uint32_t, bins), reduce_span_with(add_eight, eight, few))
{
    size_t i = reap_global_id(0);
    eight one = {{1, 2, 3, 4, 5, 6, 7, 8}};
    y[i] = x[i];
    reap_combine(sum, x[i]);
    reap_combine(most, x[i]);
    reap_combine(all, one);
    reap_combine_at(bins, i % 100, 1);
    reap_combine_at(few, i % 3, one);
}

/* What takes a row of lanes, where items are few; and what needs no order. */
REAP_KERNEL(reduce_few, in(float, x), reduce(plus, float, sum),
            reduce_location(maximum, float, most), reduce_with(add_eight, eight, all))
{
    size_t i = reap_global_id(0);
    eight one = {{1, 2, 3, 4, 5, 6, 7, 8}};
    reap_combine(sum, x[i]);
    reap_combine(most, x[i]);
    reap_combine(all, one);
}

/* An exact sum of values of very different magnitudes. */
REAP_KERNEL(sum_ranges, reduce_span(plus, double, sums))
{
    const size_t i = reap_global_id(0);
    reap_combine_at(sums, i % 100, i % 3 == 0 ? 1.0 : i % 3 == 1 ? 0x1p200 : 0x1p-200);
}

REAP_KERNEL(count_hundreds, reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, reap_global_id(0) % 100, 1);
}

#define GROUP_PARAMETERS                                                                           \
    in(float, x), reduce(plus, float, sum), reduce_location(maximum, float, most),                 \
        reduce_with(add_eight, eight, all), reduce_span(plus, uint32_t, bins),                     \
        local(float, shared)

REAP_ND_KERNEL(everything_in_groups, GROUP_PARAMETERS)
{
    size_t i = reap_global_id(0);
    eight one = {{1, 2, 3, 4, 5, 6, 7, 8}};
    shared[reap_local_id(0)] = x[i];
    reap_barrier(REAP_LOCAL_SPACE);
    reap_combine(sum, shared[0]);
    reap_combine(most, x[i]);
    reap_combine(all, one);
    reap_combine_at(bins, i % 100, 1);
}

REAP_GROUP_KERNEL(everything_in_phases, GROUP_PARAMETERS)
{
    reap_item_private(eight, one);
    reap_for_each_item {
        shared[reap_local_id(0)] = x[reap_global_id(0)];
        reap_private(one) = reap_value(eight, {1, 2, 3, 4, 5, 6, 7, 8});
    }
    reap_for_each_item {
        reap_combine(sum, shared[0]);
        reap_combine(most, x[reap_global_id(0)]);
        reap_combine(all, reap_private(one));
        reap_combine_at(bins, reap_global_id(0) % 100, 1);
    }
}

/* Each item takes long, so that few of them are worth sharing. */
REAP_KERNEL(work_hard, value(int, steps), reduce(bit_xor, uint32_t, all))
{
    uint32_t v = (uint32_t)reap_global_id(0) + 1;
    for (int i = 0; i < steps; i++) {
        v ^= v << 13;
        v ^= v >> 17;
        v ^= v << 5;
    }
    reap_combine(all, v);
}

REAP_KERNEL(work_for_itself, value(int, steps), out(uint32_t, results))
{
    uint32_t v = (uint32_t)reap_global_id(0) + 1;
    for (int i = 0; i < steps; i++) {
        v ^= v << 13;
        v ^= v >> 17;
        v ^= v << 5;
    }
    results[reap_global_id(0)] = v;
}

/* Runs until the program sets the flag. */
REAP_KERNEL(hold, inout(uint32_t, flag))
{
    while (reap_atomic_fetch_add(&flag[0], 0) == 0)
        continue;
}

REAP_KERNEL(continue_series, inout(uint32_t, x), value(uint32_t, with))
{
    x[reap_global_id(0)] = 31 * x[reap_global_id(0)] + with;
}

/* The same, and tells that it has begun. */
REAP_KERNEL(tell_and_hold, inout(uint32_t, begun), inout(uint32_t, flag))
{
    reap_atomic_exchange(begun, 1u);
    while (reap_atomic_fetch_add(flag, 0u) == 0)
        continue;
}

/* The same, and adds to a series at the end. */
REAP_KERNEL(hold_series, inout(uint32_t, begun), inout(uint32_t, flag), inout(uint32_t, x))
{
    reap_atomic_exchange(begun, 1u);
    while (reap_atomic_fetch_add(flag, 0u) == 0)
        continue;
    x[reap_global_id(0)] += 1;
}

/* Each row comes to the number of its items, and so does each column. */
REAP_KERNEL(count_rows, reduce_rows(plus, double, all), reduce_rows(maximum, float, last))
{
    reap_combine(all, 1);
    reap_combine(last, 1);
}

REAP_KERNEL(count_columns, reduce_columns(plus, double, all),
            reduce_columns(exact_plus, float, exact))
{
    reap_combine(all, 1);
    reap_combine(exact, 1);
}
