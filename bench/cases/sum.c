/* SPDX-License-Identifier: Apache-2.0
 *
 * The sum of an array.
 */
#include "bench/cases/list.h"

#include "bench/cases/sum.kernels.h"

#include <reap/algorithms.h>
#include <reap/reap.h>

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    float sum = 0;
    reap_parallel_for(task->queue, sum_float, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = (double)sum;
}

static void launch_double(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0;
    reap_parallel_for(task->queue, sum_double, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = sum;
}

static void launch_int(const struct bench_task *task, struct bench_result *result)
{
    int sum = 0;
    reap_parallel_for(task->queue, sum_int, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = sum;
}

static void launch_half(const struct bench_task *task, struct bench_result *result)
{
    reap_half sum = {0};
    reap_parallel_for(task->queue, sum_half, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = (double)reap_half_to_float(sum);
}

static void launch_bfloat16(const struct bench_task *task, struct bench_result *result)
{
    reap_bfloat16 sum = {0};
    reap_parallel_for(task->queue, sum_bfloat16, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = (double)reap_bfloat16_to_float(sum);
}

static void add_up(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0;
    for (size_t i = 0; i < task->count; i++)
        sum += bench_value(task->type, task->x, i);
    result->values[0] = sum;
}

static const struct bench_offer offers[] = {{"sum", BENCH_FLOAT, launch_float},
                                            {"sum", BENCH_DOUBLE, launch_double},
                                            {"sum", BENCH_INT, launch_int},
                                            {"sum", BENCH_HALF, launch_half},
                                            {"sum", BENCH_BFLOAT16, launch_bfloat16}};

static const struct bench_variant variants[] = {{"", 0, BENCH_SIGNS}};

const struct bench_case bench_case_sum = {.name = "sum",
                                          .title = "sum",
                                          .offers = offers,
                                          .offer_count = sizeof offers / sizeof *offers,
                                          .variants = variants,
                                          .variant_count = 1,
                                          .arrays = 1,
                                          .words = 1,
                                          .least = 6,
                                          .most = 28,
                                          .has_speedup = true,
                                          .is_owed = true,
                                          .value_count = 1,
                                          .reference = add_up};

/* ---- Without a kernel: algorithms.h --------------------------------------------------*/

static void ready_float(const struct bench_task *task, struct bench_result *result)
{
    const float *x = task->x;
    float sum = 0;
    reap_sum(task->queue, x, task->count, &sum);
    result->values[0] = (double)sum;
}

static void ready_double(const struct bench_task *task, struct bench_result *result)
{
    const double *x = task->x;
    double sum = 0;
    reap_sum(task->queue, x, task->count, &sum);
    result->values[0] = (double)sum;
}

static void ready_int(const struct bench_task *task, struct bench_result *result)
{
    const int *x = task->x;
    int64_t sum = 0;
    reap_sum(task->queue, x, task->count, &sum);
    result->values[0] = (double)sum;
}

static const struct bench_offer ready_offers[] = {{"ready-sum", BENCH_FLOAT, ready_float},
                                                  {"ready-sum", BENCH_DOUBLE, ready_double},
                                                  {"ready-sum", BENCH_INT, ready_int}};

const struct bench_case bench_case_ready_sum = {.name = "ready-sum",
                                                .title = "reap_sum",
                                                .library_name = "sum",
                                                .offers = ready_offers,
                                                .offer_count =
                                                    sizeof ready_offers / sizeof *ready_offers,
                                                .variants = variants,
                                                .variant_count = sizeof variants / sizeof *variants,
                                                .words = 1,
                                                .least = 10,
                                                .most = 28,
                                                .arrays = 1,
                                                .value_count = 1,
                                                .reference = add_up};
