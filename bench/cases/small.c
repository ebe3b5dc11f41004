/* SPDX-License-Identifier: Apache-2.0
 *
 * The sums of many small arrays, in a loop; one wait at its end.
 */
#include "bench/cases/list.h"

#include "bench/cases/small.kernels.h"

#include <reap/reap.h>

enum { CALLS = 256 };

static void launch(const struct bench_task *task, struct bench_result *result)
{
    const float *x = task->x;
    float sums[CALLS] = {0};
    double sum = 0;
    for (size_t c = 0; c < CALLS; c++)
        reap_parallel_for(task->queue, add_piece, reap_range_1d(task->count),
                          .x = x + c * task->count, .sum = {.variable = &sums[c]});
    reap_queue_wait(task->queue);
    for (size_t c = 0; c < CALLS; c++)
        sum += (double)sums[c];
    result->values[0] = sum;
}

static void add_up(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0;
    for (size_t i = 0; i < CALLS * task->count; i++)
        sum += bench_value(task->type, task->x, i);
    result->values[0] = sum;
}

static const struct bench_offer offers[] = {{"small", BENCH_FLOAT, launch}};

static const struct bench_variant variants[] = {{"", CALLS, BENCH_SIGNS}};

const struct bench_case bench_case_small = {.name = "small",
                                            .title = "sums of small arrays in a loop",
                                            .offers = offers,
                                            .offer_count = sizeof offers / sizeof *offers,
                                            .variants = variants,
                                            .variant_count = sizeof variants / sizeof *variants,
                                            .arrays = 1,
                                            .words = 1,
                                            .is_loop = true,
                                            .least = 6,
                                            .most = 12,
                                            .value_count = 1,
                                            .reference = add_up};
