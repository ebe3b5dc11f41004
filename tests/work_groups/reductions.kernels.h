/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of every kind in a kernel with barriers and in one with phases, which have the same
 * parameters and combine the same values: an item its own input before the barrier, and its
 * neighbour's, which has come through local memory, after it; none, one or both of them.
 */
#include <reap/kernel.h>

enum { FEW_WORDS = 12, MANY_WORDS = 24 };

typedef struct {
    uint16_t word[FEW_WORDS];
} few_words;

typedef struct {
    uint16_t word[MANY_WORDS];
} many_words;

REAP_OPERATOR_NO_IDENTITY(chain_words, uint32_t, a, b)
{
    return 31 * a + b;
}

REAP_OPERATOR(blend_words, few_words, reap_value(few_words, {0x5a3c}), a, b)
{
    few_words blended;
    for (size_t k = 0; k < FEW_WORDS; k++)
        blended.word[k] = (uint16_t)(31u * a.word[k] + b.word[k]);
    return blended;
}

REAP_OPERATOR_NO_IDENTITY(mix_words, many_words, a, b)
{
    many_words mixed;
    for (size_t k = 0; k < MANY_WORDS; k++) {
        const unsigned rotated = (unsigned)a.word[k] << 5 | (unsigned)a.word[k] >> 11;
        mixed.word[k] = (uint16_t)(rotated * 40503u + (b.word[k] ^ b.word[(k + 1) % MANY_WORDS]));
    }
    return mixed;
}

static few_words make_few_words(uint32_t seed)
{
    few_words made;
    for (uint32_t k = 0; k < FEW_WORDS; k++)
        made.word[k] = (uint16_t)(seed * (2 * k + 1) + k);
    return made;
}

static many_words make_many_words(uint32_t seed)
{
    many_words made;
    for (uint32_t k = 0; k < MANY_WORDS; k++)
        made.word[k] = (uint16_t)(seed * (2 * k + 3) + k);
    return made;
}

#define REDUCERS                                                                                   \
    reap_reducer(plus, float, sum), reap_reducer(plus, double, wide),                              \
        reap_reducer(multiplies, int, product), reap_reducer(bit_xor, uint8_t, parity),            \
        reap_reducer(chain_words, uint32_t, chained),                                              \
        reap_reducer(blend_words, few_words, blended), reap_reducer(mix_words, many_words, mixed), \
        reap_location_reducer(maximum, float, peak)

#define PASSED                                                                                     \
    reap_pass(sum), reap_pass(wide), reap_pass(product), reap_pass(parity), reap_pass(chained),    \
        reap_pass(blended), reap_pass(mixed), reap_pass(peak)

static void combine_all(REAP_ITEM, float v, uint32_t seed, REDUCERS)
{
    reap_combine(sum, v);
    reap_combine(wide, (double)v * 1.5);
    reap_combine(product, (int)(seed | 1));
    reap_combine(parity, (uint8_t)seed);
    reap_combine(chained, seed);
    reap_combine(blended, make_few_words(seed));
    reap_combine(mixed, make_many_words(seed));
    reap_combine(peak, v);
}

static size_t neighbour(REAP_ITEM)
{
    const size_t size = reap_local_range(0) * reap_local_range(1) * reap_local_range(2);
    return (reap_local_linear_id() + 1) % size;
}

#define REDUCTION_PARAMETERS                                                                       \
    in(float, x), in(uint8_t, times), reduce(plus, float, sum), reduce(plus, double, wide),        \
        reduce(plus, reap_half, halves), reduce(plus, reap_bfloat16, bfloat16s),                   \
        reduce(multiplies, int, product), reduce(bit_xor, uint8_t, parity),                        \
        reduce_with(chain_words, uint32_t, chained), reduce_with(blend_words, few_words, blended), \
        reduce_with(mix_words, many_words, mixed), reduce_location(maximum, float, peak),          \
        local(float, shared)

REAP_ND_KERNEL(reduce_by_items, REDUCTION_PARAMETERS)
{
    const size_t i = reap_global_linear_id();
    shared[reap_local_linear_id()] = x[i];
    if (times[i] > 0) {
        reap_combine(halves, reap_half_from_float(x[i]));
        reap_combine(bfloat16s, reap_bfloat16_from_float(x[i]));
        combine_all(REAP_THIS_ITEM, x[i], (uint32_t)i, PASSED);
    }
    reap_barrier(REAP_LOCAL_SPACE);
    if (times[i] > 1) {
        const float v = shared[neighbour(REAP_THIS_ITEM)];
        reap_combine(halves, reap_half_from_float(v));
        reap_combine(bfloat16s, reap_bfloat16_from_float(v));
        combine_all(REAP_THIS_ITEM, v, ~(uint32_t)i, PASSED);
    }
}

REAP_GROUP_KERNEL(reduce_in_phases, REDUCTION_PARAMETERS)
{
    reap_for_each_item {
        const size_t i = reap_global_linear_id();
        shared[reap_local_linear_id()] = x[i];
        if (times[i] > 0) {
            reap_combine(halves, reap_half_from_float(x[i]));
            reap_combine(bfloat16s, reap_bfloat16_from_float(x[i]));
            combine_all(REAP_THIS_ITEM, x[i], (uint32_t)i, PASSED);
        }
    }
    reap_for_each_item {
        const size_t i = reap_global_linear_id();
        if (times[i] > 1) {
            const float v = shared[neighbour(REAP_THIS_ITEM)];
            reap_combine(halves, reap_half_from_float(v));
            reap_combine(bfloat16s, reap_bfloat16_from_float(v));
            combine_all(REAP_THIS_ITEM, v, ~(uint32_t)i, PASSED);
        }
    }
}

/* One reduction and nothing else, which compilers make vectors of. */
REAP_GROUP_KERNEL(sum_in_phase, in(float, x), reduce(plus, float, sum))
{
    reap_for_each_item {
        reap_combine(sum, x[reap_global_linear_id()]);
    }
}
