/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions whose order matters, in kernels over ranges: item i combines times[i] values,
 * each into an element of its own. What is written to an array shows whether a kernel ran twice.
 */
#include <reap/kernel.h>

typedef struct trail {
    uint64_t hash;
    uint32_t count, last;
} trail;

/* It changes with every value that comes, and with their order. */
REAP_OPERATOR_NO_IDENTITY(follow_trail, trail, a, b)
{
    return reap_value(trail, a.hash * 31 + b.hash, a.count + b.count, b.last);
}

REAP_OPERATOR(append_word, uint64_t, 0, a, b)
{
    return b == 0 ? a : a == 0 ? b : a * 1000003 + b;
}

/* The k-th value of an item: where, and what. */
static inline uint32_t number_of(size_t item, uint32_t k)
{
    return ((uint32_t)item * 2654435761u + k * 40503u) ^ ((uint32_t)item >> 7);
}

/* spread: 0 is all into the middle, 1 few into the first ones, else everywhere. */
static inline size_t element_of(size_t item, uint32_t k, uint32_t spread, size_t length)
{
    const uint32_t number = number_of(item, k);
    if (spread == 0)
        return length / 2;
    return spread == 1 && number % 8 != 0 ? number % 5 % length : (number >> 3) % length;
}

/* Beside them a span and a sum that are exact, a span of integers, and a rounded sum. */
REAP_KERNEL(trails, in(uint8_t, times), value(uint32_t, spread), value(size_t, length),
            value(uint64_t, faulty_item), inout(uint32_t, visits),
            reduce_span_with(follow_trail, trail, traces), reduce_span(multiplies, float, products),
            reduce_span(plus, double, sums), reduce_span(plus, uint32_t, counts),
            reduce(exact_plus, double, total), reduce(plus, float, rounded))
{
    const size_t i = reap_global_linear_id();
    visits[i] = visits[i] * 3 + 1;
    reap_combine(rounded, (float)number_of(i, 9));
    for (uint32_t k = 0; k < times[i]; k++) {
        const size_t at = element_of(i, k, spread, length);
        const uint32_t number = number_of(i, k);
        reap_combine_at(traces, at, reap_value(trail, number, 1, (uint32_t)i * 4 + k));
        if (k % 2 == 0)
            reap_combine_at(products, at, 1.0f + (float)(number % 1000) * 0x1p-12f);
        reap_combine_at(sums, at, (double)number * 1.0e-3);
        reap_combine_at(counts, i == faulty_item ? length : at, 1);
        reap_combine(total, (double)number * 1.0e-5);
    }
}

/* In work-groups, before and after a barrier. */
REAP_ND_KERNEL(trails_of_groups, in(uint8_t, times), value(uint32_t, spread), value(size_t, length),
               inout(uint32_t, visits), reduce_span_with(follow_trail, trail, traces),
               reduce_span(plus, reap_half, halves),
               reduce_span(multiplies, reap_bfloat16, bfloat16s), reduce(exact_plus, double, total))
{
    const size_t i = reap_global_linear_id();
    visits[i] = visits[i] * 3 + 1;
    for (uint32_t k = 0; k < times[i]; k++)
        reap_combine_at(traces, element_of(i, k, spread, length),
                        reap_value(trail, number_of(i, k), 1, (uint32_t)i));
    reap_barrier(REAP_LOCAL_SPACE);
    reap_combine(total, (double)times[i]);
    reap_combine_at(halves, element_of(i, 99, spread, length),
                    reap_half_from_float((float)(number_of(i, 7) % 64) * 0.125f));
    reap_combine_at(bfloat16s, element_of(i, 98, spread, length),
                    reap_bfloat16_from_float(1.0f + (float)(number_of(i, 6) % 64) * 0.001f));
    if (times[i] > 1)
        reap_combine_at(traces, element_of(i, 3, spread, length),
                        reap_value(trail, number_of(i, 5), 1, (uint32_t)i));
}

/* Launches may give an identity, and set elements to it. */
REAP_KERNEL(words_in_order, value(size_t, length), reduce_span_with(append_word, uint64_t, words),
            reduce_span(maximum, reap_half, largest), reduce_span(minimum, reap_bfloat16, smallest))
{
    const size_t i = reap_global_linear_id();
    if (i % 3 == 0)
        return;
    reap_combine_at(words, i * 7 % length, i + 1);
    reap_combine_at(largest, i * 5 % length, reap_half_from_float((float)(i % 100)));
    reap_combine_at(smallest, i * 5 % length, reap_bfloat16_from_float(-(float)(i % 100)));
}
