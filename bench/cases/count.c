/* SPDX-License-Identifier: Apache-2.0
 *
 * How many numbers of an array are above zero.
 */
#include "bench/cases/list.h"

#include "bench/cases/count.kernels.h"

#include <reap/reap.h>

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    uint64_t count = 0;
    reap_parallel_for(task->queue, count_float, reap_range_1d(task->count), .x = task->x,
                      .count = {.variable = &count});
    reap_queue_wait(task->queue);
    result->values[0] = (double)count;
}

static void launch_double(const struct bench_task *task, struct bench_result *result)
{
    uint64_t count = 0;
    reap_parallel_for(task->queue, count_double, reap_range_1d(task->count), .x = task->x,
                      .count = {.variable = &count});
    reap_queue_wait(task->queue);
    result->values[0] = (double)count;
}

static void launch_int(const struct bench_task *task, struct bench_result *result)
{
    uint64_t count = 0;
    reap_parallel_for(task->queue, count_int, reap_range_1d(task->count), .x = task->x,
                      .count = {.variable = &count});
    reap_queue_wait(task->queue);
    result->values[0] = (double)count;
}

static void count_all(const struct bench_task *task, struct bench_result *result)
{
    double count = 0;
    for (size_t i = 0; i < task->count; i++)
        if (bench_value(task->type, task->x, i) > 0)
            count++;
    result->values[0] = count;
}

static const struct bench_offer offers[] = {{"count", BENCH_FLOAT, launch_float},
                                            {"count", BENCH_DOUBLE, launch_double},
                                            {"count", BENCH_INT, launch_int}};

static const struct bench_variant variants[] = {{"", 0, BENCH_RANDOM}};

const struct bench_case bench_case_count = {.name = "count",
                                            .title = "conditional count",
                                            .offers = offers,
                                            .offer_count = sizeof offers / sizeof *offers,
                                            .variants = variants,
                                            .variant_count = sizeof variants / sizeof *variants,
                                            .arrays = 1,
                                            .words = 1,
                                            .least = 6,
                                            .most = 28,
                                            .is_owed = true,
                                            .value_count = 1,
                                            .reference = count_all};
