/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* y[i] is the mean of x[i - 1], x[i] and x[i + 1], within each group. */
REAP_ND_KERNEL(mean_with_barrier, in(float, x), out(float, y), local(float, tile))
{
    size_t item = reap_local_id(0), last = reap_local_range(0) - 1;
    tile[item] = x[reap_global_id(0)];
    reap_barrier(REAP_LOCAL_SPACE);
    float left = tile[item > 0 ? item - 1 : 0], right = tile[item < last ? item + 1 : last];
    y[reap_global_id(0)] = (left + tile[item] + right) / 3;
}

/* The same in phases. */
REAP_GROUP_KERNEL(mean_in_phases, in(float, x), out(float, y), local(float, tile))
{
    reap_for_each_item {
        tile[reap_local_id(0)] = x[reap_global_id(0)];
    }
    reap_for_each_item {
        size_t item = reap_local_id(0), last = reap_local_range(0) - 1;
        float left = tile[item > 0 ? item - 1 : 0], right = tile[item < last ? item + 1 : last];
        y[reap_global_id(0)] = (left + tile[item] + right) / 3;
    }
}
