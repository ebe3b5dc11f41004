/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose parameters are larger than devices take by value: by many array reductions, or by
 * values.
 */
#include <reap/kernel.h>

/* 20 array reductions, 4 of which are exact. */
REAP_KERNEL(many_spans, in(uint32_t, x), reduce_span(plus, uint32_t, a0),
            reduce_span(plus, uint32_t, a1), reduce_span(plus, uint32_t, a2),
            reduce_span(plus, uint32_t, a3), reduce_span(plus, uint32_t, a4),
            reduce_span(plus, uint32_t, a5), reduce_span(plus, uint32_t, a6),
            reduce_span(plus, uint32_t, a7), reduce_span(maximum, uint32_t, b0),
            reduce_span(maximum, uint32_t, b1), reduce_span(maximum, uint32_t, b2),
            reduce_span(maximum, uint32_t, b3), reduce_span(maximum, uint32_t, b4),
            reduce_span(maximum, uint32_t, b5), reduce_span(maximum, uint32_t, b6),
            reduce_span(maximum, uint32_t, b7), reduce_span(plus, double, c0),
            reduce_span(plus, double, c1), reduce_span(plus, double, c2),
            reduce_span(plus, double, c3))
{
    const uint32_t v = x[reap_global_id(0)];
    reap_combine_at(a0, v % 1, v);
    reap_combine_at(a1, v % 2, v);
    reap_combine_at(a2, v % 3, v);
    reap_combine_at(a3, v % 4, v);
    reap_combine_at(a4, v % 5, v);
    reap_combine_at(a5, v % 6, v);
    reap_combine_at(a6, v % 7, v);
    reap_combine_at(a7, v % 8, v);
    reap_combine_at(b0, v % 1, v % 1000);
    reap_combine_at(b1, v % 2, v % 1001);
    reap_combine_at(b2, v % 3, v % 1002);
    reap_combine_at(b3, v % 4, v % 1003);
    reap_combine_at(b4, v % 5, v % 1004);
    reap_combine_at(b5, v % 6, v % 1005);
    reap_combine_at(b6, v % 7, v % 1006);
    reap_combine_at(b7, v % 8, v % 1007);
    reap_combine_at(c0, v % 1, 0.5 * v);
    reap_combine_at(c1, v % 2, 0.5 * v);
    reap_combine_at(c2, v % 3, 0.5 * v);
    reap_combine_at(c3, v % 4, 0.5 * v);
}

/* Values of 2048 bytes in all. */
struct words_of_64 {
    uint32_t at[64];
};

REAP_KERNEL(many_values, in(uint32_t, x), value(struct words_of_64, v0),
            value(struct words_of_64, v1), value(struct words_of_64, v2),
            value(struct words_of_64, v3), value(struct words_of_64, v4),
            value(struct words_of_64, v5), value(struct words_of_64, v6),
            value(struct words_of_64, v7), out(uint32_t, y), reduce(plus, uint64_t, sum))
{
    const uint32_t i = x[reap_global_id(0)] % 64;
    const uint32_t v =
        v0.at[i] + v1.at[i] + v2.at[i] + v3.at[i] + v4.at[i] + v5.at[i] + v6.at[i] + v7.at[i];
    y[reap_global_id(0)] = v;
    reap_combine(sum, v);
}

/* One of 4400 bytes, in kernels with each kind of entry functions: with an array reduction by an
 * operator of the program; into a part, where single items are logged; over work-groups; of rows.
 */
struct table {
    uint32_t at[1100];
};

REAP_OPERATOR(product, uint32_t, 1, a, b)
{
    return a * b;
}

REAP_KERNEL(table_in_order, in(uint32_t, x), value(struct table, table),
            reduce_span_with(product, uint32_t, products), reduce(plus, uint64_t, sum))
{
    const uint32_t v = table.at[x[reap_global_id(0)] % 1100];
    reap_combine_at(products, v % 5, 2 * v + 1);
    reap_combine(sum, v);
}

REAP_KERNEL(table_in_a_part, in(uint32_t, x), value(struct table, table),
            reduce(plus, uint64_t, sum))
{
    reap_combine(sum, table.at[x[reap_global_id(0)] % 1100]);
}

REAP_ND_KERNEL(table_in_groups, in(uint32_t, x), value(struct table, table), out(uint32_t, y),
               local(uint32_t, shared), reduce(plus, uint64_t, sum))
{
    shared[reap_local_id(0)] = table.at[x[reap_global_id(0)] % 1100];
    reap_barrier(REAP_LOCAL_SPACE);
    const uint32_t v = shared[reap_local_range(0) - 1 - reap_local_id(0)];
    y[reap_global_id(0)] = v;
    reap_combine(sum, v);
}

REAP_KERNEL(table_in_rows, in(uint32_t, x), value(struct table, table),
            reduce_rows(plus, uint64_t, sums))
{
    reap_combine(sums, table.at[x[reap_global_linear_id()] % 1100]);
}

/* More than any launch on a device takes. */
struct large_table {
    uint32_t at[2100];
};

REAP_KERNEL(too_large_a_table, value(struct large_table, table), reduce(plus, uint64_t, sum))
{
    reap_combine(sum, table.at[reap_global_id(0)]);
}
