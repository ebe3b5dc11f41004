/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of reap/algorithms.h read and write variables of the program (edges, an initial value,
 * results) in their turn among the commands of an in-order queue: after a reduction that stores to
 * them. On the queue of the device, and on an asynchronous one.
 */
#include "tests/conformance/array_turns.kernels.h"

#include "tests/support/check_status.h"

#include <reap/algorithms.h>
#include <reap/reap.h>

enum { COUNT = 64, ROUNDS = 20000 };

struct memory {
    double *x, *sums; /* of buffers */
    uint64_t *counts;
};

static void sum_slowly_to(reap_queue *queue, const struct memory *memory, double *sum)
{
    CHECK_STATUS(reap_parallel_for(queue, sum_slowly, reap_range_1d(COUNT), .x = memory->x,
                                   .rounds = ROUNDS, .sum = {.result = sum}),
                 REAP_OK);
}

static void copy(reap_queue *queue, void *to, const void *from, size_t bytes)
{
    CHECK_STATUS(reap_copy(queue, to, from, bytes, NULL), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
}

static void check_initial_value(reap_queue *queue, const struct memory *memory)
{
    double first = -1000, sums[COUNT] = {0};
    sum_slowly_to(queue, memory, &first);
    CHECK_STATUS(reap_exclusive_scan(queue, REAP_SCAN_SUM, memory->x, COUNT, &first, memory->sums),
                 REAP_OK);
    copy(queue, sums, memory->sums, sizeof sums);
    CHECK_EQ(sums[0], COUNT);
    CHECK_EQ(sums[COUNT - 1], 2 * COUNT - 1);
}

static void check_edges(reap_queue *queue, const struct memory *memory)
{
    double edges[] = {0, 0.5, 1000};
    uint64_t counts[] = {5, 5};
    sum_slowly_to(queue, memory, &edges[1]); /* COUNT */
    CHECK_STATUS(reap_histogram(queue, memory->x, COUNT, edges, 2, memory->counts), REAP_OK);
    copy(queue, counts, memory->counts, sizeof counts);
    CHECK_EQ(counts[0], COUNT);
    CHECK_EQ(counts[1], 0);
}

/* Results that no command computes. */
static void check_results(reap_queue *queue, const struct memory *memory)
{
    double sum = 5;
    reap_moments moments;
    sum_slowly_to(queue, memory, &sum);
    CHECK_STATUS(reap_sum(queue, memory->x, 0, &sum), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_EQ(sum, 0);
    sum_slowly_to(queue, memory, &moments.mean);
    CHECK_STATUS(reap_statistics(queue, memory->x, 0, &moments), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(moments.mean != COUNT);
}

/* The wait leaves an error to the queue. */
static void check_error(reap_queue *queue, const struct memory *memory)
{
    uint32_t bin = 0;
    const reap_status launched =
        reap_parallel_for(queue, count_outside, reap_range_1d(COUNT), .x = memory->x,
                          .bins = {.variable = &bin, .count = 1});
    CHECK_STATUS(reap_queue_wait_for_variable(queue, &bin, sizeof bin), REAP_OK);
    CHECK(launched == REAP_OK || launched == REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
}

int main(void)
{
    for (int i = 0; i < 4; i++) {
        const reap_queue_options options = {.asynchronous = i % 2 != 0, .out_of_order = i > 1};
        reap_buffer *buffers[3] = {NULL, NULL, NULL};
        reap_queue *queue = NULL;
        void *x = NULL;
        CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
        CHECK_STATUS(reap_buffer_create(COUNT * sizeof(double), &buffers[0]), REAP_OK);
        CHECK_STATUS(reap_buffer_create(COUNT * sizeof(double), &buffers[1]), REAP_OK);
        CHECK_STATUS(reap_buffer_create(2 * sizeof(uint64_t), &buffers[2]), REAP_OK);
        CHECK_STATUS(reap_host_access_begin(buffers[0], REAP_WRITE, &x), REAP_OK);
        for (int e = 0; e < COUNT; e++)
            ((double *)x)[e] = 1;
        CHECK_STATUS(reap_host_access_end(buffers[0]), REAP_OK);
        const struct memory memory = {x, reap_buffer_data(buffers[1]),
                                      reap_buffer_data(buffers[2])};
        if (!options.out_of_order) {
            check_initial_value(queue, &memory);
            check_edges(queue, &memory);
            check_results(queue, &memory);
        }
        check_error(queue, &memory);
        for (int b = 0; b < 3; b++)
            CHECK_STATUS(reap_buffer_release(buffers[b]), REAP_OK);
        reap_queue_release(queue);
    }
    return check_finish();
}
