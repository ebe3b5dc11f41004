/* SPDX-License-Identifier: Apache-2.0
 *
 * The sum and the maximum of an array, in one pass.
 */
#include "bench/cases/list.h"

#include "bench/cases/sum_max.kernels.h"

#include <reap/reap.h>

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    float sum = 0, most = ((const float *)task->x)[0];
    reap_parallel_for(task->queue, sum_max_float, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum}, .most = {.variable = &most});
    reap_queue_wait(task->queue);
    result->values[0] = (double)sum;
    result->values[1] = (double)most;
}

static void launch_double(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0, most = ((const double *)task->x)[0];
    reap_parallel_for(task->queue, sum_max_double, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum}, .most = {.variable = &most});
    reap_queue_wait(task->queue);
    result->values[0] = sum;
    result->values[1] = most;
}

static void launch_int(const struct bench_task *task, struct bench_result *result)
{
    int sum = 0, most = ((const int *)task->x)[0];
    reap_parallel_for(task->queue, sum_max_int, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum}, .most = {.variable = &most});
    reap_queue_wait(task->queue);
    result->values[0] = sum;
    result->values[1] = most;
}

static void find_both(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0, most = bench_value(task->type, task->x, 0);
    for (size_t i = 0; i < task->count; i++) {
        const double v = bench_value(task->type, task->x, i);
        sum += v;
        most = v > most ? v : most;
    }
    result->values[0] = sum;
    result->values[1] = most;
}

static const struct bench_offer offers[] = {{"sum-max", BENCH_FLOAT, launch_float},
                                            {"sum-max", BENCH_DOUBLE, launch_double},
                                            {"sum-max", BENCH_INT, launch_int}};

static const struct bench_variant variants[] = {{"", 0, BENCH_SIGNS}};

const struct bench_case bench_case_sum_max = {.name = "sum-max",
                                              .title = "sum and max",
                                              .offers = offers,
                                              .offer_count = sizeof offers / sizeof *offers,
                                              .variants = variants,
                                              .variant_count = sizeof variants / sizeof *variants,
                                              .arrays = 1,
                                              .words = 1,
                                              .least = 6,
                                              .most = 28,
                                              .is_owed = true,
                                              .value_count = 2,
                                              .reference = find_both};
