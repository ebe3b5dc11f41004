/* SPDX-License-Identifier: Apache-2.0
 *
 * REAP_ANY_KERNEL: over a range what a REAP_KERNEL is, over an nd_range what a REAP_ND_KERNEL is,
 * to the bit; and what does not fit a launch.
 */
#include "tests/conformance/any_range.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

enum { MOST_ITEMS = 70000, BINS = 10 };

struct results {
    double exact;
    uint64_t at;
    float sum;
    uint32_t word;
    int most;
    reap_bfloat16 largest;
};

static const struct results begin = {0.5, UINT64_MAX, 0.25f, 3, INT32_MIN, {0xff80}};

#define ARGUMENTS(r, range)                                                                        \
    {                                                                                              \
        range, .x = x, .factor = 3, .ids = ids, .sum = {.variable = &(r)->sum},                    \
               .word = {.variable = &(r)->word},                                                   \
               .most = {.variable = &(r)->most, .location = &(r)->at},                             \
               .exact = {.variable = &(r)->exact}, .largest = {                                    \
                   .variable = &(r)->largest                                                       \
               }                                                                                   \
    }

/* The same arguments for a kernel for any range and for one of a kind. */
static void check_alike(reap_queue *queue, reap_range range, const uint32_t *x)
{
    const size_t items = range.size[0] * range.size[1] * range.size[2];
    uint64_t *ids = test_allocate(items * sizeof *ids), *one = test_allocate(items * sizeof *one);
    struct results any = begin, kind = begin;
    const struct reap_arguments_both arguments = ARGUMENTS(&any, range);
    CHECK_LAUNCH(reap_launch(queue, &reap_kernel_both, &arguments), queue);
    memcpy(one, ids, items * sizeof *ids);
    if (range.group[0] == 0) {
        const struct reap_arguments_over_range same = ARGUMENTS(&kind, range);
        CHECK_LAUNCH(reap_launch(queue, &reap_kernel_over_range, &same), queue);
    } else {
        const struct reap_arguments_over_groups same = ARGUMENTS(&kind, range);
        CHECK_LAUNCH(reap_launch(queue, &reap_kernel_over_groups, &same), queue);
    }
    CHECK(memcmp(one, ids, items * sizeof *ids) == 0);
    CHECK(memcmp(&any, &kind, offsetof(struct results, largest)) == 0);
    CHECK_EQ(any.largest.bits, kind.largest.bits);
    CHECK(items < 100 || memcmp(&any, &begin, sizeof begin) != 0);
    free(ids);
    free(one);
}

/* By the macro, which chooses an object by the number of dimensions. */
static void check_named(reap_queue *queue, size_t items, const uint32_t *x)
{
    uint32_t counts[2][BINS] = {{0}}, words[2][BINS] = {{0}}, expected[BINS] = {0};
    uint32_t *y = test_allocate(items * sizeof *y);
    size_t right = 0;
    memcpy(y, x, items * sizeof *y);
    for (size_t i = 0; i < items; i++)
        expected[x[i] % BINS]++;
    CHECK_LAUNCH(reap_parallel_for(queue, both_spans, reap_range_1d(items), .x = x,
                                   .counts = {.variable = counts[0], .count = BINS},
                                   .words = {.variable = words[0], .count = BINS}),
                 queue);
    CHECK_LAUNCH(reap_parallel_for(queue, both_spans, reap_nd_range_1d(items, 5), .x = x,
                                   .counts = {.variable = counts[1], .count = BINS},
                                   .words = {.variable = words[1], .count = BINS}),
                 queue);
    CHECK_LAUNCH(reap_parallel_for(queue, both_plain, reap_range_1d(items), .x = y), queue);
    CHECK_LAUNCH(
        reap_parallel_for(queue, both_plain, reap_nd_range_2d(items / 10, 10, 1, 5), .x = y),
        queue);
    CHECK(memcmp(counts[0], expected, sizeof expected) == 0);
    CHECK(memcmp(counts[1], expected, sizeof expected) == 0);
    for (size_t i = 0; i < items; i++)
        right += y[i] == x[i] + 14;
    CHECK_EQ(right, items);
    free(y);
}

/* A barrier is for groups alone: over a range the launch fails, and variables keep their values. */
static void check_waiting(reap_queue *queue)
{
    enum { ITEMS = 60, GROUP = 6 };
    uint32_t *x = test_allocate(ITEMS * sizeof *x), sum = 5;
    size_t right = 0;
    for (uint32_t i = 0; i < ITEMS; i++)
        x[i] = i;
    CHECK_LAUNCH(reap_parallel_for(queue, waits, reap_nd_range_1d(ITEMS, GROUP), .x = x,
                                   .sum = {.variable = &sum}),
                 queue);
    for (uint32_t i = 0; i < ITEMS; i++)
        right += x[i] == i / GROUP * GROUP * GROUP + 15 + i % GROUP;
    CHECK_EQ(right, ITEMS);
    CHECK_EQ(sum, 5 + ITEMS);
    reap_status status =
        reap_parallel_for(queue, waits, reap_range_1d(ITEMS), .x = x, .sum = {.variable = &sum});
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    else
        reap_queue_wait(queue);
    CHECK_EQ(status,
             test_on_device() ? REAP_ERROR_COMPILATION_FAILED : REAP_ERROR_DIVERGENT_BARRIER);
    CHECK_EQ(sum, 5 + ITEMS);
    CHECK_STATUS(reap_parallel_for(queue, waits, reap_range_1d(ITEMS), .x = x, .sum = &sum),
                 test_on_device() ? REAP_ERROR_COMPILATION_FAILED : REAP_ERROR_DIVERGENT_BARRIER);
    CHECK_HAS(reap_last_error(), "kernel 'waits'");
    CHECK_HAS(reap_last_error(), "over an nd_range");
    reap_queue_wait(queue);
    free(x);
}

static void check_refusals(reap_queue *queue, const uint32_t *x)
{
    uint32_t y[10] = {0};
    const struct reap_arguments_both_plain groups = {reap_nd_range_2d(5, 2, 0, 2), .x = y};
    uint64_t *ids = test_allocate(10 * sizeof *ids);
    struct results r = begin;
    CHECK_STATUS(reap_launch(queue, &reap_kernel_both_plain, &groups), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "no size in dimension 0");
    const struct reap_arguments_over_range in_groups = ARGUMENTS(&r, reap_nd_range_1d(10, 5));
    CHECK_STATUS(reap_launch(queue, &reap_kernel_over_range, &in_groups),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "REAP_ANY_KERNEL");
    const struct reap_arguments_over_groups in_range = ARGUMENTS(&r, reap_range_1d(10));
    CHECK_STATUS(reap_launch(queue, &reap_kernel_over_groups, &in_range),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "REAP_ANY_KERNEL");
    CHECK(memcmp(&r, &begin, sizeof r) == 0);
    free(ids);
}

int main(void)
{
    static const size_t counts[] = {10, 100, 2050, MOST_ITEMS};
    uint64_t random = check_seed();
    uint32_t *x = test_allocate(MOST_ITEMS * sizeof *x);
    reap_queue *queues[QUEUES];
    for (size_t i = 0; i < MOST_ITEMS; i++)
        x[i] = (uint32_t)check_random(&random);
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const size_t n = counts[c];
            check_alike(queues[q], reap_range_1d(n), x);
            check_alike(queues[q], reap_nd_range_1d(n, 10), x);
            check_alike(queues[q], reap_range_2d(n / 10, 10), x);
            check_alike(queues[q], reap_nd_range_2d(n / 10, 10, 1, 5), x);
            check_alike(queues[q], reap_range_3d(n / 10, 5, 2), x);
            check_alike(queues[q], reap_nd_range_3d(n / 10, 5, 2, 1, 5, 1), x);
            check_named(queues[q], n, x);
        }
        check_waiting(queues[q]);
        check_refusals(queues[q], x);
    }
    queues_close(queues);
    free(x);
    return check_finish();
}
