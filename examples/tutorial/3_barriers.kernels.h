/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* Each group adds two numbers for each of its items, in local memory. */
REAP_ND_KERNEL(add_groups, in(int, values), out(int, partial), value(size_t, count),
               local(int, scratch))
{
    size_t item = reap_local_id(0), size = reap_local_range(0), at = 2 * reap_global_id(0);

    scratch[item] = (at < count ? values[at] : 0) + (at + 1 < count ? values[at + 1] : 0);
    reap_barrier(REAP_LOCAL_SPACE);

    for (size_t half = size / 2; half > 0; half /= 2) {
        if (item < half)
            scratch[item] += scratch[item + half];
        reap_barrier(REAP_LOCAL_SPACE);
    }
    if (item == 0)
        partial[reap_group_id(0)] = scratch[0];
}
