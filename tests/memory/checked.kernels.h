/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that use elements outside of their arrays, and some that do not.
 */
#include <reap/kernel.h>

REAP_KERNEL(read_at, in(int16_t, x), value(int64_t, offset), reduce(plus, int64_t, sum))
{
    reap_combine(sum, x[(int64_t)reap_global_id(0) + offset]);
}

REAP_KERNEL(write_at, out(double, x), value(int64_t, offset))
{
    x[(int64_t)reap_global_id(0) + offset] = 1;
}

REAP_ND_KERNEL(read_in_groups, in(float, x), inout(float, y), value(int64_t, offset),
               local(float, tile))
{
    size_t item = reap_local_id(0);
    tile[item] = x[(int64_t)reap_global_id(0) + offset];
    reap_barrier(REAP_LOCAL_SPACE);
    y[reap_global_id(0)] = tile[reap_local_range(0) - 1 - item];
}

REAP_KERNEL(set_to, out(uint32_t, y), value(uint32_t, v))
{
    y[reap_global_id(0)] = v;
}

/* Takes long. */
REAP_KERNEL(turn, inout(uint32_t, state), value(uint32_t, turns))
{
    uint32_t v = state[reap_global_id(0)];
    for (uint32_t t = 0; t < turns; t++)
        v = v * 1664525u + 1013904223u;
    state[reap_global_id(0)] = v;
}

REAP_KERNEL(copy_and_count, in(int32_t, x), out(int32_t, y), inout(int32_t, z),
            reduce_location(maximum, int32_t, most), reduce_span(plus, int32_t, bins))
{
    size_t i = reap_global_id(0);
    y[i] = x[i];
    z[i] += x[i];
    reap_combine(most, x[i]);
    reap_combine_at(bins, (size_t)x[i] % 10, 1);
}
