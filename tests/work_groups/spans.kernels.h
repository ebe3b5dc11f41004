/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions in kernels with work-groups. Each item combines into two elements, one before a
 * barrier and one after it; many items of a group combine into the same.
 */
#include <reap/kernel.h>

REAP_OPERATOR_NO_IDENTITY(later_word, uint32_t, a, b)
{
    return a > b ? a : b;
}

#define SPAN_PARAMETERS                                                                            \
    in(uint32_t, where), in(float, x), reduce_span(plus, uint32_t, bins),                          \
        reduce_span(plus, float, sums), reduce_span_with(later_word, uint32_t, latest),            \
        reduce(plus, uint64_t, items), local(uint32_t, shared)

static size_t neighbour(REAP_ITEM)
{
    const size_t size = reap_local_range(0) * reap_local_range(1) * reap_local_range(2);
    return (reap_local_linear_id() + 1) % size;
}

REAP_ND_KERNEL(spread_items, SPAN_PARAMETERS)
{
    const size_t i = reap_global_linear_id();
    reap_combine_at(bins, where[i], 1);
    reap_combine_at(sums, where[i], x[i]);
    shared[reap_local_linear_id()] = where[i];
    reap_barrier(REAP_LOCAL_SPACE);
    const uint32_t theirs = shared[neighbour(REAP_THIS_ITEM)];
    reap_combine_at(bins, theirs, 100);
    reap_combine_at(latest, theirs, (uint32_t)i);
    reap_combine(items, 1);
}

REAP_GROUP_KERNEL(spread_in_phases, SPAN_PARAMETERS)
{
    reap_for_each_item {
        const size_t i = reap_global_linear_id();
        reap_combine_at(bins, where[i], 1);
        reap_combine_at(sums, where[i], x[i]);
        shared[reap_local_linear_id()] = where[i];
    }
    reap_for_each_item {
        const size_t i = reap_global_linear_id();
        const uint32_t theirs = shared[neighbour(REAP_THIS_ITEM)];
        reap_combine_at(bins, theirs, 100);
        reap_combine_at(latest, theirs, (uint32_t)i);
        reap_combine(items, 1);
    }
}

/* As little as possible beside the span: what a compiler would like to make vectors of. */
REAP_GROUP_KERNEL(count_in_phase, in(uint32_t, where), reduce_span(plus, uint32_t, bins))
{
    reap_for_each_item {
        reap_combine_at(bins, where[reap_global_linear_id()], 1);
    }
}

/* After a return of whole groups and a barrier, some items combine and others do not: what PoCL
 * compiles wrongly if there is another branch within. */
REAP_ND_KERNEL(count_odd_items, in(uint32_t, where), value(uint32_t, groups),
               reduce_span(plus, uint32_t, bins))
{
    if (reap_group_linear_id() >= groups)
        return;
    reap_barrier(REAP_LOCAL_SPACE);
    if (reap_local_linear_id() % 2 == 0)
        return;
    reap_combine_at(bins, where[reap_global_linear_id()], 1);
}
