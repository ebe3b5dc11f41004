/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that report which ids their items had: alone, beside reductions whose blocks differ in
 * width, beside a span.
 */
#include <reap/kernel.h>

/* One number from an item's ids. */
static uint64_t mixed(REAP_ITEM)
{
    const uint64_t id = reap_global_id(0) * 1000003u + reap_global_id(1) * 10007u +
                        reap_global_id(2) * 101u + reap_global_linear_id();
    return (id ^ id >> 7) * 0x9e3779b97f4a7c15u;
}

REAP_KERNEL(visit, out(uint64_t, numbers), inout(unsigned char, visits), value(size_t, planes),
            value(size_t, rows), value(size_t, columns), inout(unsigned char, wrong))
{
    const size_t i = reap_global_linear_id();
    numbers[i] = mixed(REAP_THIS_ITEM);
    visits[i]++;
    if (reap_global_range(0) != planes || reap_global_range(1) != rows ||
        reap_global_range(2) != columns || reap_global_linear_range() != planes * rows * columns)
        wrong[0] = 1;
}

REAP_KERNEL(sum_ids, reduce(plus, uint64_t, sum), reduce(bit_xor, uint64_t, bits))
{
    reap_combine(sum, mixed(REAP_THIS_ITEM));
    reap_combine(bits, mixed(REAP_THIS_ITEM));
}

typedef struct {
    uint64_t sum[4];
} four_sums;

REAP_OPERATOR(add_four, four_sums, reap_value(four_sums, {0, 0, 0, 0}), a, b)
{
    for (int d = 0; d < 4; d++)
        a.sum[d] += b.sum[d];
    return a;
}

REAP_KERNEL(sum_in_widths, reduce(plus, uint64_t, sum), reduce_with(add_four, four_sums, sums),
            reduce_location(maximum, uint64_t, most))
{
    reap_combine(sum, mixed(REAP_THIS_ITEM));
    reap_combine(sums, reap_value(four_sums, {reap_global_id(0), reap_global_id(1),
                                              reap_global_id(2), reap_global_linear_id()}));
    reap_combine(most, mixed(REAP_THIS_ITEM));
}

REAP_KERNEL(count_ids, reduce_span(plus, uint64_t, bins), reduce(plus, uint64_t, sum))
{
    reap_combine_at(bins, mixed(REAP_THIS_ITEM) % 10, 1);
    reap_combine(sum, mixed(REAP_THIS_ITEM));
}
