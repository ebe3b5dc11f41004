/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

enum { SLICE = 1024 };

/* The sum of each slice. */
REAP_KERNEL(add_slices, in(int, values), value(size_t, count), out(int64_t, sums))
{
    size_t first = reap_global_id(0) * SLICE, end = first + SLICE < count ? first + SLICE : count;
    int64_t sum = 0;
    for (size_t i = first; i < end; i++)
        sum += values[i];
    sums[reap_global_id(0)] = sum;
}

/* For one work-item: the sum of each slice becomes that of all before it. */
REAP_KERNEL(scan_sums, inout(int64_t, sums), value(size_t, slices))
{
    int64_t before = 0;
    for (size_t slice = 0; slice < slices; slice++) {
        int64_t sum = sums[slice];
        sums[slice] = before;
        before += sum;
    }
}

/* Each slice, from the sum of all before it on. */
REAP_KERNEL(scan_slices, in(int, values), value(size_t, count), in(int64_t, sums),
            out(int64_t, scanned))
{
    size_t first = reap_global_id(0) * SLICE, end = first + SLICE < count ? first + SLICE : count;
    int64_t sum = sums[reap_global_id(0)];
    for (size_t i = first; i < end; i++) {
        sum += values[i];
        scanned[i] = sum;
    }
}
