/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that a loop over the work-items of a group would compute unlike fibers, if what is
 * between barriers became one without further thought.
 */
#include <reap/kernel.h>

typedef struct pair {
    uint32_t a[2];
} pair;
typedef uint32_t word;

/* A division that a condition guards, at the end. */
REAP_ND_KERNEL(divided, in(uint32_t, x), out(uint32_t, y), value(uint32_t, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    shared[l] = x[i];
    reap_barrier(REAP_LOCAL_SPACE);
    if (by == 0) {
        y[i] = shared[reap_local_range(0) - 1 - l];
        return;
    }
    const uint32_t quotient = 100 / by;
    y[i] = quotient;
}

/* The same before a barrier. */
REAP_ND_KERNEL(divided_before, in(uint32_t, x), out(uint32_t, y), value(uint32_t, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    if (by == 0) {
        y[i] = x[i];
        return;
    }
    const size_t quotient = (l + 100) / by;
    shared[l] = x[i] + (uint32_t)quotient;
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = shared[reap_local_range(0) - 1 - l] + (uint32_t)quotient;
}

REAP_ND_KERNEL(literals, in(uint32_t, x), out(uint32_t, y), value(uint32_t, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    uint32_t *p = (uint32_t[]){x[i], (uint32_t)l, by};
    shared[l] = p[0];
    reap_barrier(REAP_LOCAL_SPACE);
    p[1] += shared[reap_local_range(0) - 1 - l];
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = p[0] + 3 * p[1] + p[2];
}

REAP_ND_KERNEL(member_of_value, in(uint32_t, x), out(uint32_t, y), value(pair, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    by.a[1] += x[i];
    shared[l] = by.a[1];
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = by.a[1] + shared[reap_local_range(0) - 1 - l];
}

REAP_ND_KERNEL(pointer_to_value, in(uint32_t, x), out(uint32_t, y), value(pair, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    uint32_t *p = by.a;
    p[1] += x[i];
    shared[l] = p[1];
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = by.a[1] + shared[reap_local_range(0) - 1 - l];
}

REAP_ND_KERNEL(cast_pointer_to_value, in(uint32_t, x), out(uint32_t, y), value(pair, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    ((uint32_t *)by.a)[1] += x[i];
    shared[l] = by.a[1];
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = by.a[1] + shared[reap_local_range(0) - 1 - l];
}

REAP_ND_KERNEL(in_brackets, in(uint32_t, x), out(uint32_t, y), value(uint32_t, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    {
        word(own) = x[i] + by;
        shared[l] = own;
        reap_barrier(REAP_LOCAL_SPACE);
        y[i] = own + shared[reap_local_range(0) - 1 - l];
    }
}

/* Where its declaration is not found, what is after the barrier is the constant of that name. */
enum { hidden = 4 };

REAP_ND_KERNEL(declared_in_brackets, in(uint32_t, x), out(uint32_t, y), value(uint32_t, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    word(hidden);
    hidden = x[i] + by;
    shared[l] = hidden;
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = hidden + shared[reap_local_range(0) - 1 - l];
}

REAP_ND_KERNEL(of_same_type, in(uint32_t, x), out(uint32_t, y), value(uint32_t, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    __typeof(by) hidden = x[i] + by;
    shared[l] = hidden;
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = hidden + shared[reap_local_range(0) - 1 - l];
}

REAP_ND_KERNEL(by_type, in(uint32_t, x), out(uint32_t, y), value(uint32_t, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    const uint32_t own = x[i] + by;
    shared[l] = own;
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = own + shared[reap_local_range(0) - 1 - l] +
           _Generic(&own, const uint32_t * : 1u, uint32_t * : 2u);
}

/* Brackets around what is assigned to, after others. */
#define INCREASE(v) (v)++
REAP_ND_KERNEL(assigned_in_brackets, in(uint32_t, x), out(uint32_t, y), value(uint32_t, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    uint32_t by_if = by, by_while = by, by_cast = by, turns = 0;
    if (x[i] % 2 == 1)
        (by_if)++;
    while (turns++ < x[i] % 5)
        INCREASE(by_while);
    (void)(by_cast)--;
    shared[l] = by_if + 3 * by_while;
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = by_if + 7 * by_while + 11 * by_cast + shared[reap_local_range(0) - 1 - l];
}

/* A function that waits in one that is defined after it. */
static uint32_t exchange_below(REAP_ITEM, uint32_t v, REAP_LOCAL uint32_t *shared);

static uint32_t exchange(REAP_ITEM, uint32_t v, REAP_LOCAL uint32_t *shared)
{
    return exchange_below(REAP_THIS_ITEM, v, shared);
}

static uint32_t exchange_below(REAP_ITEM, uint32_t v, REAP_LOCAL uint32_t *shared)
{
    shared[reap_local_id(0)] = v;
    reap_barrier(REAP_LOCAL_SPACE);
    return shared[reap_local_range(0) - 1 - reap_local_id(0)];
}

REAP_ND_KERNEL(waits_below, in(uint32_t, x), out(uint32_t, y), value(uint32_t, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0);
    y[i] = exchange(REAP_THIS_ITEM, x[i], shared) + by;
}

/* Words of sub-groups at which no work-item waits, and a function with such a name. */
static uint32_t reap_group_twice(uint32_t v)
{
    return 2 * v;
}

REAP_ND_KERNEL(places_in_sub_groups, in(uint32_t, x), out(uint32_t, y), value(uint32_t, by),
               local(uint32_t, shared))
{
    size_t i = reap_global_id(0), l = reap_local_id(0);
    const uint32_t lane = (uint32_t)reap_sub_group_local_id();
    shared[l] = reap_group_twice(x[i]);
    reap_barrier(REAP_LOCAL_SPACE);
    if (reap_sub_group_leader())
        shared[l] += (uint32_t)(reap_sub_group_range() + reap_sub_group_local_range());
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = shared[reap_local_range(0) - 1 - l] + by * lane + (uint32_t)reap_sub_group_id();
}
