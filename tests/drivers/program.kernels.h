/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the tests on the fake drivers: one of each kind. stand_in.c says again what they do.
 */
#include <reap/kernel.h>

REAP_KERNEL(scale, value(uint32_t, factor), out(uint32_t, y))
{
    y[reap_global_id(0)] = (uint32_t)reap_global_id(0) * factor;
}

/* A value that is too large to be passed with a launch. */
struct table {
    uint32_t at[1024];
};

REAP_KERNEL(pick, value(struct table, table), out(uint32_t, y))
{
    y[reap_global_id(0)] = table.at[reap_global_id(0) % 1024];
}

REAP_KERNEL(measure, in(uint32_t, y), reduce(plus, uint64_t, sum),
            reduce_location(maximum, uint32_t, most))
{
    reap_combine(sum, y[reap_global_id(0)]);
    reap_combine(most, y[reap_global_id(0)]);
}

/* Rows, each of which is a launch where they are few. */
REAP_KERNEL(add_rows, in(uint32_t, y), reduce_rows(plus, uint64_t, sums))
{
    reap_combine(sums, y[reap_global_linear_id()]);
}

REAP_KERNEL(count, in(uint32_t, y), reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, y[reap_global_id(0)] % 100, 1);
}

/* An operator whose order matters, for all that is known of it. */
REAP_OPERATOR(add_weights, float, 0, left, right)
{
    return left + right;
}

REAP_KERNEL(spread, in(uint32_t, y), value(uint32_t, kinds),
            reduce_span_with(add_weights, float, weights), reduce(plus, uint64_t, sum))
{
    reap_combine_at(weights, y[reap_global_id(0)] % kinds, 1.0f);
    reap_combine(sum, y[reap_global_id(0)]);
}

/* Exact sums. */
REAP_KERNEL(halve, in(uint32_t, y), reduce_span(plus, double, halves))
{
    reap_combine_at(halves, y[reap_global_id(0)] % 100, 0.5);
}

/* More values than a device is ready for at first. */
REAP_ND_KERNEL(weigh, in(uint32_t, y), inout(uint32_t, z),
               reduce_span_with(add_weights, float, weights), reduce(plus, uint64_t, sum))
{
    z[reap_global_id(0)]++;
    for (uint32_t k = 0; k < 3; k++)
        reap_combine_at(weights, y[reap_global_id(0)] % 1000, 1.0f);
    reap_combine(sum, y[reap_global_id(0)]);
}

REAP_ND_KERNEL(turn, in(uint32_t, y), out(uint32_t, z), reduce(plus, uint64_t, sum),
               local(uint32_t, shared))
{
    shared[reap_local_id(0)] = y[reap_global_id(0)];
    reap_barrier(REAP_LOCAL_SPACE);
    z[reap_global_id(0)] = shared[reap_local_range(0) - 1 - reap_local_id(0)];
    reap_combine(sum, z[reap_global_id(0)]);
}

/* Of work-groups that need no local memory. */
REAP_ND_KERNEL(step, inout(uint32_t, z))
{
    z[reap_global_id(0)]++;
}
