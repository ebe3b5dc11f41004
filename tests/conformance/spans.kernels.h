/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions of many types and operators. An item combines two values, each into an element
 * of its own; the number NOWHERE means none.
 */
#include <reap/kernel.h>

#define NOWHERE 0xffffffffu

typedef struct {
    uint32_t low, middle, high;
} triple;

/* Neither associative nor commutative, without identity. */
REAP_OPERATOR_NO_IDENTITY(mix_triples, triple, a, b)
{
    return reap_value(triple, 31 * a.low + b.middle, 33 * a.middle + b.high, 37 * a.high + b.low);
}

REAP_OPERATOR_NO_IDENTITY(meet, float, a, b)
{
    return (a + b) * 0.5f;
}

REAP_KERNEL(floating_spans, in(uint32_t, at), in(float, x), reduce_span(plus, float, sums),
            reduce_span(plus, double, wides), reduce_span(plus, reap_half, halves),
            reduce_span(multiplies, float, products), reduce_span(minimum, double, least),
            reduce_span(plus, reap_bfloat16, bfloat16s), reduce(plus, float, total))
{
    const size_t i = reap_global_linear_id();
    for (size_t k = 2 * i; k < 2 * i + 2; k++) {
        if (at[k] == NOWHERE)
            continue;
        reap_combine_at(sums, at[k], x[k]);
        reap_combine_at(wides, at[k], (double)x[k]);
        reap_combine_at(halves, at[k], reap_half_from_float(x[k]));
        reap_combine_at(bfloat16s, at[k], reap_bfloat16_from_float(x[k]));
        reap_combine_at(products, at[k], x[k]);
        reap_combine_at(least, at[k], (double)x[k]);
        reap_combine(total, x[k]);
    }
}

REAP_KERNEL(exact_spans, in(uint32_t, at), in(uint32_t, x), reduce_span(plus, uint32_t, counts),
            reduce_span(plus, unsigned char, bytes), reduce_span(maximum, int64_t, most),
            reduce_span(bit_xor, unsigned short, parities), reduce_span(logical_or, bool, some))
{
    const size_t i = reap_global_linear_id();
    for (size_t k = 2 * i; k < 2 * i + 2; k++) {
        if (at[k] == NOWHERE)
            continue;
        reap_combine_at(counts, at[k], 1);
        reap_combine_at(bytes, at[k], (unsigned char)x[k]);
        reap_combine_at(most, at[k], (int64_t)x[k] - 7);
        reap_combine_at(parities, at[k], (unsigned short)x[k]);
        reap_combine_at(some, at[k], (bool)(x[k] & 1));
    }
}

/* A span without identity beside a scalar without and one with, and a shorter span. */
REAP_KERNEL(spans_without_identity, in(uint32_t, at), in(uint32_t, x),
            reduce_span_with(mix_triples, triple, mixed), reduce_span_with(meet, float, middles),
            reduce_with(meet, float, middle), reduce(plus, float, total),
            reduce_span(plus, float, few))
{
    const size_t i = reap_global_linear_id();
    for (size_t k = 2 * i; k < 2 * i + 2; k++) {
        const float value = (float)(int32_t)x[k] * 0x1p-20f;
        if (at[k] == NOWHERE)
            continue;
        reap_combine_at(mixed, at[k], reap_value(triple, x[k], x[k] + 1, x[k] * 3));
        reap_combine_at(middles, at[k], value);
        reap_combine(middle, value);
        reap_combine(total, value);
        reap_combine_at(few, at[k] % 3, value);
    }
}

/* One item, of a number that the launch gives, combines outside the span. */
REAP_KERNEL(outside, in(uint32_t, at), value(uint64_t, faulty_item), value(size_t, faulty_index),
            reduce_span(plus, uint32_t, counts), reduce(plus, uint64_t, total),
            reduce_with(meet, float, middle), reduce_span_with(meet, float, middles))
{
    const size_t i = reap_global_linear_id();
    reap_combine_at(middles, at[i], 1.5f);
    reap_combine_at(counts, i == faulty_item ? faulty_index : at[i], 1);
    reap_combine(total, 1);
    reap_combine(middle, 2.5f);
}

/* For the rules: one span of each kind of operator. */
REAP_KERNEL(count_at, in(uint32_t, at), reduce_span(plus, uint32_t, counts))
{
    reap_combine_at(counts, at[reap_global_linear_id()], 1);
}

REAP_KERNEL(ruled_spans, in(uint32_t, at), in(float, x), reduce_span(plus, float, sums),
            reduce_span(multiplies, int, products), reduce_span_with(meet, float, middles))
{
    const size_t i = reap_global_linear_id();
    if (at[i] == NOWHERE)
        return;
    reap_combine_at(sums, at[i], x[i]);
    reap_combine_at(products, at[i], 3);
    reap_combine_at(middles, at[i], x[i]);
}

/* Minimum and maximum of the odd items. */
REAP_KERNEL(odd_extremes, in(float, x), reduce_span(minimum, float, least),
            reduce_span(maximum, reap_half, most))
{
    const size_t i = reap_global_id(0);
    if (i % 2 == 0)
        return;
    reap_combine_at(least, i, x[i]);
    reap_combine_at(most, i, reap_half_from_float(x[i]));
}
