/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions that tests cut into parts: several of different widths and kinds beside each other, in
 * ranges and in work-groups. Items combine as often as an array says.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Neither associative nor commutative; the identity is not neutral. */
REAP_OPERATOR(part_chain, uint32_t, 7, a, b)
{
    return 31 * a + b;
}

typedef struct {
    uint32_t word[24];
} part_words; /* rows of 32 lanes */

REAP_OPERATOR_NO_IDENTITY(part_mix, part_words, a, b)
{
    part_words mixed;
    for (int k = 0; k < 24; k++)
        mixed.word[k] = 33 * a.word[k] + b.word[(k + 1) % 24];
    return mixed;
}

static inline part_words make_part_words(uint32_t x)
{
    part_words made;
    for (uint32_t k = 0; k < 24; k++)
        made.word[k] = x * (2 * k + 1);
    return made;
}

REAP_KERNEL(part_plain_sum, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

/* Leaves of two lengths, a location and an exact sum between them. */
REAP_KERNEL(part_everything, in(unsigned char, times), in(uint32_t, x), reduce(plus, float, sum),
            reduce_location(minimum, float, least), reduce_with(part_mix, part_words, mixed),
            reduce(exact_plus, double, exact), reduce_with(part_chain, uint32_t, chained),
            reduce_span(plus, uint32_t, counts), reduce_span(plus, float, sums),
            reduce_span(minimum, double, smallest))
{
    const size_t i = reap_global_linear_id();
    for (unsigned k = 0; k < times[i]; k++) {
        const uint32_t value = x[2 * i + k];
        const float number = (float)(int32_t)value * 0x1p-20f;
        reap_combine(sum, number);
        reap_combine(least, number);
        reap_combine(mixed, make_part_words(value));
        reap_combine(exact, (double)number * 0x1p-60);
        reap_combine(chained, value);
        reap_combine_at(counts, value % 61, value >> 16);
        reap_combine_at(sums, value % 61, number);
        reap_combine_at(smallest, value % 61, (double)number);
    }
}

/* The same without spans, and lanes of one width. */
REAP_KERNEL(part_uniform, in(unsigned char, times), in(uint32_t, x), reduce(plus, double, sum),
            reduce_location(maximum, int32_t, most), reduce(exact_plus, float, exact),
            reduce_with(part_chain, uint32_t, chained), reduce(multiplies, float, product))
{
    const size_t i = reap_global_linear_id();
    for (unsigned k = 0; k < times[i]; k++) {
        const int32_t value = (int32_t)x[2 * i + k];
        reap_combine(sum, (double)value * 0x1p-7);
        reap_combine(most, value / 1000);
        reap_combine(exact, (float)value * 0x1p-100f);
        reap_combine(chained, x[2 * i + k]);
        reap_combine(product, 1 + (float)(value >> 16) * 0x1p-17f);
    }
}

/* No order is needed. */
REAP_KERNEL(part_unordered, in(unsigned char, times), in(uint32_t, x),
            reduce_location(minimum, short, least), reduce(exact_plus, double, exact),
            reduce_span(plus, double, sums), reduce_span(maximum, float, largest))
{
    const size_t i = reap_global_linear_id();
    for (unsigned k = 0; k < times[i]; k++) {
        const uint32_t value = x[2 * i + k];
        reap_combine(least, (short)(value >> 16));
        reap_combine(exact, (double)(int32_t)value * 1e-30);
        reap_combine_at(sums, value % 61, (double)(int32_t)value * 1e-30);
        reap_combine_at(largest, value % 61, (float)(int32_t)value);
    }
}

REAP_ND_KERNEL(part_groups, in(unsigned char, times), in(uint32_t, x), reduce(plus, float, sum),
               reduce_location(minimum, float, least), reduce_with(part_mix, part_words, mixed),
               reduce(exact_plus, double, exact), reduce_span(plus, uint32_t, counts),
               local(uint32_t, given))
{
    const size_t i = reap_global_linear_id(), l = reap_local_linear_id();
    given[l] = x[2 * i];
    reap_barrier(REAP_LOCAL_SPACE);
    const uint32_t value = given[reap_local_range(0) - 1 - l];
    for (unsigned k = 0; k < times[i]; k++) {
        const float number = (float)(int32_t)(value + k) * 0x1p-20f;
        reap_combine(sum, number);
        reap_combine(least, number);
        reap_combine(mixed, make_part_words(value + k));
        reap_combine(exact, (double)number);
        reap_combine_at(counts, value % 61, 1);
    }
}

REAP_GROUP_KERNEL(part_phases, in(unsigned char, times), in(uint32_t, x), reduce(plus, float, sum),
                  reduce_with(part_chain, uint32_t, chained), reduce(maximum, int32_t, most))
{
    reap_for_each_item {
        const size_t i = reap_global_linear_id();
        for (unsigned k = 0; k < times[i]; k++) {
            reap_combine(sum, (float)(int32_t)x[2 * i + k] * 0x1p-20f);
            reap_combine(chained, x[2 * i + k]);
        }
    }
    reap_for_each_item {
        reap_combine(most, (int32_t)x[2 * reap_global_linear_id()]);
    }
}
