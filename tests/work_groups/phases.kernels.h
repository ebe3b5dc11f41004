/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels in phases: what ends an item's part of one, what lasts from one to the next, and phases
 * in loops and branches. All have the same parameters.
 */
#include <reap/kernel.h>

#define PHASE_PARAMETERS                                                                           \
    in(uint32_t, x), out(uint32_t, y), value(size_t, rounds), local(uint32_t, shared)

#define GROUP_SIZE (reap_local_range(0) * reap_local_range(1) * reap_local_range(2))

/* continue and break end the item's part only; in loops within it, too. */
REAP_GROUP_KERNEL(phase_ends, PHASE_PARAMETERS)
{
    const size_t size = GROUP_SIZE;
    (void)rounds;
    reap_for_each_item {
        const size_t item = reap_local_linear_id();
        const uint32_t v = x[reap_global_linear_id()];
        shared[item] = v;
        if (v % 5 == 0)
            continue;
        if (v % 5 == 1)
            break;
        for (uint32_t k = 0; k < 10; k++) {
            if (k == v % 7)
                break;
            if (k % 2 == 0)
                continue;
            shared[item] += k;
        }
        shared[item] += 1;
    }
    reap_for_each_item {
        const size_t item = reap_local_linear_id();
        y[reap_global_linear_id()] = shared[(item + 1) % size];
    }
}

/* A phase in a loop; between phases only what all items share changes. */
REAP_GROUP_KERNEL(phases_in_loop, PHASE_PARAMETERS)
{
    const size_t size = GROUP_SIZE;
    uint32_t factor = 3;
    reap_for_each_item {
        shared[reap_local_linear_id()] = x[reap_global_linear_id()];
    }
    for (size_t round = 0; round < rounds; round++) {
        factor = 5 * factor + (uint32_t)round;
        reap_for_each_item {
            const size_t item = reap_local_linear_id();
            y[reap_global_linear_id()] = shared[(item + round + 1) % size];
        }
        if (round % 3 == 2)
            continue;
        reap_for_each_item {
            shared[reap_local_linear_id()] = factor * y[reap_global_linear_id()];
        }
    }
    reap_for_each_item {
        y[reap_global_linear_id()] = shared[reap_local_linear_id()];
    }
}

/* Phases of the first items: of fewer each time, of a number in memory that they change, of all. */
REAP_GROUP_KERNEL(phases_of_first_items, PHASE_PARAMETERS)
{
    uint32_t round = 1;
    reap_for_first_items((size_t)-1) {
        shared[reap_local_linear_id()] = x[reap_global_linear_id()];
    }
    for (size_t count = GROUP_SIZE; count > 0; count /= 2, round++)
        reap_for_first_items(count) {
            const size_t item = reap_local_linear_id();
            shared[item] += round;
            if ((shared[item] - round) % 3 == 0)
                continue;
            shared[item] += 4 * round;
        }
    reap_for_first_items(shared[0] % (GROUP_SIZE + 2))
        shared[reap_local_linear_id()] ^= 77;
    reap_for_each_item
        y[reap_global_linear_id()] = shared[reap_local_linear_id()];
    reap_for_first_items(0)
        y[reap_global_linear_id()] = 0;
    if (rounds > 0)
        reap_for_first_items(rounds)
            y[reap_global_linear_id()] += 1000;
}

typedef struct {
    double large;
    uint16_t small[3];
} own_pair;

/* Words of an item's own, of several types, over several phases. */
REAP_GROUP_KERNEL(phases_with_words, PHASE_PARAMETERS)
{
    const size_t size = GROUP_SIZE;
    reap_item_private(uint8_t, byte);
    reap_item_private(uint32_t, sum);
    reap_item_private(own_pair, pair);
    reap_for_each_item {
        const uint32_t v = x[reap_global_linear_id()];
        reap_private(byte) = (uint8_t)v;
        reap_private(sum) = v;
        reap_private(pair).large = v * 0.5;
        reap_private(pair).small[2] = (uint16_t)(v >> 16);
        shared[reap_local_linear_id()] = v;
    }
    for (size_t round = 0; round < rounds; round++) {
        reap_for_each_item {
            const size_t item = reap_local_linear_id();
            reap_private(sum) += shared[(item + round) % size];
            reap_private(byte) = (uint8_t)(reap_private(byte) + 1);
        }
    }
    reap_item_private(uint64_t, late);
    reap_for_each_item {
        reap_private(late) = reap_private(sum);
    }
    reap_for_each_item {
        y[reap_global_linear_id()] = (uint32_t)reap_private(late) + reap_private(byte) +
                                     (uint32_t)(uint64_t)(reap_private(pair).large * 2) +
                                     reap_private(pair).small[2];
    }
}

typedef struct {
    uint32_t word[256];
} kilobyte;

/* As many bytes of words as there may be. */
REAP_GROUP_KERNEL(phases_with_full_words, PHASE_PARAMETERS)
{
    (void)shared;
    reap_item_private(kilobyte, all);
    reap_for_each_item {
        for (uint32_t k = 0; k < 256; k++)
            reap_private(all).word[k] = x[reap_global_linear_id()] * k;
    }
    reap_for_each_item {
        y[reap_global_linear_id()] = reap_private(all).word[255] + reap_private(all).word[rounds];
    }
}

/* Groups go different ways, and end early. */
REAP_GROUP_KERNEL(phases_in_branch, PHASE_PARAMETERS)
{
    reap_for_each_item {
        y[reap_global_linear_id()] = x[reap_global_linear_id()];
    }
    if (reap_group_linear_id() % 3 == 0)
        return;
    if (reap_group_linear_id() % 3 == 1) {
        reap_for_each_item {
            shared[reap_local_linear_id()] = y[reap_global_linear_id()];
        }
    } else {
        reap_for_each_item
            shared[reap_local_linear_id()] = (uint32_t)rounds;
    }
    reap_for_each_item
        y[reap_global_linear_id()] += shared[GROUP_SIZE - 1 - reap_local_linear_id()];
}

/* A phase with nothing in it, none at all, and one in which the last item writes for all items. */
REAP_GROUP_KERNEL(phases_of_little, PHASE_PARAMETERS)
{
    (void)shared;
    reap_for_each_item {
    }
    reap_for_each_item {
        if (reap_local_linear_id() + 1 < GROUP_SIZE)
            continue;
        for (size_t item = 0; item < GROUP_SIZE; item++) {
            const size_t above = reap_global_range(1) * reap_global_range(2);
            const size_t i = item / reap_local_range(2) / reap_local_range(1);
            const size_t j = item / reap_local_range(2) % reap_local_range(1);
            const size_t first = reap_group_id(0) * reap_local_range(0) + i;
            const size_t second = reap_group_id(1) * reap_local_range(1) + j;
            const size_t third =
                reap_group_id(2) * reap_local_range(2) + item % reap_local_range(2);
            const size_t at = first * above + second * reap_global_range(2) + third;
            y[at] = x[at] + (uint32_t)rounds;
        }
    }
}

REAP_GROUP_KERNEL(no_phases, PHASE_PARAMETERS)
{
    (void)x, (void)y, (void)rounds, (void)shared;
}
