/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels for launches that are refused, and for those that fail for what a kernel waits for, or
 * takes, where it cannot.
 */
#include <reap/kernel.h>

REAP_ND_KERNEL(in_groups, reduce(plus, uint64_t, sum), local(uint32_t, few), local(double, many))
{
    few[0] = 1;
    many[0] = 1;
    reap_combine(sum, 1);
}

REAP_GROUP_KERNEL(in_phases, reduce(plus, uint64_t, sum), local(uint32_t, few), local(double, many))
{
    reap_for_each_item {
        few[0] = 1;
        many[0] = 1;
        reap_combine(sum, 1);
    }
}

REAP_ND_KERNEL(without_local, reduce(plus, uint64_t, sum))
{
    reap_combine(sum, 1);
}

REAP_KERNEL(in_range, reduce(plus, uint64_t, sum))
{
    reap_combine(sum, 1);
}

#define WAITING_PARAMETERS                                                                         \
    value(size_t, waiting), reduce(plus, uint64_t, sum), reduce_span(plus, uint32_t, bins)

/* In the kernel itself this is a compile error. */
enum { BARRIER_IN_RANGE = __LINE__ + 4 };

static void wait_for_group(REAP_ITEM)
{
    reap_barrier(REAP_LOCAL_SPACE);
}

REAP_KERNEL(barrier_in_range, WAITING_PARAMETERS)
{
    reap_combine(sum, 1);
    reap_combine_at(bins, 0, 1);
    if (reap_global_id(0) == waiting)
        wait_for_group(REAP_THIS_ITEM);
}

enum { ALGORITHM_IN_RANGE = __LINE__ + 4 };

static uint64_t count_group(REAP_ITEM)
{
    return reap_group_reduce(plus, uint64_t, 1);
}

REAP_KERNEL(algorithm_in_range, WAITING_PARAMETERS)
{
    reap_combine(sum, 1);
    reap_combine_at(bins, 0, 1);
    if (reap_global_id(0) == waiting)
        reap_combine(sum, count_group(REAP_THIS_ITEM));
}

/* What an item of a group knows, by number; the last one is not a keyword of groups. */
enum { ID_IN_RANGE = __LINE__ + 6 };

static size_t choose_id(REAP_ITEM, size_t word)
{
    switch (word) {
    case 0:
        return reap_local_id(0);
    case 1:
        return reap_local_linear_id();
    case 2:
        return reap_local_range(0);
    case 3:
        return reap_group_id(0);
    case 4:
        return reap_group_linear_id();
    case 5:
        return reap_group_range(0);
    default:
        return reap_global_range(0);
    }
}

static __attribute__((noinline)) size_t choose_id_apart(REAP_ITEM, size_t word)
{
    return choose_id(REAP_THIS_ITEM, word);
}

REAP_KERNEL(id_in_range, value(size_t, word), reduce(plus, uint64_t, sum))
{
    reap_combine(sum, choose_id(REAP_THIS_ITEM, word));
}

REAP_KERNEL(id_in_range_apart, value(size_t, word), reduce(plus, uint64_t, sum))
{
    reap_combine(sum, choose_id_apart(REAP_THIS_ITEM, word));
}

REAP_ND_KERNEL(id_in_groups, value(size_t, word), reduce(plus, uint64_t, sum))
{
    reap_combine(sum, choose_id(REAP_THIS_ITEM, word) + choose_id_apart(REAP_THIS_ITEM, word));
}

REAP_GROUP_KERNEL(id_in_phases, value(size_t, word), reduce(plus, uint64_t, sum))
{
    reap_for_each_item {
        reap_combine(sum, choose_id(REAP_THIS_ITEM, word) + choose_id_apart(REAP_THIS_ITEM, word));
    }
}

/* A kernel in phases is refused for its text, but where it calls a pointer, which OpenCL C lacks.
 */
#ifdef __OPENCL_VERSION__
#define CALL_POINTER(type, function) 0
#else
typedef void (*void_function)(REAP_ITEM);
typedef uint64_t (*count_function)(REAP_ITEM);
#define CALL_POINTER(type, function)                                                               \
    type by_pointer = function;                                                                    \
    by_pointer(REAP_THIS_ITEM)
#endif

REAP_GROUP_KERNEL(barrier_in_phase, WAITING_PARAMETERS)
{
    reap_for_each_item {
        reap_combine(sum, 1);
        reap_combine_at(bins, 0, 1);
        if (reap_global_id(0) == waiting) {
            CALL_POINTER(void_function, wait_for_group);
        }
    }
}

REAP_GROUP_KERNEL(algorithm_in_phase, WAITING_PARAMETERS)
{
    reap_for_each_item {
        reap_combine(sum, 1);
        reap_combine_at(bins, 0, 1);
        if (reap_global_id(0) == waiting) {
            CALL_POINTER(count_function, count_group);
        }
    }
}

typedef struct {
    char bytes[1000];
} large;

/* Too many words, in the groups from `waiting` on. */
REAP_GROUP_KERNEL(too_many_words, WAITING_PARAMETERS)
{
    reap_item_private(large, one);
    reap_for_each_item {
        reap_private(one).bytes[999] = 1;
        reap_combine(sum, 1);
        reap_combine_at(bins, 0, 1);
    }
    if ((reap_group_linear_id() + 1) * reap_local_range(0) > waiting) {
        reap_item_private(large, two);
        reap_for_each_item {
            reap_private(two).bytes[999] = 2;
        }
    }
}
