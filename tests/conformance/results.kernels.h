/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of each kind, whose variables are given as .variable and as .result.
 */
#include <reap/kernel.h>

REAP_OPERATOR(larger_word, uint32_t, 0, a, b)
{
    return a > b ? a : b;
}

REAP_OPERATOR_NO_IDENTITY(smaller_word, uint32_t, a, b)
{
    return a < b ? a : b;
}

REAP_KERNEL(all_kinds, in(uint32_t, x), reduce(plus, uint32_t, sum),
            reduce_with(larger_word, uint32_t, largest),
            reduce_with(smaller_word, uint32_t, smallest),
            reduce_location(minimum, uint32_t, least), reduce_span(plus, uint32_t, bins))
{
    const uint32_t value = x[reap_global_id(0)];
    reap_combine(sum, value);
    reap_combine(largest, value);
    reap_combine(smallest, value);
    reap_combine(least, value);
    reap_combine_at(bins, value % 4, value);
}

REAP_KERNEL(sum_twice, in(uint32_t, x), reduce(plus, float, sum), reduce(exact_plus, double, total),
            reduce(exact_plus, float, rest))
{
    const uint32_t value = x[reap_global_id(0)] % 16;
    reap_combine(sum, (float)value);
    reap_combine(total, value);
    reap_combine(rest, (float)value);
}
