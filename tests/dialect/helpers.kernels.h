/* SPDX-License-Identifier: Apache-2.0
 *
 * Helper functions of kernels: with ids, with reducers of every class, helpers of helpers, address
 * spaces, tables.
 */
#include <reap/kernel.h>

REAP_OPERATOR_NO_IDENTITY(later, int, a, b)
{
    return b > a ? b : a;
}

static const float weights[4] = {1, 2, 4, 8};

static REAP_CONSTANT const int offsets[2] = {0, 1};

static float weight(size_t i)
{
    return weights[i % 4];
}

/* Ids. */
static size_t own_id(REAP_ITEM)
{
    return reap_global_id(0);
}

static size_t mirrored(REAP_ITEM)
{
    return reap_global_range(0) - 1 - own_id(REAP_THIS_ITEM);
}

/* Pointers into the memories. */
static float at(REAP_GLOBAL const float *x, size_t i)
{
    REAP_GLOBAL const float *element = x + i;
    return *element;
}

static void put(REAP_GLOBAL float *y, size_t i, float v)
{
    y[i] = v;
}

static int sum_of_four(REAP_LOCAL const int *four)
{
    return four[0] + four[1] + four[2] + four[3];
}

/* Reducers. */
static void add_weighted(REAP_ITEM, reap_reducer(plus, float, into), REAP_GLOBAL const float *x)
{
    reap_combine(into, at(x, own_id(REAP_THIS_ITEM)) * weight(reap_global_linear_id()));
}

static void add_twice(REAP_ITEM, reap_reducer(plus, float, sum), REAP_GLOBAL const float *x)
{
    add_weighted(REAP_THIS_ITEM, reap_pass(sum), x);
    add_weighted(REAP_THIS_ITEM, reap_pass(sum), x);
}

static void find(REAP_ITEM, reap_location_reducer(minimum, float, least),
                 reap_location_reducer(maximum, float, most), REAP_GLOBAL const float *x)
{
    reap_combine(least, x[reap_global_id(0)]);
    reap_combine(most, x[reap_global_id(0)]);
}

static void find_below(REAP_ITEM, reap_location_reducer(minimum, float, least),
                       reap_location_reducer(maximum, float, most), REAP_GLOBAL const float *x)
{
    find(REAP_THIS_ITEM, reap_pass(least), reap_pass(most), x);
}

static void count(reap_span_reducer(plus, int, bins), size_t bin)
{
    reap_combine_at(bins, bin + (size_t)offsets[0], 1);
}

static void count_both(reap_span_reducer(plus, int, first), reap_span_reducer(plus, int, second),
                       size_t bin)
{
    count(reap_pass_span(first), bin);
    count(reap_pass_span(second), bin + (size_t)offsets[1]);
}

static void note(REAP_ITEM, reap_reducer(later, int, last), reap_span_reducer(later, int, each),
                 int i)
{
    reap_combine(last, i);
    reap_combine_at(each, (size_t)i % 3, i);
}

/* Not inlined, with an operator that calls functions of Reap's own. */
static __attribute__((noinline)) void add_half(REAP_ITEM, reap_reducer(plus, reap_half, halves),
                                               float v)
{
    reap_combine(halves, reap_half_from_float(v));
}

REAP_KERNEL(with_half_helper, in(float, x), reduce(plus, reap_half, halves))
{
    add_half(REAP_THIS_ITEM, reap_pass(halves), x[reap_global_id(0)]);
}

/* A helper that chooses what is combined, and whether. */
static bool add_if_even(REAP_ITEM, reap_reducer(plus, int, evens), int i)
{
    if (i % 2 != 0)
        return false;
    reap_combine(evens, 1);
    return true;
}

REAP_KERNEL(with_helpers, in(float, x), out(float, y), reduce(plus, float, sum),
            reduce_location(minimum, float, least), reduce_location(maximum, float, most),
            reduce_span(plus, int, bins), reduce_span(plus, int, others),
            reduce_with(later, int, last), reduce_span_with(later, int, each),
            reduce(plus, int, evens), reduce(plus, int, odds))
{
    const size_t i = own_id(REAP_THIS_ITEM);
    const int four[4] = {1, 2, 3, 4};
    add_twice(REAP_THIS_ITEM, reap_pass(sum), x);
    find_below(REAP_THIS_ITEM, reap_pass(least), reap_pass(most), x);
    count_both(reap_pass_span(bins), reap_pass_span(others), i % 4);
    note(REAP_THIS_ITEM, reap_pass(last), reap_pass_span(each), (int)i);
    if (!add_if_even(REAP_THIS_ITEM, reap_pass(evens), (int)i))
        reap_combine(odds, 1);
    put(y, mirrored(REAP_THIS_ITEM), x[i] + (float)sum_of_four(four));
}
