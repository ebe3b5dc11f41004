/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels in work-groups with a bug each. The comments that begin with "bug" mark the lines that a
 * report must name.
 */
#include <reap/kernel.h>

/* A barrier follows each step; none precedes the first one. */
REAP_ND_KERNEL(missing_barrier, in(int, input), out(int, partial), local(int, scratch))
{
    size_t item = reap_local_linear_id();
    scratch[item] = input[reap_global_linear_id()]; /* bug missing_barrier */
    for (size_t half = reap_local_range(0) / 2; half > 0; half /= 2) {
        if (item < half)
            scratch[item] += scratch[item + half]; /* bug missing_barrier */
        reap_barrier(REAP_LOCAL_SPACE);
    }
    if (item == 0)
        partial[reap_group_linear_id()] = scratch[0];
}

/* Group k writes element k, which another group reads. */
REAP_ND_KERNEL(in_place, inout(int, data), local(int, scratch))
{
    size_t item = reap_local_linear_id();
    scratch[item] = data[reap_global_linear_id()]; /* bug in_place */
    reap_barrier(REAP_LOCAL_SPACE);
    for (size_t half = reap_local_range(0) / 2; half > 0; half /= 2) {
        if (item < half)
            scratch[item] += scratch[item + half];
        reap_barrier(REAP_LOCAL_SPACE);
    }
    if (item == 0)
        data[reap_group_linear_id()] = scratch[0]; /* bug in_place */
}

/* The same, in phases, where a loop may be made of vectors, and lose its lines. */
REAP_GROUP_KERNEL(in_place_in_phases, inout(int, data), local(int, scratch))
{
    reap_for_each_item {
        scratch[reap_local_linear_id()] = data[reap_global_linear_id()];
    }
    for (size_t half = reap_local_range(0) / 2; half > 0; half /= 2) {
        reap_for_each_item {
            size_t item = reap_local_linear_id();
            if (item < half)
                scratch[item] += scratch[item + half];
        }
    }
    reap_for_each_item {
        if (reap_local_linear_id() == 0)
            data[reap_group_linear_id()] = scratch[0]; /* bug in_place_in_phases */
    }
}

/* Right: all that a group in phases has of its own, which the next group uses again. */
REAP_GROUP_KERNEL(orderly_phases, in(int, input), out(int, output), reduce_span(plus, int, counts),
                  reduce(plus, int, sum), local(int, scratch))
{
    int powers[4] = {1, 2, 4, 8};
    const int *const first = powers;
    reap_item_private(int, own);
    reap_for_each_item {
        reap_private(own) = input[reap_global_linear_id()] + first[reap_local_linear_id() % 4];
        scratch[reap_local_linear_id()] = reap_private(own);
    }
    const int least = scratch[0];
    reap_for_each_item {
        output[reap_global_linear_id()] = reap_private(own) + least;
        reap_combine(sum, reap_private(own));
        reap_combine_at(counts, reap_local_linear_id() % 4, 1);
    }
}

/* No item writes the first element. */
REAP_ND_KERNEL(unwritten, out(int, output), local(int, scratch))
{
    size_t item = reap_local_linear_id();
    if (item > 0)
        scratch[item] = 1;
    reap_barrier(REAP_LOCAL_SPACE);
    if (scratch[item ^ 1] > 0) /* bug unwritten */
        output[reap_global_linear_id()] = 1;
}

/* An array on a work-item's stack has `length` - 1 elements. */
REAP_ND_KERNEL(stack_overrun, out(int, output), value(size_t, length))
{
    volatile int few[4] = {1, 2, 3, 4};
    reap_barrier(REAP_LOCAL_SPACE);
    for (size_t i = 0; i < length; i++)
        few[i] = (int)i; /* bug stack_overrun */
    reap_barrier(REAP_LOCAL_SPACE);
    output[reap_global_linear_id()] = few[2];
}

/* Local memory has one element less than the group has items. */
REAP_ND_KERNEL(local_overrun, out(int, output), local(int, scratch))
{
    size_t item = reap_local_linear_id();
    scratch[item] = 1; /* bug local_overrun */
    reap_barrier(REAP_LOCAL_SPACE);
    output[reap_global_linear_id()] = scratch[0];
}
