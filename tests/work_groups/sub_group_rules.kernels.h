/* SPDX-License-Identifier: Apache-2.0
 *
 * Where work-items are in sub-groups, votes, barriers; sub-groups that go ways of their own; and
 * kernels whose work-items part within a sub-group, in lines that are constants, for the messages.
 */
#include <reap/kernel.h>

/* Ids and ranges of each item, one after the other. */
REAP_ND_KERNEL(where, out(uint32_t, y))
{
    const size_t i = reap_global_linear_id(), items = reap_global_linear_range();
    y[i] = (uint32_t)reap_sub_group_id();
    y[items + i] = (uint32_t)reap_sub_group_range();
    y[2 * items + i] = (uint32_t)reap_sub_group_local_id();
    y[3 * items + i] = (uint32_t)reap_sub_group_local_range();
    y[4 * items + i] = reap_sub_group_leader();
    y[5 * items + i] = REAP_SUB_GROUP_SIZE;
}

REAP_ND_KERNEL(vote, in(uint32_t, x), out(uint32_t, y), value(uint32_t, limit))
{
    const size_t i = reap_global_linear_id(), items = reap_global_linear_range();
    y[i] = reap_sub_group_any(x[i] < limit);
    y[items + i] = reap_sub_group_all(x[i] < limit);
    y[2 * items + i] = reap_sub_group_none(x[i] < limit);
    y[3 * items + i] = reap_sub_group_ballot(x[i] < limit);
    y[4 * items + i] = reap_sub_group_ballot(x[i]) + (uint32_t)reap_sub_group_any(x[i]);
}

REAP_GROUP_KERNEL(vote_in_phases, in(uint32_t, x), out(uint32_t, y), value(uint32_t, limit))
{
    const size_t items = reap_global_linear_range();
    reap_item_private(bool, any);
    reap_item_private(bool, all);
    reap_item_private(bool, none);
    reap_item_private(uint32_t, ballot);
    reap_sub_groups_any(any, x[reap_global_linear_id()] < limit);
    reap_sub_groups_all(all, x[reap_global_linear_id()] < limit);
    reap_sub_groups_none(none, x[reap_global_linear_id()] < limit);
    if (items > 0)
        reap_sub_groups_ballot(ballot, x[reap_global_linear_id()] < limit);
    reap_for_each_item {
        const size_t i = reap_global_linear_id();
        y[i] = reap_private(any);
        y[items + i] = reap_private(all);
        y[2 * items + i] = reap_private(none);
        y[3 * items + i] = reap_private(ballot);
    }
}

/* Each item hands its neighbour's value on, through local and through global memory. */
REAP_ND_KERNEL(hand_on, in(uint32_t, x), inout(uint32_t, z), out(uint32_t, y),
               local(uint32_t, tile), value(uint32_t, rounds))
{
    const size_t l = reap_local_linear_id(), i = reap_global_linear_id();
    const size_t size = reap_sub_group_local_range(), lane = reap_sub_group_local_id();
    const size_t first = l - lane, group = reap_group_linear_id() * reap_local_linear_range();
    uint32_t v = x[i];
    for (uint32_t round = 0; round < rounds; round++) {
        tile[l] = v;
        reap_sub_group_barrier(REAP_LOCAL_SPACE);
        v = tile[first + (lane + 1) % size] * 3 + round;
        z[group + l] = v;
        reap_sub_group_barrier(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE);
        v += z[group + first + (lane + size - 1) % size];
        reap_sub_group_barrier(REAP_GLOBAL_SPACE);
    }
    y[i] = v;
}

/* One algorithm's result as another's argument, and in a helper. */
static uint32_t add_neighbours(REAP_ITEM, uint32_t v)
{
    return reap_sub_group_shuffle_up(uint32_t, v, 1) + reap_sub_group_shuffle_down(uint32_t, v, 1);
}

REAP_ND_KERNEL(nest, in(uint32_t, x), out(uint32_t, y))
{
    const size_t i = reap_global_linear_id();
    const uint32_t v = reap_sub_group_reduce(
        plus, uint32_t,
        reap_sub_group_inclusive_scan(bit_xor, uint32_t,
                                      reap_sub_group_shuffle_xor(uint32_t, x[i], 3)));
    y[i] = add_neighbours(REAP_THIS_ITEM, v + x[i]);
}

/* Sub-groups of one group do different things, each as often as it likes, and meet at a barrier. */
REAP_ND_KERNEL(go_apart, in(uint32_t, x), out(uint32_t, y), local(uint32_t, sums))
{
    const size_t i = reap_global_linear_id(), own = reap_sub_group_id();
    uint32_t v = x[i];
    if (own % 3 == 1)
        v = reap_sub_group_reduce(maximum, uint32_t, v);
    else if (own % 3 == 2)
        v += reap_sub_group_ballot(v % 2 == 1);
    for (size_t turn = 0; turn < own; turn++)
        v += reap_sub_group_shuffle(uint32_t, v, turn);
    if (reap_sub_group_leader())
        sums[own] = v;
    reap_barrier(REAP_LOCAL_SPACE);
    v += sums[(own + 1) % reap_sub_group_range()];
    if (own % 2 == 0)
        v = reap_sub_group_reduce(bit_xor, uint32_t, v);
    y[i] = v;
}

/* Sub-groups that end before others use words. */
REAP_ND_KERNEL(end_early, in(uint32_t, x), out(uint32_t, y), value(uint32_t, limit))
{
    const size_t i = reap_global_linear_id();
    y[i] = 1;
    if (reap_sub_group_id() < limit)
        return;
    y[i] = reap_sub_group_reduce(plus, uint32_t, x[i]);
    if (reap_sub_group_id() % 2 == 0)
        return;
    y[i] += reap_sub_group_shuffle_xor(uint32_t, x[i], 1);
}

/* ---- Divergence -------------------------------------------------------------------------------*/

#define PARTING in(uint32_t, x), out(uint32_t, y), value(size_t, bad), reduce(plus, uint64_t, sum)

enum { AT_SHUFFLE = __LINE__ + 8 };

REAP_ND_KERNEL(lane_ends, PARTING)
{
    const size_t i = reap_global_linear_id();
    reap_combine(sum, 1);
    if (reap_sub_group_id() == bad && reap_sub_group_local_id() < 3)
        return;
    y[i] = reap_sub_group_shuffle_up(uint32_t, x[i], 1);
}

enum { AT_REDUCE = __LINE__ + 7, AT_BALLOT = __LINE__ + 9 };

REAP_ND_KERNEL(two_words, PARTING)
{
    const size_t i = reap_global_linear_id();
    reap_combine(sum, 1);
    if (reap_sub_group_id() == bad && reap_sub_group_local_id() < 3)
        y[i] = reap_sub_group_reduce(plus, uint32_t, x[i]);
    else
        y[i] = reap_sub_group_ballot(x[i]);
}

enum { AT_SCAN = __LINE__ + 8, AT_BARRIER = __LINE__ + 7 };

REAP_ND_KERNEL(word_or_barrier, PARTING)
{
    const size_t i = reap_global_linear_id();
    reap_combine(sum, 1);
    if (reap_sub_group_id() == bad && reap_sub_group_local_id() < 3)
        reap_barrier(REAP_LOCAL_SPACE);
    y[i] = reap_sub_group_exclusive_scan(plus, uint32_t, x[i]);
    reap_barrier(REAP_LOCAL_SPACE);
}

enum { AT_TURN = __LINE__ + 9 };

REAP_ND_KERNEL(unequal_turns, PARTING)
{
    const size_t i = reap_global_linear_id();
    const size_t turns = reap_sub_group_id() == bad && reap_sub_group_local_id() < 3 ? 2 : 4;
    y[i] = x[i];
    reap_combine(sum, 1);
    for (size_t turn = 0; turn < turns; turn++)
        reap_sub_group_barrier(REAP_LOCAL_SPACE);
}

/* Of whole sub-groups, one of which comes to another barrier of the group than the others. */
enum { AT_OWN_BARRIER = __LINE__ + 8, AT_LAST_BARRIER = __LINE__ + 10 };

REAP_ND_KERNEL(sub_groups_part, PARTING)
{
    const size_t i = reap_global_linear_id();
    reap_combine(sum, 1);
    y[i] = reap_sub_group_broadcast(uint32_t, x[i], 0);
    if (reap_sub_group_id() == bad)
        reap_barrier(REAP_LOCAL_SPACE);
    y[i] += reap_sub_group_broadcast(uint32_t, x[i], 0);
    reap_barrier(REAP_LOCAL_SPACE);
}
