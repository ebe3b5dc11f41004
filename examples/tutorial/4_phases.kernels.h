/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* The same in phases: a barrier follows each. */
REAP_GROUP_KERNEL(add_groups, in(int, values), out(int, partial), value(size_t, count),
                  local(int, scratch))
{
    reap_for_each_item {
        size_t at = 2 * reap_global_id(0);
        scratch[reap_local_id(0)] =
            (at < count ? values[at] : 0) + (at + 1 < count ? values[at + 1] : 0);
    }
    for (size_t half = reap_local_range(0) / 2; half > 0; half /= 2)
        reap_for_first_items(half) {
            scratch[reap_local_id(0)] += scratch[reap_local_id(0) + half];
        }
    reap_for_first_items(1) {
        partial[reap_group_id(0)] = scratch[0];
    }
}
