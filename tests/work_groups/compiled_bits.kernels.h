/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

typedef struct bits {
    int low : 3;
} bits;

REAP_ND_KERNEL(of_bits, in(uint32_t, x), out(uint32_t, y), value(uint32_t, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    bits own = {3};
    shared[l] = x[i] + (uint32_t)own.low;
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = by + shared[reap_local_range(0) - 1 - l];
}
