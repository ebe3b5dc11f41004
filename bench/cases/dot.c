/* SPDX-License-Identifier: Apache-2.0
 *
 * The dot product of two arrays; of halves, as a float.
 */
#include "bench/cases/list.h"

#include "bench/cases/dot.kernels.h"

#include <reap/algorithms.h>
#include <reap/reap.h>

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    float sum = 0;
    reap_parallel_for(task->queue, dot_float, reap_range_1d(task->count), .x = task->x,
                      .y = task->y, .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = (double)sum;
}

static void launch_double(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0;
    reap_parallel_for(task->queue, dot_double, reap_range_1d(task->count), .x = task->x,
                      .y = task->y, .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = sum;
}

static void launch_int(const struct bench_task *task, struct bench_result *result)
{
    int sum = 0;
    reap_parallel_for(task->queue, dot_int, reap_range_1d(task->count), .x = task->x, .y = task->y,
                      .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = sum;
}

static void launch_half(const struct bench_task *task, struct bench_result *result)
{
    float sum = 0;
    reap_parallel_for(task->queue, dot_half, reap_range_1d(task->count), .x = task->x, .y = task->y,
                      .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = (double)sum;
}

static void add_products(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0;
    for (size_t i = 0; i < task->count; i++)
        sum += bench_value(task->type, task->x, i) * bench_value(task->type, task->y, i);
    result->values[0] = sum;
}

static const struct bench_offer offers[] = {{"dot", BENCH_FLOAT, launch_float},
                                            {"dot", BENCH_DOUBLE, launch_double},
                                            {"dot", BENCH_INT, launch_int},
                                            {"dot", BENCH_HALF, launch_half}};

static const struct bench_variant variants[] = {{"", 0, BENCH_SIGNS}};

const struct bench_case bench_case_dot = {.name = "dot",
                                          .title = "dot product",
                                          .offers = offers,
                                          .offer_count = sizeof offers / sizeof *offers,
                                          .variants = variants,
                                          .variant_count = 1,
                                          .arrays = 2,
                                          .words = 1,
                                          .least = 6,
                                          .most = 28,
                                          .is_owed = true,
                                          .value_count = 1,
                                          .reference = add_products};

/* ---- Without a kernel: algorithms.h --------------------------------------------------*/

static void ready_float(const struct bench_task *task, struct bench_result *result)
{
    const float *x = task->x;
    const float *y = task->y;
    float sum = 0;
    reap_dot(task->queue, x, y, task->count, &sum);
    result->values[0] = (double)sum;
}

static void ready_double(const struct bench_task *task, struct bench_result *result)
{
    const double *x = task->x;
    const double *y = task->y;
    double sum = 0;
    reap_dot(task->queue, x, y, task->count, &sum);
    result->values[0] = (double)sum;
}

static const struct bench_offer ready_offers[] = {{"ready-dot", BENCH_FLOAT, ready_float},
                                                  {"ready-dot", BENCH_DOUBLE, ready_double}};

const struct bench_case bench_case_ready_dot = {.name = "ready-dot",
                                                .title = "reap_dot",
                                                .library_name = "dot",
                                                .offers = ready_offers,
                                                .offer_count =
                                                    sizeof ready_offers / sizeof *ready_offers,
                                                .variants = variants,
                                                .variant_count = sizeof variants / sizeof *variants,
                                                .words = 1,
                                                .least = 10,
                                                .most = 28,
                                                .arrays = 2,
                                                .value_count = 1,
                                                .reference = add_products};
