/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions whose bits do not depend on the order of combining, of one span and of several.
 */
#include <reap/kernel.h>

/* A byte is an index of every span of 256 elements or more. */
REAP_KERNEL(tally_bytes, in(uint8_t, at), reduce_span(plus, uint32_t, counts))
{
    reap_combine_at(counts, at[reap_global_id(0)], 1);
}

REAP_KERNEL(tally_shorts, in(uint16_t, at), reduce_span(plus, uint64_t, counts))
{
    const size_t i = reap_global_id(0);
    reap_combine_at(counts, at[i], (uint64_t)at[i] << 30);
}

/* None, one or several combinations by an item, in several spans. */
REAP_KERNEL(tally_words, in(uint32_t, at), in(uint8_t, times), reduce_span(maximum, int64_t, most),
            reduce_span(bit_xor, uint32_t, parities))
{
    const size_t i = reap_global_id(0);
    for (int k = 0; k < times[i]; k++)
        reap_combine_at(most, at[i] >> k, (int64_t)at[i] - (int64_t)(i % 1000));
    if (times[i] > 1)
        reap_combine_at(parities, at[i], 1u << (i % 32));
}

/* What comes in between. */
REAP_KERNEL(sum_of_words, in(uint32_t, at), reduce(plus, uint64_t, sum))
{
    reap_combine(sum, at[reap_global_id(0)]);
}
