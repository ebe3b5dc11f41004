/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that the benchmarks launch.
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

REAP_KERNEL(sum_int, in(int, x), reduce(plus, int, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(dot, in(float, x), in(float, y), reduce(plus, float, sum))
{
    size_t i = reap_global_id(0);
    reap_combine(sum, x[i] * y[i]);
}

REAP_KERNEL(sum_max, in(float, x), reduce(plus, float, sum), reduce(maximum, float, most))
{
    float v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
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

REAP_KERNEL(argmax, in(float, x), reduce_location(maximum, float, most))
{
    reap_combine(most, x[reap_global_id(0)]);
}

REAP_KERNEL(sum_matrix, in(float, x), value(size_t, columns), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0) * columns + reap_global_id(1)]);
}

REAP_KERNEL(histogram, in(uint32_t, x), reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, x[reap_global_id(0)], 1);
}

/* One step of a reduction loop: each work-group adds 2 * reap_local_range(0) numbers. */
REAP_ND_KERNEL(add_groups, in(uint32_t, input), out(uint32_t, partial), value(size_t, length),
               local(uint32_t, scratch))
{
    size_t item = reap_local_id(0);
    size_t size = reap_local_range(0);
    size_t at = 2 * reap_global_id(0);
    scratch[item] = 0;
    if (at < length)
        scratch[item] = input[at] + (at + 1 < length ? input[at + 1] : 0);
    reap_barrier(REAP_LOCAL_SPACE);
    for (size_t stride = 1; stride < size; stride *= 2) {
        size_t left = 2 * stride * item;
        if (left + stride < size)
            scratch[left] += scratch[left + stride];
        reap_barrier(REAP_LOCAL_SPACE);
    }
    if (item == 0)
        partial[reap_group_id(0)] = scratch[0];
}

/* The same in phases. */
REAP_GROUP_KERNEL(add_groups_in_phases, in(uint32_t, input), out(uint32_t, partial),
                  value(size_t, length), local(uint32_t, scratch))
{
    size_t size = reap_local_range(0);
    reap_for_each_item {
        size_t at = 2 * reap_global_id(0);
        uint32_t pair = 0;
        if (at < length)
            pair = input[at] + (at + 1 < length ? input[at + 1] : 0);
        scratch[reap_local_id(0)] = pair;
    }
    for (size_t stride = 1; stride < size; stride *= 2) {
        reap_for_each_item {
            size_t left = 2 * stride * reap_local_id(0);
            if (left + stride < size)
                scratch[left] += scratch[left + stride];
        }
    }
    reap_for_each_item {
        if (reap_local_id(0) == 0)
            partial[reap_group_id(0)] = scratch[0];
    }
}

/* One step of a series; each needs the one before. */
REAP_KERNEL(step_series, inout(uint32_t, x))
{
    size_t i = reap_global_id(0);
    x[i] = 31 * x[i] + 7;
}
