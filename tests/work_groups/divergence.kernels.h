/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose work-items do not come to the same barriers, in the groups for which `bad` says so;
 * all items combine, and `first` of a bad group's go one way. The lines where they part are
 * constants, for the messages.
 */
#include <reap/kernel.h>

#define DIVERGENT_PARAMETERS                                                                       \
    value(size_t, bad), value(size_t, first), inout(uint32_t, y), reduce(plus, uint64_t, sum),     \
        local(uint32_t, shared)

enum { EVERY_GROUP = 0xffff };

/* Whether the item is one of the first few of a bad group. */
static int goes_first(REAP_ITEM, size_t bad, size_t first)
{
    const size_t group = reap_group_linear_id();
    return (bad == EVERY_GROUP || group == bad) && reap_local_linear_id() < first;
}

static void begin(REAP_ITEM, REAP_GLOBAL uint32_t *y, REAP_LOCAL uint32_t *shared,
                  reap_reducer(plus, uint64_t, sum))
{
    reap_combine(sum, 1);
    shared[reap_local_linear_id()] = 1;
    y[reap_global_linear_id()] = 1;
    reap_barrier(REAP_LOCAL_SPACE);
}

enum { TWO_BRANCHES_FIRST = __LINE__ + 6, TWO_BRANCHES_SECOND = __LINE__ + 8 };

REAP_ND_KERNEL(two_branches, DIVERGENT_PARAMETERS)
{
    begin(REAP_THIS_ITEM, y, shared, reap_pass(sum));
    if (goes_first(REAP_THIS_ITEM, bad, first))
        reap_barrier(REAP_LOCAL_SPACE);
    else
        reap_barrier(REAP_LOCAL_SPACE);
    reap_combine(sum, shared[0]);
}

enum { AFTER_RETURN = __LINE__ + 7 };

REAP_ND_KERNEL(return_before_barrier, DIVERGENT_PARAMETERS)
{
    begin(REAP_THIS_ITEM, y, shared, reap_pass(sum));
    if (goes_first(REAP_THIS_ITEM, bad, first))
        return;
    reap_barrier(REAP_LOCAL_SPACE);
    reap_combine(sum, shared[0]);
}

enum { ONLY_FIRST = __LINE__ + 5 };

REAP_ND_KERNEL(barrier_of_few, DIVERGENT_PARAMETERS)
{
    if (goes_first(REAP_THIS_ITEM, bad, first))
        reap_barrier(REAP_LOCAL_SPACE);
    begin(REAP_THIS_ITEM, y, shared, reap_pass(sum));
}

enum { IN_LOOP = __LINE__ + 7 };

REAP_ND_KERNEL(unequal_trips, DIVERGENT_PARAMETERS)
{
    const int trips = goes_first(REAP_THIS_ITEM, bad, first) ? 3 : 5;
    begin(REAP_THIS_ITEM, y, shared, reap_pass(sum));
    for (int trip = 0; trip < trips; trip++)
        reap_barrier(REAP_LOCAL_SPACE);
    reap_combine(sum, shared[0]);
}

enum { ALGORITHM = __LINE__ + 7, BARRIER_INSTEAD = __LINE__ + 9 };

REAP_ND_KERNEL(algorithm_or_barrier, DIVERGENT_PARAMETERS)
{
    uint32_t v = 1;
    begin(REAP_THIS_ITEM, y, shared, reap_pass(sum));
    if (goes_first(REAP_THIS_ITEM, bad, first))
        v = reap_group_reduce(plus, uint32_t, v);
    else
        reap_barrier(REAP_LOCAL_SPACE);
    reap_combine(sum, v);
}

enum { ONE_ALGORITHM = __LINE__ + 7, OTHER_ALGORITHM = __LINE__ + 9 };

REAP_ND_KERNEL(two_algorithms, DIVERGENT_PARAMETERS)
{
    uint32_t v = 1;
    begin(REAP_THIS_ITEM, y, shared, reap_pass(sum));
    if (goes_first(REAP_THIS_ITEM, bad, first))
        v = reap_group_inclusive_scan(maximum, uint32_t, v);
    else
        v = reap_group_broadcast(uint32_t, v, 0);
    reap_combine(sum, v);
}

/* `first` items at the first place, as many at the second, and all others at the third. */
enum { PLACE_1 = __LINE__ + 6, PLACE_2 = __LINE__ + 8, PLACE_3 = __LINE__ + 10 };

REAP_ND_KERNEL(three_places, DIVERGENT_PARAMETERS)
{
    begin(REAP_THIS_ITEM, y, shared, reap_pass(sum));
    if (goes_first(REAP_THIS_ITEM, bad, first)) {
        reap_barrier(REAP_LOCAL_SPACE);
    } else if (goes_first(REAP_THIS_ITEM, bad, 2 * first)) {
        reap_barrier(REAP_GLOBAL_SPACE);
    } else {
        reap_barrier(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE);
    }
    reap_combine(sum, shared[0]);
}

enum { MANY_1 = __LINE__ + 6, MANY_2 = __LINE__ + 8, MANY_3 = __LINE__ + 10 };

/* Five places and the end. */
REAP_ND_KERNEL(many_places, DIVERGENT_PARAMETERS)
{
    if (goes_first(REAP_THIS_ITEM, bad, first)) {
        reap_barrier(REAP_LOCAL_SPACE);
    } else if (goes_first(REAP_THIS_ITEM, bad, 2 * first)) {
        reap_barrier(REAP_LOCAL_SPACE);
    } else if (goes_first(REAP_THIS_ITEM, bad, 3 * first)) {
        reap_barrier(REAP_LOCAL_SPACE);
    } else if (goes_first(REAP_THIS_ITEM, bad, 4 * first)) {
        reap_barrier(REAP_LOCAL_SPACE);
    } else if (goes_first(REAP_THIS_ITEM, bad, 5 * first)) {
        reap_barrier(REAP_LOCAL_SPACE);
    } else {
        begin(REAP_THIS_ITEM, y, shared, reap_pass(sum));
    }
}
