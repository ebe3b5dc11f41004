/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels for ranges and nd_ranges, and the same bodies as kernels of one kind.
 */
#include <reap/kernel.h>

/* Values whose sum and whose order show; items combine none, one or two of them. */
static inline float float_of(uint32_t x)
{
    return (float)(int32_t)x * 0x1p-20f;
}

REAP_OPERATOR_NO_IDENTITY(append_word, uint32_t, a, b)
{
    return 31 * a + b;
}

#define PARAMETERS                                                                                 \
    in(uint32_t, x), value(uint32_t, factor), out(uint64_t, ids), reduce(plus, float, sum),        \
        reduce_with(append_word, uint32_t, word), reduce_location(maximum, int, most),             \
        reduce(exact_plus, double, exact), reduce(maximum, reap_bfloat16, largest),                \
        identity(float, sum)

#define BODY                                                                                       \
    {                                                                                              \
        const size_t i = reap_global_linear_id();                                                  \
        ids[i] = reap_global_id(0) + 1000 * reap_global_id(1) + 1000000 * reap_global_id(2) +      \
                 reap_global_linear_range() * 1000000000;                                          \
        for (uint32_t k = 0; k < x[i] % 3; k++) {                                                  \
            reap_combine(sum, reap_identity(sum) + float_of(x[i] * factor + k));                   \
            reap_combine(word, x[i] + k);                                                          \
            reap_combine(most, (int)(x[i] >> 20));                                                 \
            reap_combine(exact, (double)x[i] * 1e-3);                                              \
            reap_combine(largest, reap_bfloat16_from_float(float_of(x[i])));                       \
        }                                                                                          \
    }

REAP_ANY_KERNEL(both, PARAMETERS) BODY REAP_KERNEL(over_range, PARAMETERS)
BODY REAP_ND_KERNEL(over_groups, PARAMETERS) BODY

    /* Array reductions, and no reductions. */
    REAP_ANY_KERNEL(both_spans, in(uint32_t, x), reduce_span(plus, uint32_t, counts),
                    reduce_span_with(append_word, uint32_t, words))
{
    const size_t i = reap_global_linear_id();
    reap_combine_at(counts, x[i] % 10, 1);
    reap_combine_at(words, x[i] % 10, x[i]);
}

REAP_ANY_KERNEL(both_plain, inout(uint32_t, x))
{
    x[reap_global_linear_id()] += 7;
}

/* In groups alone. */
static inline uint32_t rank_in_group(REAP_ITEM)
{
    return (uint32_t)reap_local_linear_id();
}

REAP_ANY_KERNEL(waits, inout(uint32_t, x), reduce(plus, uint32_t, sum))
{
    const uint32_t of_group = reap_group_reduce(plus, uint32_t, x[reap_global_id(0)]);
    reap_barrier(REAP_GLOBAL_SPACE);
    x[reap_global_id(0)] = of_group + rank_in_group(REAP_THIS_ITEM);
    reap_combine(sum, 1);
}
