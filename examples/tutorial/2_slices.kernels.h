/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* Every item adds a slice of the numbers. */
REAP_KERNEL(add_slices, in(int, values), out(int, partial), value(size_t, count))
{
    size_t length = (count + reap_global_range(0) - 1) / reap_global_range(0);
    size_t begin = reap_global_id(0) * length;
    size_t end = begin + length < count ? begin + length : count;
    int sum = 0;
    for (size_t i = begin; i < end; i++)
        sum += values[i];
    partial[reap_global_id(0)] = sum;
}
