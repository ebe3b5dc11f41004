/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that count for the histograms of `reap describe`: how many numbers of a chunk are at
 * least an edge. From one edge to the next, that is how many are in a bin. For the few edges that a
 * histogram has, comparing with each takes less time than finding a number's own bin does, since
 * vectors of numbers are compared at once and nothing is looked up. A NaN is counted nowhere. A
 * work-item is an edge.
 */
#include <reap/kernel.h>

REAP_KERNEL(count_doubles_from, in(double, numbers), value(size_t, count), in(double, edges),
            out(uint64_t, counts))
{
    const double edge = edges[reap_global_id(0)];
    uint64_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += numbers[i] >= edge;
    counts[reap_global_id(0)] = found;
}

REAP_KERNEL(count_keys_from, in(uint64_t, numbers), value(size_t, count), in(uint64_t, edges),
            out(uint64_t, counts))
{
    const uint64_t edge = edges[reap_global_id(0)];
    uint64_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += numbers[i] >= edge;
    counts[reap_global_id(0)] = found;
}
