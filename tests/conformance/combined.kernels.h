/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the test of combined devices.
 */
#include <reap/kernel.h>

/* Not associative, so that the order shows. */
REAP_OPERATOR(digits, uint64_t, 7, a, b)
{
    return a * 1000003u + b;
}

/* Reductions of every kind; a table of which each item may use any element. */
REAP_KERNEL(combined_all, in(float, x), in(uint32_t, table), out(float, y), inout(uint32_t, z),
            reduce(plus, float, sum), reduce(exact_plus, double, exact),
            reduce_location(minimum, float, least), reduce_with(digits, uint64_t, number),
            reduce_span(plus, uint32_t, counts), reduce_span(plus, float, sums))
{
    size_t i = reap_global_id(0);
    const uint32_t key = table[(i * 7u) % 97u];
    y[i] = x[i] * 2.0f + (float)key;
    z[3 * i] += key;
    z[3 * i + 2] ^= (uint32_t)i;
    reap_combine(sum, x[i]);
    reap_combine(exact, x[i]);
    reap_combine(least, x[i]);
    if (key % 3 != 0)
        reap_combine(number, (uint64_t)i + key);
    reap_combine_at(counts, key % 61u, 1);
    reap_combine_at(sums, key % 61u, x[i]);
}

REAP_KERNEL(combined_plain, in(float, x), out(float, y))
{
    size_t i = reap_global_id(0);
    y[i] = x[i] + (float)(i % 1000u);
}

REAP_KERNEL(combined_after, in(float, x), inout(float, y))
{
    size_t i = reap_global_id(0);
    y[2 * i] = y[2 * i] * 0.5f + x[2 * i];
}

/* Reads what other items wrote. */
REAP_KERNEL(combined_far, in(float, x), value(uint64_t, count), reduce(plus, double, sum))
{
    size_t i = reap_global_id(0);
    reap_combine(sum, (double)x[(i + count / 2) % count] * (double)(i % 10u));
}

REAP_KERNEL(combined_2d, in(float, x), reduce(plus, float, sum),
            reduce_location(maximum, float, most))
{
    size_t i = reap_global_id(0) * reap_global_range(1) + reap_global_id(1);
    reap_combine(sum, x[i] * (float)(reap_global_id(1) % 7u));
    reap_combine(most, x[i]);
}

REAP_KERNEL(combined_index, in(uint32_t, index), reduce(plus, uint32_t, sum),
            reduce_span(plus, uint32_t, counts))
{
    reap_combine(sum, 1);
    reap_combine_at(counts, index[reap_global_id(0)], 1);
}

/* Groups exchange values, and write who they are. */
REAP_ND_KERNEL(combined_groups, in(float, x), inout(uint32_t, who), local(float, near),
               reduce(plus, float, sum), reduce_location(maximum, float, most),
               reduce_with(digits, uint64_t, number), reduce_span(plus, uint32_t, counts))
{
    const size_t i = reap_global_linear_id(), l = reap_local_linear_id();
    const size_t n = reap_local_range(0) * reap_local_range(1);
    near[l] = x[i];
    reap_barrier(REAP_LOCAL_SPACE);
    const float other = near[(l + 1) % n];
    who[i] += (uint32_t)(reap_group_linear_id() * 3u + reap_group_id(0) * 5u + l);
    reap_combine(sum, x[i] * other);
    reap_combine(most, other);
    if (l % 3 == 1)
        reap_combine(number, (uint64_t)reap_global_id(0));
    reap_combine_at(counts, reap_group_linear_id() % 61u, 1);
}

/* Two reductions with leaves of different lengths; many values of an item. */
typedef struct combined_wide {
    uint32_t word[24];
} combined_wide;

REAP_OPERATOR_NO_IDENTITY(wide_digits, combined_wide, a, b)
{
    combined_wide both;
    for (int k = 0; k < 24; k++)
        both.word[k] = 33u * a.word[k] + b.word[k];
    return both;
}

REAP_KERNEL(combined_leaves, in(float, x), reduce(plus, float, sum),
            reduce_with(wide_digits, combined_wide, wide), reduce_span(plus, uint8_t, counts))
{
    const size_t i = reap_global_id(0);
    combined_wide own;
    for (uint32_t k = 0; k < 20u; k++)
        reap_combine(sum, x[i] * (float)k);
    for (uint32_t k = 0; k < 24u; k++)
        own.word[k] = (uint32_t)i * (k + 1u);
    reap_combine(wide, own);
    reap_combine_at(counts, i % 7u, 1);
}

/* Not divided. */
REAP_KERNEL(combined_rows, in(float, x), reduce_rows(plus, float, sum),
            reduce_rows(exact_plus, float, exact))
{
    reap_combine(sum, x[reap_global_linear_id()]);
    reap_combine(exact, x[reap_global_linear_id()]);
}
