/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

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
        reap_for_first_items((size - stride + 2 * stride - 1) / (2 * stride)) {
            size_t left = 2 * stride * reap_local_id(0);
            scratch[left] += scratch[left + stride];
        }
    }
    reap_for_first_items(1)
        partial[reap_group_id(0)] = scratch[0];
}
