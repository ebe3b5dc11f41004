/* SPDX-License-Identifier: Apache-2.0
 *
 * Group algorithms whose arguments have effects, and some under a condition in a loop.
 */
#include <reap/kernel.h>

/* Arguments are evaluated once, and before elements are written: pointers and counts that change,
 * and an element that is its own array's count. */
REAP_ND_KERNEL(evaluate_once, in(uint32_t, x), inout(uint32_t, y), out(uint32_t, found),
               value(size_t, count), value(uint32_t, sought))
{
    const size_t i = reap_global_linear_id(), items = reap_global_linear_range();
    const REAP_GLOBAL uint32_t *at = x;
    REAP_GLOBAL uint32_t *own = y + reap_group_linear_id() * 2 * count;
    size_t k = count - 9;
    found[i] = reap_group_joint_reduce(plus, uint32_t, at++, k++);
    found[items + i] = reap_group_joint_any(uint32_t, v, at++, k++, v == sought);
    reap_group_joint_exclusive_scan(plus, uint32_t, own, own, own[0]);
    reap_group_joint_inclusive_scan_from(plus, uint32_t, at++, own += count, k++, (uint32_t)count);
    found[2 * items + i] = (uint32_t)(at - x) * 1000 + (uint32_t)(count - k);
}

/* Of an array of pointers. */
REAP_ND_KERNEL(ask_pointers, inout(uint32_t, y), out(uint32_t, found))
{
    REAP_GLOBAL uint32_t *two[2] = {y, y + 1};
    found[reap_global_linear_id()] =
        (reap_group_joint_any(REAP_GLOBAL uint32_t *, p, two, 2, p == y + 1) ? 1u : 0) +
        (reap_group_joint_all(REAP_GLOBAL uint32_t *, p, two, 2, p != y) ? 2u : 0) +
        (reap_group_joint_none(REAP_GLOBAL uint32_t *, p, two, 2, p == y + 2) ? 4u : 0);
}

typedef struct {
    uint32_t scale, offset;
} step;

REAP_OPERATOR(follow, step, reap_value(step, 1, 0), a, b)
{
    if (b.scale == 0)
        return b;
    return reap_value(step, a.scale * b.scale, a.offset * b.scale + b.offset);
}

/* Words whose work-items go different ways once all have met, under a condition in a loop. */
#define UNDER_CONDITION(name, word)                                                                \
    REAP_ND_KERNEL(name, in(step, x), out(step, y), value(int, turns))                             \
    {                                                                                              \
        const size_t i = reap_global_linear_id();                                                  \
        step v = x[i];                                                                             \
        for (int turn = 0; turn < turns; turn++)                                                   \
            if (turn == 1)                                                                         \
                v = word;                                                                          \
        y[i] = v;                                                                                  \
    }
UNDER_CONDITION(shifted_under_condition,
                reap_group_exclusive_scan_from(follow, step, v, reap_value(step, 3, 6)))
UNDER_CONDITION(shifted_lanes_under_condition,
                reap_sub_group_exclusive_scan_from(follow, step, v, reap_value(step, 3, 6)))
