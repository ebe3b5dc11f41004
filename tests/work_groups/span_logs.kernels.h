/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions whose order matters, in kernels with work-groups: one item of a group combines
 * very often and others never, before and behind barriers, group algorithms and ends of phases;
 * what is written to an array shows whether a kernel ran twice. And spans of every kind of type.
 */
#include <reap/kernel.h>

/* It changes with every value that comes, and with their order. It has no padding, since tests
 * compare its bytes. */
typedef struct trace {
    uint64_t hash, count;
    double last;
} trace;

REAP_OPERATOR_NO_IDENTITY(follow, trace, a, b)
{
    return reap_value(trace, a.hash * 31 + b.hash, a.count + b.count, b.last);
}

REAP_OPERATOR(append, uint64_t, 0, a, b)
{
    return b == 0 ? a : a == 0 ? b : a * 1000003 + b;
}

#define PILE_PARAMETERS                                                                            \
    in(float, x), inout(uint32_t, visits), value(uint32_t, many), value(size_t, length),           \
        reduce_span(plus, float, sums), reduce_span_with(follow, trace, traces),                   \
        reduce(plus, uint64_t, total), reduce(maximum, float, largest), local(uint32_t, shared)

/* What the items of a turn combine, of which there is one that piles up. */
static void pile(REAP_ITEM, reap_span_reducer(plus, float, sums),
                 reap_span_reducer(follow, trace, traces), REAP_GLOBAL const float *x,
                 uint32_t many, size_t length, size_t turn)
{
    const size_t i = reap_global_linear_id(), l = reap_local_linear_id();
    const size_t size = reap_local_range(0) * reap_local_range(1) * reap_local_range(2);
    if (l == turn * 5 % size)
        for (uint32_t k = 0; k < many; k++)
            reap_combine_at(sums, (i + k % 3) % length, x[i] * (float)(k % 7));
    if (l % 3 != turn)
        return;
    reap_combine_at(sums, (i * 7 + turn) % length, x[i]);
    reap_combine_at(traces, i % length, reap_value(trace, i * 4 + turn, 1, x[i]));
}

REAP_ND_KERNEL(pile_items, PILE_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), l = reap_local_linear_id();
    const size_t size = reap_local_range(0) * reap_local_range(1) * reap_local_range(2);
    visits[i] = visits[i] * 3 + 1;
    reap_combine(total, visits[i]);
    reap_combine(largest, x[i]);
    for (size_t turn = 0; turn < 3; turn++) {
        pile(REAP_THIS_ITEM, reap_pass_span(sums), reap_pass_span(traces), x, many, length, turn);
        shared[l] = (uint32_t)(i + turn);
        reap_barrier(REAP_LOCAL_SPACE);
        const uint32_t theirs = shared[size - 1 - l];
        if (l % 2 == 0)
            reap_combine_at(sums, theirs % length, x[i] * 0.5f);
        const uint32_t before = reap_group_exclusive_scan(plus, uint32_t, theirs);
        reap_combine_at(sums, before % length, x[i] * 0.25f);
        const float mean = reap_group_broadcast(float, x[i], turn % size);
        const size_t one = reap_group_any(l == turn) ? 1 : 0;
        if (l + 1 == size)
            reap_combine_at(sums, (before + one) % length, mean);
    }
}

REAP_GROUP_KERNEL(pile_in_phases, PILE_PARAMETERS)
{
    const size_t size = reap_local_range(0) * reap_local_range(1) * reap_local_range(2);
    reap_for_each_item {
        const size_t i = reap_global_linear_id();
        visits[i] = visits[i] * 3 + 1;
        reap_combine(total, visits[i]);
        reap_combine(largest, x[i]);
    }
    for (size_t turn = 0; turn < 3; turn++) {
        reap_for_each_item {
            pile(REAP_THIS_ITEM, reap_pass_span(sums), reap_pass_span(traces), x, many, length,
                 turn);
            shared[reap_local_linear_id()] = (uint32_t)(reap_global_linear_id() + turn);
        }
        reap_for_each_item {
            const size_t l = reap_local_linear_id();
            if (l % 2 == 1)
                continue;
            reap_combine_at(sums, shared[size - 1 - l] % length, x[reap_global_linear_id()]);
        }
    }
}

/* Values of one byte to 24, built in and the user's, side by side. */
#define KINDS_PARAMETERS                                                                           \
    in(uint32_t, where), in(float, x), reduce_span(plus, float, floats),                           \
        reduce_span(plus, double, doubles), reduce_span(plus, reap_half, halves),                  \
        reduce_span(minimum, float, least), reduce_span(multiplies, uint8_t, bytes),               \
        reduce_span(plus, int16_t, shorts), reduce_span(logical_and, bool, flags),                 \
        reduce_span(bit_xor, uint64_t, wide), reduce_span_with(append, uint64_t, appended),        \
        reduce_span_with(follow, trace, traces)

static void combine_kinds(REAP_ITEM, reap_span_reducer(plus, float, floats),
                          reap_span_reducer(plus, double, doubles),
                          reap_span_reducer(plus, reap_half, halves), size_t at, float v)
{
    reap_combine_at(floats, at, v);
    reap_combine_at(doubles, at, (double)v * 1.0e-3);
    if (reap_local_linear_id() % 2 == 0)
        reap_combine_at(halves, at, reap_half_from_float(v));
}

REAP_ND_KERNEL(all_kinds, KINDS_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), at = where[i];
    const float v = x[i];
    combine_kinds(REAP_THIS_ITEM, reap_pass_span(floats), reap_pass_span(doubles),
                  reap_pass_span(halves), at, v);
    reap_combine_at(least, at, v);
    reap_combine_at(bytes, at, (uint8_t)(i * 2 + 1));
    reap_barrier(REAP_LOCAL_SPACE);
    reap_combine_at(shorts, at, (int16_t)(i * 37));
    reap_combine_at(flags, at, i % 50 != 0);
    reap_combine_at(wide, at, (uint64_t)i << 20 | i);
    reap_combine_at(appended, at, i + 1);
    reap_combine_at(traces, at, reap_value(trace, i, 1, v));
    combine_kinds(REAP_THIS_ITEM, reap_pass_span(floats), reap_pass_span(doubles),
                  reap_pass_span(halves), at, v);
}

REAP_GROUP_KERNEL(all_kinds_in_phases, KINDS_PARAMETERS)
{
    reap_for_each_item {
        const size_t i = reap_global_linear_id(), at = where[i];
        combine_kinds(REAP_THIS_ITEM, reap_pass_span(floats), reap_pass_span(doubles),
                      reap_pass_span(halves), at, x[i]);
        reap_combine_at(least, at, x[i]);
        reap_combine_at(bytes, at, (uint8_t)(i * 2 + 1));
    }
    reap_for_each_item {
        const size_t i = reap_global_linear_id(), at = where[i];
        reap_combine_at(shorts, at, (int16_t)(i * 37));
        reap_combine_at(flags, at, i % 50 != 0);
        reap_combine_at(wide, at, (uint64_t)i << 20 | i);
        reap_combine_at(appended, at, i + 1);
        reap_combine_at(traces, at, reap_value(trace, i, 1, x[i]));
        combine_kinds(REAP_THIS_ITEM, reap_pass_span(floats), reap_pass_span(doubles),
                      reap_pass_span(halves), at, x[i]);
    }
}
