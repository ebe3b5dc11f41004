/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices read a kernel's text as C.
 */
#include "tests/conformance/meanings.kernels.h"

#include "tests/conformance/queues.h"

enum { COUNT = 5 };

static struct counted values[COUNT];
static uint64_t found[COUNT * MEANINGS];

static void check_meanings(reap_queue *queue)
{
    for (size_t i = 0; i < COUNT; i++)
        values[i] = (struct counted){(int)i, 10 + i, 100, 7, 1000};
    CHECK_LAUNCH(reap_parallel_for(queue, find_meanings, reap_range_1d(COUNT), .x = values,
                                   .y = values[COUNT - 1], .found = found),
                 queue);
    for (size_t i = 0; i < COUNT; i++) {
        const uint64_t *of_item = &found[i * MEANINGS];
        CHECK_EQ(of_item[0], 1110 + i);
        CHECK_EQ(of_item[1], 1110 + COUNT - 1);
        CHECK_EQ(of_item[2], 13 + i);
        CHECK_EQ(of_item[3], (UINT64_MAX * 3) >> 7);
        CHECK_EQ(of_item[4], sizeof(struct counted) + 16);
        CHECK_EQ(of_item[5], sizeof(void *));
        CHECK_EQ(of_item[6], 1);
        CHECK_EQ(of_item[7], INT64_MAX - 800);
        CHECK_EQ(of_item[8],
                 (uint64_t)SIG_ATOMIC_MAX + WINT_MAX + WINT_MIN + (WCHAR_MAX > WCHAR_MIN));
        CHECK_EQ(of_item[9], (uint64_t)PTRDIFF_MAX - i + MB_LEN_MAX +
                                 (uint64_t)(SIG_ATOMIC_MIN / 3 + INT_MAX) + INTMAX_MAX);
        CHECK_EQ(of_item[10], i + 1 + _Alignof(uint64_t));
    }
}

int main(void)
{
    reap_queue *queues[QUEUES];
    TEST_SHARE(values);
    TEST_SHARE(found);
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++)
        check_meanings(queues[q]);
    queues_close(queues);
    return check_finish();
}
