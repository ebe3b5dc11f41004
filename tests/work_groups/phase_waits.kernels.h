/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels in phases in which a phase contains a word that waits, which no device takes: in_WORD, or
 * the names of functions that contain one. Then those that are right, though such words are near.
 */
#include <reap/kernel.h>

#define WAIT_PARAMETERS in(int, x), inout(int, y), value(int, n)
#define AT reap_global_linear_id()

#define WAITS(word, ...)                                                                           \
    REAP_GROUP_KERNEL(in_##word, WAIT_PARAMETERS)                                                  \
    {                                                                                              \
        reap_for_each_item {                                                                       \
            if (n > 3)                                                                             \
                y[AT] = (int)word(__VA_ARGS__);                                                    \
        }                                                                                          \
    }

#define WAITS_AS_STATEMENT(word, ...)                                                              \
    REAP_GROUP_KERNEL(in_##word, WAIT_PARAMETERS)                                                  \
    {                                                                                              \
        reap_for_each_item                                                                         \
            y[AT] = n;                                                                             \
        reap_for_each_item {                                                                       \
            word(__VA_ARGS__);                                                                     \
            y[AT] += x[AT];                                                                        \
        }                                                                                          \
    }

WAITS_AS_STATEMENT(reap_barrier, REAP_LOCAL_SPACE)
WAITS(reap_group_reduce, plus, int, x[AT])
WAITS(reap_group_reduce_from, plus, int, x[AT], n)
WAITS(reap_group_inclusive_scan, plus, int, x[AT])
WAITS(reap_group_inclusive_scan_from, plus, int, x[AT], n)
WAITS(reap_group_exclusive_scan, plus, int, x[AT])
WAITS(reap_group_exclusive_scan_from, plus, int, x[AT], n)
WAITS(reap_group_any, x[AT] > n)
WAITS(reap_group_all, x[AT] > n)
WAITS(reap_group_none, x[AT] > n)
WAITS(reap_group_broadcast, int, x[AT], 0)
WAITS(reap_sub_group_reduce, plus, int, x[AT])
WAITS(reap_sub_group_reduce_from, plus, int, x[AT], n)
WAITS(reap_sub_group_inclusive_scan, plus, int, x[AT])
WAITS(reap_sub_group_inclusive_scan_from, plus, int, x[AT], n)
WAITS(reap_sub_group_exclusive_scan, plus, int, x[AT])
WAITS(reap_sub_group_exclusive_scan_from, plus, int, x[AT], n)
WAITS(reap_sub_group_any, x[AT] > n)
WAITS(reap_sub_group_all, x[AT] > n)
WAITS(reap_sub_group_none, x[AT] > n)
WAITS(reap_sub_group_broadcast, int, x[AT], 0)
WAITS(reap_group_broadcast_id, int, x[AT], 0)
WAITS(reap_group_joint_reduce, plus, int, x, 3)
WAITS(reap_group_joint_reduce_from, plus, int, x, 3, n)
WAITS_AS_STATEMENT(reap_group_joint_inclusive_scan, plus, int, x, y, 3)
WAITS_AS_STATEMENT(reap_group_joint_inclusive_scan_from, plus, int, x, y, 3, n)
WAITS_AS_STATEMENT(reap_group_joint_exclusive_scan, plus, int, x, y, 3)
WAITS_AS_STATEMENT(reap_group_joint_exclusive_scan_from, plus, int, x, y, 3, n)
WAITS(reap_group_joint_any, int, e, x, 3, e > n)
WAITS(reap_group_joint_all, int, e, x, 3, e > n)
WAITS(reap_group_joint_none, int, e, x, 3, e > n)
WAITS_AS_STATEMENT(reap_sub_group_barrier, REAP_LOCAL_SPACE)
WAITS(reap_sub_group_ballot, x[AT] > n)
WAITS(reap_sub_group_shuffle, int, x[AT], 1)
WAITS(reap_sub_group_shuffle_up, int, x[AT], 1)
WAITS(reap_sub_group_shuffle_down, int, x[AT], 1)
WAITS(reap_sub_group_shuffle_xor, int, x[AT], 1)

enum { WORDS = 37 };

/* ---- In functions -----------------------------------------------------------------------------*/

static int wait_here(REAP_ITEM, int v)
{
    reap_barrier(REAP_LOCAL_SPACE);
    return v;
}

static int wait_below(REAP_ITEM, int v);

static int wait_through_two(REAP_ITEM, int v)
{
    return wait_below(REAP_THIS_ITEM, v);
}

static int wait_below(REAP_ITEM, int v)
{
    const size_t lane = reap_sub_group_local_id();
    return reap_sub_group_reduce(plus, int, v) + (int)lane;
}

/* OpenCL C does not take a function's name in brackets. */
#ifdef __OPENCL_VERSION__
#define IN_BRACKETS(function) function
#else
#define IN_BRACKETS(function) (function)
#endif
#define WAIT_BY_MACRO(v) wait_here(REAP_THIS_ITEM, v)

REAP_GROUP_KERNEL(in_wait_here, WAIT_PARAMETERS)
{
    reap_for_each_item
        y[AT] = n > 3 ? wait_here(REAP_THIS_ITEM, x[AT]) : 0;
}

REAP_GROUP_KERNEL(in_wait_through_two, WAIT_PARAMETERS)
{
    for (int i = 0; i < n; i++)
        reap_for_each_item {
            const int v = wait_through_two(REAP_THIS_ITEM, x[AT]);
            y[AT] = v;
        }
}

REAP_GROUP_KERNEL(in_brackets, WAIT_PARAMETERS)
{
    reap_for_each_item
        y[AT] = IN_BRACKETS(wait_here)(REAP_THIS_ITEM, x[AT] + n);
}

REAP_GROUP_KERNEL(in_macro, WAIT_PARAMETERS)
{
    reap_for_each_item
        y[AT] = WAIT_BY_MACRO(x[AT] + n);
}

REAP_GROUP_KERNEL(in_statement_of_sub_groups, WAIT_PARAMETERS)
{
    reap_item_private(int, sum);
    reap_sub_groups_reduce(plus, int, sum, wait_here(REAP_THIS_ITEM, x[AT] + n));
    reap_for_each_item
        y[AT] = reap_private(sum);
}

/* ---- Right ------------------------------------------------------------------------------------*/

typedef struct {
    int wait_here, reap_group_size;
} waiting_pair;

static int reap_group_twice(int v)
{
    return 2 * v;
}

static int place_of(REAP_ITEM, int v)
{
    return v + (int)(reap_group_id(0) + reap_local_id(0) + reap_sub_group_id());
}

REAP_ND_KERNEL(right_in_nd, WAIT_PARAMETERS)
{
    const int v = wait_through_two(REAP_THIS_ITEM, n);
    y[AT] = x[AT] + v - (int)reap_sub_group_local_id();
}

/* Variables, members and functions with the names of functions that wait, or like them; ids;
 * statements of sub-groups. */
REAP_GROUP_KERNEL(right_in_phases, WAIT_PARAMETERS)
{
    reap_item_private(int, sum);
    const int wait_below = n;
    reap_sub_groups_reduce(plus, int, sum, wait_below);
    reap_for_each_item {
        const waiting_pair pair = {.wait_here = (int)reap_sub_group_range(), .reap_group_size = n};
        int wait_through_two = reap_group_leader() ? 1 : 0;
        wait_through_two += pair.wait_here + (int)reap_group_linear_range();
        wait_through_two += reap_group_twice(pair.reap_group_size);
        y[AT] = place_of(REAP_THIS_ITEM, x[AT]) + reap_private(sum) + wait_through_two;
    }
}
