/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel with words of sub-groups that combines into a span whose order matters: the host takes
 * it, other devices refuse the whole file.
 */
#include <reap/kernel.h>

REAP_OPERATOR(multiply_odd, uint32_t, 1, a, b)
{
    return a * (b | 1);
}

REAP_ND_KERNEL(into_span, in(uint32_t, x), reduce_span_with(multiply_odd, uint32_t, bins))
{
    const uint32_t v = x[reap_global_id(0)];
    reap_combine_at(bins, v % 4, v);
    reap_combine_at(bins, 3, reap_sub_group_shuffle_xor(uint32_t, v, 1));
}
