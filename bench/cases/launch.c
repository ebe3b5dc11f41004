/* SPDX-License-Identifier: Apache-2.0
 *
 * The sum of few numbers, read at once: the time of a launch.
 */
#include "bench/cases/list.h"

#include "bench/cases/launch.kernels.h"

#include <reap/reap.h>

static void launch(const struct bench_task *task, struct bench_result *result)
{
    float sum = 0;
    reap_parallel_for(task->queue, add_few, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = (double)sum;
}

static void add_up(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0;
    for (size_t i = 0; i < task->count; i++)
        sum += bench_value(task->type, task->x, i);
    result->values[0] = sum;
}

static const struct bench_offer offers[] = {{"launch", BENCH_FLOAT, launch}};

static const struct bench_variant variants[] = {{"", 0, BENCH_SIGNS}};

const struct bench_case bench_case_launch = {.name = "launch",
                                             .title = "launch and value",
                                             .offers = offers,
                                             .offer_count = sizeof offers / sizeof *offers,
                                             .variants = variants,
                                             .variant_count = sizeof variants / sizeof *variants,
                                             .arrays = 1,
                                             .words = 1,
                                             .least = 6,
                                             .most = 6,
                                             .value_count = 1,
                                             .reference = add_up};
