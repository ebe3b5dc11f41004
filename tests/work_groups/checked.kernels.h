/* SPDX-License-Identifier: Apache-2.0
 *
 * What checked execution shows: the order of items and groups, what local memory holds at first,
 * and what is written beside it.
 */
#include <reap/kernel.h>

/* Each item takes a number when its turn comes, and each group one when it begins. */
REAP_ND_KERNEL(number_items, inout(uint32_t, next), out(uint32_t, turns))
{
    turns[reap_global_linear_id()] = reap_atomic_fetch_add(&next[0], 1u);
}

REAP_GROUP_KERNEL(number_items_in_phase, inout(uint32_t, next), out(uint32_t, turns))
{
    reap_for_each_item {
        turns[reap_global_linear_id()] = reap_atomic_fetch_add(&next[0], 1u);
    }
}

/* An array reduction whose order does not show, so that groups are shuffled. */
REAP_ND_KERNEL(count_by_item, value(size_t, count), reduce_span(plus, uint32_t, bins),
               reduce(maximum, uint32_t, last))
{
    reap_combine_at(bins, reap_global_linear_id() * 7 % count, 1);
    reap_combine(last, (uint32_t)reap_global_linear_id());
}

REAP_GROUP_KERNEL(count_in_phase, value(size_t, count), reduce_span(plus, uint32_t, bins),
                  reduce(maximum, uint32_t, last))
{
    reap_for_each_item {
        reap_combine_at(bins, reap_global_linear_id() * 7 % count, 1);
        reap_combine(last, (uint32_t)reap_global_linear_id());
    }
}

REAP_ND_KERNEL(look_at_local, local(unsigned char, bytes), value(size_t, count),
               inout(uint32_t, found))
{
    const size_t item = reap_local_linear_id();
    if (item < count)
        found[reap_group_linear_id() * count + item] = bytes[item];
    reap_barrier(REAP_LOCAL_SPACE);
    if (item < count)
        bytes[item] = (unsigned char)reap_group_linear_id();
}

#define OVERRUN_PARAMETERS                                                                         \
    value(size_t, group), value(ptrdiff_t, at), value(int, second), reduce(plus, uint32_t, sum),   \
        local(uint16_t, words), local(double, numbers)

/* One group writes to element `at` of one of two arrays in local memory. */
static void write_there(REAP_ITEM, size_t group, ptrdiff_t at, int second,
                        REAP_LOCAL uint16_t *words, REAP_LOCAL double *numbers)
{
    if (reap_group_linear_id() != group || reap_local_linear_id() > 0)
        return;
    if (second)
        numbers[at] = 1;
    else
        words[at] = 1;
}

REAP_ND_KERNEL(overrun_by_item, OVERRUN_PARAMETERS)
{
    reap_combine(sum, 1);
    write_there(REAP_THIS_ITEM, group, at, second, words, numbers);
    reap_barrier(REAP_LOCAL_SPACE);
}

REAP_GROUP_KERNEL(overrun_in_phase, OVERRUN_PARAMETERS)
{
    reap_for_each_item {
        reap_combine(sum, 1);
        write_there(REAP_THIS_ITEM, group, at, second, words, numbers);
    }
}
