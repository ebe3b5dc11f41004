/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels for ranges that 32 bits cannot count. They read nothing, so that the time is theirs.
 */
#include <reap/kernel.h>

REAP_KERNEL(count_far, value(uint64_t, far), reduce(plus, uint64_t, count),
            reduce(plus, uint64_t, sum), reduce(maximum, uint64_t, last), reduce(plus, float, ones),
            reduce_location(maximum, float, place))
{
    const uint64_t i = reap_global_linear_id();
    reap_combine(count, 1);
    reap_combine(sum, i);
    reap_combine(last, i);
    reap_combine(ones, 1.0f);
    reap_combine(place, i == far ? 1.0f : 0.0f);
}

REAP_KERNEL(count_planes, reduce(plus, uint64_t, sum), reduce_span(plus, uint32_t, bins))
{
    reap_combine(sum, reap_global_id(1) % 2 + 2 * reap_global_id(0));
    if (reap_global_id(2) == 0)
        reap_combine_at(bins, reap_global_id(1) % 3, 1);
}

/* Over ranges of one dimension, and of one row. */
REAP_KERNEL(sum_ids, reduce(plus, uint64_t, sum))
{
    reap_combine(sum, (uint64_t)(reap_global_id(0) + reap_global_id(1)));
}

/* Writes the ids from `begin` on. */
REAP_KERNEL(write_ids, value(uint64_t, begin), value(uint64_t, count), out(uint64_t, ids))
{
    const uint64_t i = reap_global_id(0) + reap_global_id(1);
    if (i >= begin && i - begin < count)
        ids[i - begin] = i;
}
