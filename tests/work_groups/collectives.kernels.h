/* SPDX-License-Identifier: Apache-2.0
 *
 * Group algorithms in the places where kernels have them: within each other, in loops, branches,
 * conditions and helpers, beside barriers; questions to the whole group, and broadcasts.
 */
#include <reap/kernel.h>

typedef struct {
    char letters[37];
} badge;

/* A bit for each answer. */
REAP_ND_KERNEL(ask_group, in(int, x), out(unsigned, answers))
{
    const size_t i = reap_global_linear_id();
    const int v = x[i];
    unsigned found = 0;
    found |= reap_group_any(v == 7) ? 1u : 0;
    found |= reap_group_all(v < 9) ? 2u : 0;
    found |= reap_group_none(v == 3) ? 4u : 0;
    found |= reap_group_any(v & 256) ? 8u : 0; /* a number whose low byte is 0 */
    found |= reap_group_all(v + 1) ? 16u : 0;
    found |= reap_group_none(v / 300.0) ? 32u : 0;
    answers[i] = found;
}

REAP_ND_KERNEL(spread, in(int, x), in(badge, badges), value(size_t, from), out(int, y),
               out(badge, copies), out(double, doubles))
{
    const size_t i = reap_global_linear_id();
    y[i] = reap_group_broadcast(int, x[i], from);
    copies[i] = reap_group_broadcast(badge, badges[i], from);
    doubles[i] = reap_group_broadcast(double, x[i] * 0.5, from);
}

REAP_ND_KERNEL(spread_from_each, in(int, x), value(size_t, wrong), out(int, y),
               reduce(plus, int, sum))
{
    const size_t i = reap_global_linear_id(), item = reap_local_linear_id();
    y[i] = reap_group_broadcast(int, x[i], item == wrong ? 1 : 0);
    reap_combine(sum, 1);
}

/* One algorithm's result is another's value. */
REAP_ND_KERNEL(nested, in(int, x), out(int, y))
{
    const size_t i = reap_global_linear_id();
    const size_t last = reap_local_range(0) * reap_local_range(1) * reap_local_range(2) - 1;
    const int sum = reap_group_broadcast(int, reap_group_inclusive_scan(plus, int, x[i]), last);
    const int most = reap_group_reduce(maximum, int, reap_group_exclusive_scan(plus, int, x[i]));
    y[i] = sum - most;
}

static int total(REAP_ITEM, int v)
{
    return reap_group_reduce(plus, int, v);
}

/* The number of rounds depends on the data, and is the same for all items of a group. */
REAP_ND_KERNEL(until_all_agree, in(int, x), out(int, y), local(int, shared))
{
    const size_t i = reap_global_linear_id(), item = reap_local_linear_id();
    int v = x[i] & 1023, rounds = 0;
    while (!reap_group_all(v < 2)) {
        shared[item] = v;
        reap_barrier(REAP_LOCAL_SPACE);
        v = shared[item] / 2;
        if (reap_group_any(v > 100))
            rounds += total(REAP_THIS_ITEM, 1);
        else
            rounds++;
        reap_barrier(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE);
    }
    y[i] = rounds * 2 + v;
}

/* A bit for each answer, of the group's elements of x. */
REAP_ND_KERNEL(ask_array, in(int, x), value(size_t, count), value(int, limit),
               out(unsigned, answers))
{
    const REAP_GLOBAL int *own = x + reap_group_linear_id() * count;
    unsigned found = 0;
    found |= reap_group_joint_any(int, v, own, count, v == 7) ? 1u : 0;
    found |= reap_group_joint_all(int, v, own, count, v < limit) ? 2u : 0;
    found |= reap_group_joint_none(int, v, own, count, v == 3) ? 4u : 0;
    found |= reap_group_joint_any(int, v, own, count, v & 256) ? 8u : 0;
    found |= reap_group_joint_all(int, v, own, count, v + 1) ? 16u : 0;
    found |= reap_group_joint_none(int, v, own, count, v > limit || v < -limit) ? 32u : 0;
    answers[reap_global_linear_id()] = found;
}

/* In local memory, and of structures. */
REAP_ND_KERNEL(ask_badges, in(badge, badges), local(badge, tile), out(unsigned, answers))
{
    const size_t i = reap_global_linear_id(), items = reap_local_linear_range();
    tile[reap_local_linear_id()] = badges[i];
    reap_barrier(REAP_LOCAL_SPACE);
    unsigned found = 0;
    found |= reap_group_joint_any(badge, b, tile, items, b.letters[36] == 'x') ? 1u : 0;
    found |= reap_group_joint_all(badge, b, tile, items, b.letters[0] != 'x') ? 2u : 0;
    found |= reap_group_joint_none(badge, b, tile, items, b.letters[1] == b.letters[2]) ? 4u : 0;
    answers[i] = found;
}

REAP_ND_KERNEL(spread_by_id, in(int, x), in(badge, badges), value(unsigned, dimensions),
               value(size_t, first), value(size_t, second), value(size_t, third), out(int, y),
               out(badge, copies))
{
    const size_t i = reap_global_linear_id();
    if (dimensions == 1)
        y[i] = reap_group_broadcast_id(int, x[i], first);
    else if (dimensions == 2)
        y[i] = reap_group_broadcast_id(int, x[i], first, second);
    else
        y[i] = reap_group_broadcast_id(int, x[i], first, second, third);
    copies[i] = reap_group_broadcast_id(badge, badges[i], first, second, third);
}
