/* SPDX-License-Identifier: Apache-2.0
 *
 * What a work-item has in registers is there again when it has waited for its group, which runs on
 * as many stacks as it has items; groups of one size after the other, which find the stacks of the
 * ones before.
 */
#include "tests/support/check_status.h"
#include "tests/unit/group_registers.kernels.h"

#include <reap/reap.h>
#include <stdalign.h>

enum { ITEMS = 1920, ROUNDS = 7 };

static double sums[ITEMS];
static uint64_t mixes[ITEMS];
static uint32_t unaligned[ITEMS];

bool stack_is_aligned(void)
{
    max_align_t place;
    const volatile uintptr_t address = (uintptr_t)&place; /* or the compiler knows the answer */
    return address % alignof(max_align_t) == 0;
}

static void check_item(size_t item, size_t rounds)
{
    ITEM_BEGINS
    for (size_t round = 0; round < rounds; round++) {
        ITEM_CHANGES
    }
    ITEM_ENDS
    CHECK(check_same(&sums[item], &sum_d, sizeof sum_d));
    CHECK(check_same(&mixes[item], &sum_n, sizeof sum_n));
    CHECK_EQ(unaligned[item], 0);
}

static void check_groups(reap_queue *queue, const struct reap_kernel *kernel, size_t size,
                         size_t rounds)
{
    const struct reap_arguments_keep_registers arguments = {
        reap_nd_range_1d(ITEMS, size), .rounds = rounds, .sums = sums, .mixes = mixes,
        .unaligned = unaligned,
    };
    memset(sums, 0xee, sizeof sums);
    memset(mixes, 0xee, sizeof mixes);
    CHECK_STATUS(reap_launch(queue, kernel, &arguments), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    for (size_t item = 0; item < ITEMS; item++)
        check_item(item, rounds);
}

static void check_kernel(reap_queue *queue, const struct reap_kernel *kernel)
{
    static const size_t sizes[] = {1, 2, 3, 64, 480, 5};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t rounds = 0; rounds <= ROUNDS; rounds += ROUNDS)
            CHECK_IN(check_groups(queue, kernel, sizes[s], rounds));
}

int main(void)
{
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    CHECK_IN(check_kernel(queue, &reap_kernel_keep_registers));
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) {
        CHECK_IN(check_kernel(queue, &reap_kernel_keep_more_registers));
        CHECK_IN(check_kernel(queue, &reap_kernel_keep_while_helper_waits));
        CHECK_IN(check_kernel(queue, &reap_kernel_keep_in_helper));
    }
#endif
    reap_queue_release(queue);
    return check_finish();
}
