/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose work-items wait for each other, by barriers and between phases.
 */
#include <reap/kernel.h>

REAP_ND_KERNEL(reverse, in(int, values), out(int, reversed), inout(int, groups), local(int, own),
               reduce_span(minimum, int, least))
{
    const size_t item = reap_local_id(0);
    own[item] = values[reap_global_id(0)];
    reap_barrier(REAP_LOCAL_SPACE);
    if (item == 0)
        reap_atomic_fetch_add(&groups[0], 1);
    reversed[reap_global_id(0)] = own[reap_local_range(0) - 1 - item];
    reap_combine_at(least, 0, own[item]);
}

REAP_GROUP_KERNEL(take_least, in(int, values), out(int, taken))
{
    reap_item_private(int, least);
    reap_sub_groups_reduce(minimum, int, least, values[reap_global_id(0)]);
    reap_for_each_item {
        taken[reap_global_id(0)] = reap_private(least);
    }
}
