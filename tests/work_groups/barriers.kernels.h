/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers in every place where a kernel may have one. All kernels have the same parameters: each
 * item makes y from x, through what the others of its group leave in local memory; `rounds` is the
 * same for all items.
 */
#include <reap/kernel.h>

#define BARRIER_PARAMETERS                                                                         \
    in(uint32_t, x), inout(uint32_t, y), value(size_t, rounds), local(uint32_t, shared)

/* The item that many places further on in the group. */
static size_t partner(REAP_ITEM, size_t places, size_t size)
{
    return (reap_local_linear_id() + places) % size;
}

static size_t group_size(REAP_ITEM)
{
    return reap_local_range(0) * reap_local_range(1) * reap_local_range(2);
}

static uint32_t swap_with(REAP_ITEM, REAP_LOCAL uint32_t *shared, uint32_t v, size_t places)
{
    shared[reap_local_linear_id()] = v;
    reap_barrier(REAP_LOCAL_SPACE);
    const uint32_t theirs = shared[partner(REAP_THIS_ITEM, places, group_size(REAP_THIS_ITEM))];
    reap_barrier(REAP_LOCAL_SPACE);
    return theirs;
}

REAP_ND_KERNEL(barrier_in_loop, BARRIER_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), size = group_size(REAP_THIS_ITEM);
    uint32_t v = x[i];
    for (size_t round = 0; round < rounds; round++) {
        shared[reap_local_linear_id()] = v;
        reap_barrier(REAP_LOCAL_SPACE);
        v = 31 * shared[partner(REAP_THIS_ITEM, round + 1, size)] + (uint32_t)round;
        reap_barrier(REAP_LOCAL_SPACE);
    }
    y[i] = v;
}

/* Odd and even groups go different ways, and so do rounds. */
REAP_ND_KERNEL(barrier_in_branch, BARRIER_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), size = group_size(REAP_THIS_ITEM);
    uint32_t v = x[i];
    if (reap_group_linear_id() % 2 == 0) {
        shared[reap_local_linear_id()] = v;
        reap_barrier(REAP_LOCAL_SPACE);
        v = 3 * shared[partner(REAP_THIS_ITEM, 1, size)];
    } else if (rounds > 1) {
        shared[reap_local_linear_id()] = v + 1;
        reap_barrier(REAP_LOCAL_SPACE);
        v = 5 * shared[partner(REAP_THIS_ITEM, 2, size)];
    }
    y[i] = v;
}

REAP_ND_KERNEL(barrier_before_return, BARRIER_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), size = group_size(REAP_THIS_ITEM);
    shared[reap_local_linear_id()] = x[i];
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = shared[partner(REAP_THIS_ITEM, 1, size)];
    if (reap_group_linear_id() % 3 == 1) {
        reap_barrier(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE);
        return;
    }
    y[i] += shared[partner(REAP_THIS_ITEM, 2, size)];
    reap_barrier(REAP_LOCAL_SPACE);
}

REAP_ND_KERNEL(barrier_in_helper, BARRIER_PARAMETERS)
{
    const size_t i = reap_global_linear_id();
    uint32_t v = x[i];
    v = 7 * swap_with(REAP_THIS_ITEM, shared, v, 1) + 1;
    for (size_t round = 0; round < rounds; round++)
        v = 9 * swap_with(REAP_THIS_ITEM, shared, v, round) + 2;
    y[i] = v;
}

REAP_ND_KERNEL(no_barrier, BARRIER_PARAMETERS)
{
    const size_t i = reap_global_linear_id();
    shared[reap_local_linear_id()] = x[i];
    y[i] = shared[reap_local_linear_id()] + (uint32_t)rounds;
}

/* The others' values go through y itself. */
REAP_ND_KERNEL(barrier_of_global_memory, BARRIER_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), size = group_size(REAP_THIS_ITEM);
    shared[reap_local_linear_id()] = (uint32_t)i;
    y[i] = x[i];
    reap_barrier(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE);
    const uint32_t theirs = y[shared[partner(REAP_THIS_ITEM, 1, size)]];
    reap_barrier(REAP_GLOBAL_SPACE);
    y[i] += 11 * theirs;
    reap_barrier(REAP_GLOBAL_SPACE);
    reap_barrier(REAP_LOCAL_SPACE);
    const uint32_t sum = y[shared[partner(REAP_THIS_ITEM, rounds, size)]];
    reap_barrier(REAP_GLOBAL_SPACE);
    y[i] += sum;
}

/* Loops in loops, do, while, switch, continue and break, all the same way for all items. */
REAP_ND_KERNEL(barrier_in_every_statement, BARRIER_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), l = reap_local_linear_id();
    const size_t size = group_size(REAP_THIS_ITEM);
    uint32_t v = x[i];
    size_t round = 0;
    do {
        for (size_t k = 0; k < 3; k++) {
            if ((round + k) % 3 == 2)
                continue;
            shared[l] = v;
            reap_barrier(REAP_LOCAL_SPACE);
            v += 3 * shared[partner(REAP_THIS_ITEM, k + 1, size)];
            reap_barrier(REAP_LOCAL_SPACE);
        }
        switch (round % 4) {
        case 0:
            reap_barrier(REAP_LOCAL_SPACE);
            break;
        case 1:
            shared[l] = v;
            reap_barrier(REAP_LOCAL_SPACE);
            /* fall through */
        default:
            v ^= l == 0 ? 5 : 6;
            reap_barrier(REAP_LOCAL_SPACE);
        }
        if (round == 6)
            break;
    } while (round++ < rounds);
    y[i] = v;
}

#if defined(__OPENCL_VERSION__) || defined(__CUDACC_RTC__)
typedef double widest;
#else
typedef long double widest;
#endif

typedef struct {
    int16_t small;
    double large;
    uint64_t pair[2];
} mixture;

/* Many variables of many types, all of which live across barriers. */
REAP_ND_KERNEL(barrier_among_variables, BARRIER_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), size = group_size(REAP_THIS_ITEM);
    const uint32_t a = x[i], b = a * 3, c = a ^ 0x55, d = a + 7, e = a >> 3, f = a << 5, g = ~a;
    const uint64_t wide = (uint64_t)a << 32 | b;
    const double p = a * 0.25, q = b * 0.5, r = c * 2.0, s = d * 4.0;
    const float single = (float)(a & 0xffff);
    const widest longest = a;
    mixture mixed = {(int16_t)(a & 0x7fff), a * 8.0, {a, b}};
    uint32_t table[200];
    for (uint32_t k = 0; k < 200; k++)
        table[k] = a * (k + 1);
    for (size_t round = 0; round < rounds; round++) {
        shared[reap_local_linear_id()] = a + (uint32_t)round;
        reap_barrier(REAP_LOCAL_SPACE);
        const uint32_t theirs = shared[partner(REAP_THIS_ITEM, 1, size)];
        table[round] ^= theirs;
        mixed.pair[round % 2] += theirs;
        mixed.large += 1;
        reap_barrier(REAP_LOCAL_SPACE);
    }
    uint32_t sum = a + b + c + d + e + f + g + (uint32_t)(wide >> 31) + (uint32_t)mixed.small;
    sum += (uint32_t)(uint64_t)(p * 4) + (uint32_t)(uint64_t)(q * 2) + (uint32_t)(uint64_t)(r / 2);
    sum += (uint32_t)(uint64_t)(s / 4) + (uint32_t)single + (uint32_t)longest;
    sum += (uint32_t)(uint64_t)(mixed.large / 8) + (uint32_t)(mixed.pair[0] ^ mixed.pair[1]);
    for (uint32_t k = 0; k < 200; k++)
        sum = 5 * sum + table[k];
    y[i] = sum;
}

/* One item writes what all others read before and after a barrier: they have to read again. */
REAP_ND_KERNEL(barrier_at_one_place, BARRIER_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), item = reap_local_linear_id();
    const uint32_t v = x[i];
    if (item == 0)
        shared[0] = v;
    reap_barrier(REAP_LOCAL_SPACE);
    const uint32_t first = shared[0];
    reap_barrier(REAP_LOCAL_SPACE);
    if (item == 0)
        shared[0] = first + 7;
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = 0;
    for (size_t round = 0; round < rounds; round++) {
        y[i] = 3 * y[i] + shared[0];
        reap_barrier(REAP_LOCAL_SPACE);
        if (item == 0)
            shared[0] += (uint32_t)round;
        reap_barrier(REAP_LOCAL_SPACE);
    }
    y[i] += shared[0] + first;
}

/* The same in global memory: the place is the group's item 0's, which all others find there. */
REAP_ND_KERNEL(barrier_at_one_global_place, BARRIER_PARAMETERS)
{
    const size_t i = reap_global_linear_id(), item = reap_local_linear_id();
    if (item == 0)
        shared[0] = (uint32_t)i;
    reap_barrier(REAP_LOCAL_SPACE);
    const size_t place = shared[0];
    if (item == 0)
        y[place] = x[place];
    reap_barrier(REAP_GLOBAL_SPACE);
    const uint32_t first = y[place];
    reap_barrier(REAP_GLOBAL_SPACE);
    if (item == 0)
        y[place] = first + 7 + (uint32_t)rounds;
    reap_barrier(REAP_GLOBAL_SPACE);
    const uint32_t second = y[place];
    reap_barrier(REAP_GLOBAL_SPACE);
    y[i] = first ^ second;
}

/* Transposes the group's tile: in one dimension it reverses a row. */
REAP_ND_KERNEL(transpose_group, BARRIER_PARAMETERS)
{
    const size_t i = reap_global_linear_id();
    const size_t n0 = reap_local_range(0), n1 = reap_local_range(1), n2 = reap_local_range(2);
    const size_t to = (reap_local_id(2) * n1 + reap_local_id(1)) * n0 + reap_local_id(0);
    shared[to] = x[i] + (uint32_t)rounds;
    reap_barrier(REAP_LOCAL_SPACE);
    y[i] = shared[n0 * n1 * n2 - 1 - reap_local_linear_id()];
}
