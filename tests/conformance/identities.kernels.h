/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that read the identities of their reductions, of every kind.
 */
#include <reap/kernel.h>

typedef struct {
    float low, high;
    uint32_t count;
} extent;

REAP_OPERATOR(widen_extent, extent, reap_value(extent, 1e30f, -1e30f, 0), a, b)
{
    return reap_value(extent, a.low < b.low ? a.low : b.low, a.high < b.high ? b.high : a.high,
                      a.count + b.count);
}

/* The larger of two numbers. Each launch gives an identity, below which it has no numbers. */
REAP_OPERATOR_NO_IDENTITY(larger, uint32_t, a, b)
{
    return a < b ? b : a;
}

/* What a work-item reads. */
typedef struct {
    float sum, exact, exact_float;
    double exact_double;
    int32_t least;
    uint32_t largest, words;
    extent widened;
    double most;
    reap_bfloat16 products;
} identities;

/* A work-item combines several values by itself, from the identity on. */
static inline uint32_t largest_of_three(uint32_t largest, uint32_t x)
{
    for (uint32_t k = 0; k < 3; k++)
        largest = reap_operate(larger, largest, x >> k);
    return largest;
}

REAP_KERNEL(read_identities, in(uint32_t, x), out(identities, read), reduce(plus, float, sum),
            reduce(exact_plus, float, exact), reduce(minimum, int32_t, least),
            reduce_with(larger, uint32_t, largest), reduce_with(widen_extent, extent, widened),
            reduce_location(maximum, double, most),
            reduce_span(multiplies, reap_bfloat16, products),
            reduce_span_with(larger, uint32_t, words), identity(float, sum), identity(float, exact),
            identity(int32_t, least), identity(uint32_t, largest), identity(extent, widened),
            identity(double, most), identity(reap_bfloat16, products), identity(uint32_t, words))
{
    const size_t i = reap_global_id(0);
    read[i].sum = reap_identity(sum);
    read[i].exact = reap_identity(exact);
    read[i].exact_float = reap_known_identity(exact_plus, float);
    read[i].exact_double = reap_known_identity(exact_plus, double);
    read[i].least = reap_identity(least);
    read[i].largest = reap_identity(largest);
    read[i].words = reap_identity(words);
    read[i].widened = reap_identity(widened);
    read[i].most = reap_identity(most);
    read[i].products = reap_identity(products);
    reap_combine(exact, 1.0f + reap_identity(exact));
    reap_combine(largest, largest_of_three(reap_identity(largest), x[i]));
    reap_combine(widened, reap_operate(widen_extent, reap_identity(widened),
                                       reap_value(extent, (float)x[i], (float)x[i], 1)));
    reap_combine_at(words, i % 3, largest_of_three(reap_identity(words), x[i]));
}

/* In work-groups: before and after a barrier, and in phases. */
REAP_ND_KERNEL(read_in_groups, in(uint32_t, x), out(uint32_t, read),
               reduce_with(larger, uint32_t, largest), local(uint32_t, shared),
               identity(uint32_t, largest))
{
    const size_t i = reap_global_id(0), l = reap_local_id(0);
    shared[l] = reap_identity(largest);
    reap_barrier(REAP_LOCAL_SPACE);
    read[i] = shared[reap_local_range(0) - 1 - l];
    reap_combine(largest, largest_of_three(reap_identity(largest), x[i]));
}

REAP_GROUP_KERNEL(read_in_phases, in(uint32_t, x), out(uint32_t, read),
                  reduce_with(larger, uint32_t, largest), local(uint32_t, shared),
                  identity(uint32_t, largest))
{
    reap_for_each_item {
        shared[reap_local_id(0)] = reap_identity(largest);
    }
    reap_for_each_item {
        const size_t i = reap_global_id(0);
        read[i] = shared[reap_local_range(0) - 1 - reap_local_id(0)];
        reap_combine(largest, largest_of_three(reap_identity(largest), x[i]));
    }
}
