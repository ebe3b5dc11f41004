/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions of 8 and 16 bits, whose order does not matter, beside sub-groups: devices refuse
 * these words in a file where they would have to count barriers.
 */
#include <reap/kernel.h>

REAP_ND_KERNEL(spread_narrow, in(uint32_t, where), reduce_span(plus, uint8_t, sums),
               reduce_span(multiplies, int16_t, products), reduce_span(minimum, int8_t, least),
               reduce_span(maximum, uint16_t, most), reduce_span(bit_xor, bool, parities),
               reduce_span(logical_and, bool, all), reduce_span(minimum, reap_half, lowest),
               reduce_span(maximum, reap_bfloat16, highest))
{
    const size_t i = reap_global_linear_id();
    const uint32_t first = reap_sub_group_broadcast(uint32_t, where[i], 0);
    const uint32_t v = where[i] * 40503u + first;
    reap_combine_at(sums, where[i], (uint8_t)v);
    reap_combine_at(products, where[i], (int16_t)(v | 1));
    reap_combine_at(least, where[i], (int8_t)v);
    reap_combine_at(most, where[i], (uint16_t)(v >> 2));
    reap_combine_at(parities, where[i], v % 2 == 1);
    reap_combine_at(all, where[i], v % 16 != 3);
    reap_combine_at(lowest, where[i], reap_half_from_float((float)(v % 256) - 100.0f));
    reap_combine_at(highest, where[i], reap_bfloat16_from_float((float)(v % 256) - 100.0f));
}
