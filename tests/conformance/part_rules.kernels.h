/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels for what parts refuse, and a few that differ from them in one thing.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

REAP_OPERATOR_NO_IDENTITY(rule_last, uint32_t, a, b)
{
    (void)a;
    return b;
}

REAP_KERNEL(rule_sum, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(rule_other, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(rule_two, in(float, x), reduce(plus, float, sum), reduce(maximum, float, most))
{
    reap_combine(sum, x[reap_global_id(0)]);
    reap_combine(most, x[reap_global_id(0)]);
}

REAP_KERNEL(rule_last_of, in(uint32_t, x), reduce_with(rule_last, uint32_t, last))
{
    reap_combine(last, x[reap_global_id(0)]);
}

REAP_KERNEL(rule_least, in(float, x), reduce_location(minimum, float, least))
{
    reap_combine(least, x[reap_global_id(0)]);
}

REAP_KERNEL(rule_exact, in(float, x), reduce(exact_plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(rule_bins, in(uint32_t, x), reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, x[reap_global_id(0)], 1);
}

REAP_KERNEL(rule_sums, in(float, x), reduce_span(plus, float, sums))
{
    reap_combine_at(sums, reap_global_id(0) % 3, x[reap_global_id(0)]);
}

/* Values outside are found where items run one by one, too. */
REAP_KERNEL(rule_both, in(uint32_t, x), reduce(plus, float, sum), reduce_span(plus, uint32_t, bins))
{
    reap_combine(sum, (float)x[reap_global_id(0)]);
    reap_combine_at(bins, x[reap_global_id(0)], 1);
}

REAP_KERNEL(rule_products, in(uint32_t, x), reduce_span(multiplies, float, products))
{
    reap_combine_at(products, x[reap_global_id(0)], 2);
}

REAP_GROUP_KERNEL(rule_groups, in(float, x), reduce(plus, float, sum))
{
    reap_for_each_item {
        reap_combine(sum, x[reap_global_id(0)]);
    }
}

REAP_KERNEL(rule_none, out(float, x))
{
    x[reap_global_id(0)] = 1;
}
