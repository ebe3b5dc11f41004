/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels with barriers that the library compiles at run time: what variables may be, where
 * work-items part, and what stays with fibers. All have the same parameters: each item makes y from
 * x; `shared` has an element for each item of a group.
 */
#include <reap/kernel.h>

#define COMPILED_PARAMETERS                                                                        \
    in(uint32_t, x), inout(uint32_t, y), value(size_t, n), local(uint32_t, shared),                \
        reduce(plus, float, sum)

enum { PLACES = 3 };

typedef struct {
    float weight;
    uint32_t counts[PLACES];
} record;

typedef uint32_t triple[3];

static REAP_CONSTANT const uint32_t primes[4] = {2, 3, 5, 7};

static uint32_t turn(uint32_t v, uint32_t by)
{
    return v << by | v >> (32 - by);
}

/* A pointer to a variable of the item, which lives across a barrier by that alone. */
REAP_ND_KERNEL(keep_pointed_to, COMPILED_PARAMETERS)
{
    const size_t l = reap_local_linear_id(), size = reap_local_linear_range();
    uint32_t seen = x[reap_global_linear_id()], *const at = &seen;
    uint32_t pair[2] = {seen, 1}, *second = pair + 1;
    shared[l] = *at;
    reap_barrier(REAP_LOCAL_SPACE);
    *at += shared[(l + 1) % size];
    *second += (uint32_t)n;
    reap_barrier(REAP_LOCAL_SPACE);
    y[reap_global_linear_id()] = seen + pair[0] * pair[1];
}

/* Structures, arrays, and types that are arrays, with and without initialisers. */
REAP_ND_KERNEL(keep_structures, COMPILED_PARAMETERS)
{
    const size_t l = reap_local_linear_id(), size = reap_local_linear_range();
    record mine = {0.5f, {1, 2, 3}}, other;
    const record first = mine;
    uint32_t table[PLACES][2] = {{1, 2}, {3}};
    triple three;
    three[0] = x[reap_global_linear_id()], three[1] = 7, three[2] = (uint32_t)l;
    for (size_t k = 0; k < n; k++) {
        shared[l] = three[k % 3] + table[k % PLACES][k % 2];
        reap_barrier(REAP_LOCAL_SPACE);
        other = mine;
        other.counts[k % PLACES] += shared[(l + k) % size];
        mine = other;
        mine.weight *= 1.5f;
        table[k % PLACES][0] ^= shared[l];
        reap_barrier(REAP_LOCAL_SPACE);
    }
    y[reap_global_linear_id()] = mine.counts[0] + mine.counts[1] * 3 + first.counts[2] +
                                 table[1][0] + (uint32_t)(mine.weight * 64);
    reap_combine(sum, mine.weight);
}

/* Counters that change in loops with barriers, and what is computed of them there. */
REAP_ND_KERNEL(change_counters, COMPILED_PARAMETERS)
{
    const size_t l = reap_local_linear_id(), size = reap_local_linear_range();
    size_t offset = 1, step = size, rounds = 0;
    uint32_t v = x[reap_global_linear_id()];
    for (size_t d = size >> 1; d > 0; d >>= 1, rounds++) {
        const size_t left = offset * (2 * l + 1) - 1;
        shared[l] = v;
        reap_barrier(REAP_LOCAL_SPACE);
        if (l < d)
            v += shared[left % size];
        offset *= 2;
        v ^= (uint32_t)(left + offset);
        reap_barrier(REAP_LOCAL_SPACE);
    }
    while (step > 1) {
        step = (step + 1) / 2;
        shared[l] = v + (uint32_t)step;
        reap_barrier(REAP_LOCAL_SPACE);
        v += shared[(l + step) % size] + (uint32_t)rounds;
        reap_barrier(REAP_LOCAL_SPACE);
    }
    do {
        size_t own = l + rounds;
        shared[own % size] = v;
        reap_barrier(REAP_LOCAL_SPACE);
        own += rounds;
        v += shared[own % size];
        reap_barrier(REAP_LOCAL_SPACE);
    } while (rounds-- > 0 && rounds < 100);
    y[reap_global_linear_id()] = v + (uint32_t)offset;
}

/* Plain statements of all kinds between barriers. */
REAP_ND_KERNEL(mix_statements, COMPILED_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), l = reap_local_linear_id();
    uint32_t v = x[i], w = primes[i % 4];
    shared[l] = v;
    reap_barrier(REAP_LOCAL_SPACE);
    switch (v % 4) {
    case 0:
        w = turn(w, 3);
        break;
    case 1: {
        const uint32_t t = w * 3;
        w = t + 1;
    } /* fall through */
    default:
        v = v * 2 + w;
    }
    for (uint32_t k = 0; k < v % 9; k++) {
        if (k == 4)
            continue;
        if (w > 0xf0000000u)
            break;
        w += shared[(l + k) % reap_local_linear_range()] ? primes[k % 4] : k;
        reap_combine(sum, (float)(w & 15));
    }
    do
        w = w * 5 + 1;
    while (w % 3 != 0);
    reap_barrier(REAP_LOCAL_SPACE);
    if (w % 2 == 0)
        shared[l] = w;
    else if (w % 3 == 0)
        shared[l] = v;
    else
        shared[l] = w ^ v;
    reap_barrier(REAP_LOCAL_SPACE);
    if (shared[l] % 5 == 0) {
        y[i] = 1;
        return;
    }
    for (uint32_t k = 0; k < 3; k++)
        if (shared[l] % 7 == k) {
            y[i] = 100 + k;
            return;
        }
    y[i] = w + v;
}

/* A condition around a barrier that only memory tells, and which is the same for all. */
REAP_ND_KERNEL(agree_by_memory, COMPILED_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), l = reap_local_linear_id();
    uint32_t v = x[i], trips = 0;
    if (l == 0)
        shared[0] = x[i] % 5 + 1;
    reap_barrier(REAP_LOCAL_SPACE);
    const uint32_t limit = shared[0];
    reap_barrier(REAP_LOCAL_SPACE);
    while (trips < limit) {
        shared[l] = v;
        reap_barrier(REAP_LOCAL_SPACE);
        v += shared[(l + 1) % reap_local_linear_range()];
        reap_barrier(REAP_LOCAL_SPACE);
        if (++trips == 3)
            break;
    }
    if (limit % 2 == 0) {
        y[i] = v;
        return;
    }
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = v + trips;
}

/* Work-items part, and wait at the same places all the same. */
REAP_ND_KERNEL(part_and_meet, COMPILED_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), l = reap_local_linear_id();
    const size_t size = reap_local_linear_range();
    uint32_t v = x[i], met = 0;
    size_t uniform = n;
    for (uint32_t k = 0; met < 4; k++) {
        uniform += 2;
        if ((k + l) % 2 == 0)
            continue; /* other items do so in other rounds */
        met++;
        shared[l] = v + k;
        reap_barrier(REAP_LOCAL_SPACE);
        v += shared[(l + met) % size] + (uint32_t)uniform;
        reap_combine(sum, (float)(v % 16));
        reap_barrier(REAP_LOCAL_SPACE);
    }
    if (l % 2 == 0 && n > 100)
        reap_barrier(REAP_LOCAL_SPACE);
    if (x[i] % 2 == 0) {
        y[i] = v;
        return; /* the others do not wait any more */
    }
    if (n > 200)
        reap_barrier(REAP_LOCAL_SPACE);
    y[i] = v + met;
}

/* Work-items part for good: with n = 1, ... each in its way. */
REAP_ND_KERNEL(part, COMPILED_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), l = reap_local_linear_id();
    shared[l] = x[i];
    if (n == 1 && l < 3)
        return;
    reap_barrier(REAP_LOCAL_SPACE);
    if (n == 2 && l % 4 == 1)
        reap_barrier(REAP_LOCAL_SPACE);
    else
        y[i] = shared[0];
    for (size_t k = 0; k < (n == 3 ? l : 2); k++)
        reap_barrier(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE);
    if (n == 4) {
        if (l % 3 == 0) {
            reap_barrier(REAP_LOCAL_SPACE);
        } else if (l % 3 == 1) {
            reap_barrier(REAP_LOCAL_SPACE);
        } else {
            reap_barrier(REAP_LOCAL_SPACE);
        }
    }
    while (n == 5) {
        if (l == 2)
            break;
        reap_barrier(REAP_LOCAL_SPACE);
        if (l == 3)
            return;
        reap_barrier(REAP_LOCAL_SPACE);
        y[i]++;
        break;
    }
    reap_combine(sum, (float)x[i]);
}

/* ---- What stays with fibers -------------------------------------------------------------------*/

REAP_ND_KERNEL(wait_in_switch, COMPILED_PARAMETERS)
{
    shared[reap_local_linear_id()] = x[reap_global_linear_id()];
    switch (n % 2) {
    case 0:
        reap_barrier(REAP_LOCAL_SPACE);
    }
    y[reap_global_linear_id()] = shared[reap_local_linear_id()];
}

REAP_ND_KERNEL(wait_after_goto, COMPILED_PARAMETERS)
{
    shared[reap_local_linear_id()] = x[reap_global_linear_id()];
    if (n == 1)
        goto end;
    reap_barrier(REAP_LOCAL_SPACE);
end:
    y[reap_global_linear_id()] = shared[reap_local_linear_id()];
}

static void wait_here(REAP_ITEM)
{
    reap_barrier(REAP_LOCAL_SPACE);
}

REAP_ND_KERNEL(wait_in_helper, COMPILED_PARAMETERS)
{
    shared[reap_local_linear_id()] = x[reap_global_linear_id()];
    wait_here(REAP_THIS_ITEM);
    y[reap_global_linear_id()] = shared[reap_local_linear_id()] + (uint32_t)n;
}

REAP_ND_KERNEL(change_parameter, COMPILED_PARAMETERS)
{
    n += 1;
    shared[reap_local_linear_id()] = x[reap_global_linear_id()];
    reap_barrier(REAP_LOCAL_SPACE);
    y[reap_global_linear_id()] = shared[reap_local_linear_id()] + (uint32_t)n;
}
