/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(by_key_int, in(uint32_t, keys), in(int, values), reduce_span(plus, int, sums))
{
    size_t i = reap_global_id(0);
    reap_combine_at(sums, keys[i], values[i]);
}

/* Exact sums. */
REAP_KERNEL(by_key_float, in(uint32_t, keys), in(float, values), reduce_span(plus, float, sums))
{
    size_t i = reap_global_id(0);
    reap_combine_at(sums, keys[i], values[i]);
}
