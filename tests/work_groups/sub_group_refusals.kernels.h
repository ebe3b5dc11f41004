/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that misuse words of sub-groups: broadcasts of an item that is not there, or of different
 * ones; a word in a kernel without work-groups.
 */
#include <reap/kernel.h>

#define REFUSED in(uint32_t, x), out(uint32_t, y), value(size_t, bad), reduce(plus, uint64_t, sum)

REAP_ND_KERNEL(no_such_lane, REFUSED)
{
    reap_combine(sum, 1);
    y[reap_global_linear_id()] = reap_sub_group_broadcast(uint32_t, x[reap_global_linear_id()],
                                                          reap_sub_group_id() == bad ? 32 : 0);
}

REAP_ND_KERNEL(two_lanes, REFUSED)
{
    reap_combine(sum, 1);
    y[reap_global_linear_id()] =
        reap_sub_group_broadcast(uint32_t, x[reap_global_linear_id()],
                                 reap_sub_group_id() == bad && reap_sub_group_leader() ? 1 : 0);
}

static uint32_t ask(REAP_ITEM, uint32_t v)
{
    return reap_sub_group_reduce(plus, uint32_t, v);
}

REAP_KERNEL(without_groups, REFUSED)
{
    reap_combine(sum, 1);
    y[reap_global_id(0)] = bad < 100 ? ask(REAP_THIS_ITEM, x[reap_global_id(0)]) : 1;
}
