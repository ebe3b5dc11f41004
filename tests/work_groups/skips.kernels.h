/* SPDX-License-Identifier: Apache-2.0
 *
 * Work-items that combine, or do not, into reductions without an identity, into one with, and into
 * a logical or: once in a kernel with barriers and once in phases. `when` has a bit for each time
 * that an item combines: before what it waits for, and after it.
 */
#include <reap/kernel.h>

typedef struct {
    uint32_t least, most, count;
    uint16_t parity;
} extremes;

REAP_OPERATOR_NO_IDENTITY(larger, uint32_t, a, b)
{
    return a > b ? a : b;
}

REAP_OPERATOR_NO_IDENTITY(span_of_both, extremes, a, b)
{
    return reap_value(extremes, a.least < b.least ? a.least : b.least,
                      a.most > b.most ? a.most : b.most, a.count + b.count,
                      (uint16_t)(a.parity ^ b.parity));
}

#define SKIP_PARAMETERS                                                                            \
    in(uint8_t, when), in(uint32_t, x), reduce_with(larger, uint32_t, largest),                    \
        reduce_with(span_of_both, extremes, ends), reduce(logical_or, bool, any),                  \
        reduce(plus, uint32_t, sum), local(uint32_t, shared)

static void combine_into_all(REAP_ITEM, uint32_t v, reap_reducer(larger, uint32_t, largest),
                             reap_reducer(span_of_both, extremes, ends),
                             reap_reducer(logical_or, bool, any), reap_reducer(plus, uint32_t, sum))
{
    reap_combine(largest, v);
    reap_combine(ends, reap_value(extremes, v, v, 1, (uint16_t)v));
    reap_combine(any, true);
    reap_combine(sum, v);
}

#define COMBINE(v)                                                                                 \
    combine_into_all(REAP_THIS_ITEM, v, reap_pass(largest), reap_pass(ends), reap_pass(any),       \
                     reap_pass(sum))

REAP_ND_KERNEL(skip_without_barrier, SKIP_PARAMETERS)
{
    const size_t i = reap_global_id(0);
    shared[reap_local_id(0)] = x[i];
    if (when[i] & 1)
        COMBINE(x[i]);
    if (when[i] & 2)
        COMBINE(~x[i]);
}

REAP_ND_KERNEL(skip_around_barrier, SKIP_PARAMETERS)
{
    const size_t i = reap_global_id(0), item = reap_local_id(0), size = reap_local_range(0);
    if (when[i] & 1)
        COMBINE(x[i]);
    shared[size - 1 - item] = x[i];
    reap_barrier(REAP_LOCAL_SPACE);
    if (when[i] & 2)
        COMBINE(~shared[size - 1 - item]);
}

REAP_GROUP_KERNEL(skip_in_phases, SKIP_PARAMETERS)
{
    reap_for_each_item {
        const size_t i = reap_global_id(0);
        shared[reap_local_id(0)] = x[i];
        if (when[i] & 1)
            COMBINE(x[i]);
    }
    reap_for_each_item {
        if (when[reap_global_id(0)] & 2)
            COMBINE(~shared[reap_local_id(0)]);
    }
}

/* One reduction alone, straight in the kernel. */
REAP_ND_KERNEL(skip_one, in(uint8_t, when), in(uint32_t, x), reduce_with(larger, uint32_t, largest))
{
    if (when[reap_global_id(0)] != 0)
        reap_combine(largest, x[reap_global_id(0)]);
}

REAP_GROUP_KERNEL(skip_one_in_a_phase, in(uint8_t, when), in(uint32_t, x),
                  reduce_with(larger, uint32_t, largest))
{
    reap_for_each_item {
        if (when[reap_global_id(0)] != 0)
            reap_combine(largest, x[reap_global_id(0)]);
    }
}

REAP_ND_KERNEL(skip_struct, in(uint8_t, when), in(uint32_t, x),
               reduce_with(span_of_both, extremes, ends))
{
    const uint32_t v = x[reap_global_id(0)];
    if (when[reap_global_id(0)] != 0)
        reap_combine(ends, reap_value(extremes, v, v, 1, (uint16_t)v));
}

REAP_GROUP_KERNEL(skip_or, in(uint8_t, when), reduce(logical_or, bool, any))
{
    reap_for_each_item {
        if (when[reap_global_id(0)] != 0)
            reap_combine(any, true);
    }
}

REAP_ND_KERNEL(skip_or_with_barrier, in(uint8_t, when), reduce(logical_or, bool, any))
{
    if (when[reap_global_id(0)] != 0)
        reap_combine(any, true);
    reap_barrier(REAP_LOCAL_SPACE);
}
