/* SPDX-License-Identifier: Apache-2.0
 *
 * The mean and the variance of an array, in doubles.
 */
#include "bench/cases/list.h"

#include "bench/cases/moments.kernels.h"

#include <reap/algorithms.h>
#include <reap/reap.h>

static void finish(const struct bench_task *task, double sum, double squares,
                   struct bench_result *result)
{
    const double mean = sum / (double)task->count;
    result->values[0] = mean;
    result->values[1] = squares / (double)task->count - mean * mean;
}

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0, squares = 0;
    reap_parallel_for(task->queue, moments_float, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum}, .squares = {.variable = &squares});
    reap_queue_wait(task->queue);
    finish(task, sum, squares, result);
}

static void launch_double(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0, squares = 0;
    reap_parallel_for(task->queue, moments_double, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum}, .squares = {.variable = &squares});
    reap_queue_wait(task->queue);
    finish(task, sum, squares, result);
}

static void launch_int(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0, squares = 0;
    reap_parallel_for(task->queue, moments_int, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum}, .squares = {.variable = &squares});
    reap_queue_wait(task->queue);
    finish(task, sum, squares, result);
}

static void find_moments(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < task->count; i++) {
        const double v = bench_value(task->type, task->x, i);
        sum += v;
        squares += v * v;
    }
    finish(task, sum, squares, result);
}

static const struct bench_offer offers[] = {{"moments", BENCH_FLOAT, launch_float},
                                            {"moments", BENCH_DOUBLE, launch_double},
                                            {"moments", BENCH_INT, launch_int}};

static const struct bench_variant variants[] = {{"", 0, BENCH_SIGNS}};

const struct bench_case bench_case_moments = {.name = "moments",
                                              .title = "mean and variance",
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
                                              .tolerance = 1e-9,
                                              .reference = find_moments};

/* ---- Without a kernel: algorithms.h --------------------------------------------------*/

static void ready_float(const struct bench_task *task, struct bench_result *result)
{
    const float *x = task->x;
    reap_moments moments = {0};
    reap_statistics(task->queue, x, task->count, &moments);
    result->values[0] = moments.mean;
    result->values[1] = moments.squares / (double)task->count;
}

static void ready_double(const struct bench_task *task, struct bench_result *result)
{
    const double *x = task->x;
    reap_moments moments = {0};
    reap_statistics(task->queue, x, task->count, &moments);
    result->values[0] = moments.mean;
    result->values[1] = moments.squares / (double)task->count;
}

static void ready_int(const struct bench_task *task, struct bench_result *result)
{
    const int *x = task->x;
    reap_moments moments = {0};
    reap_statistics(task->queue, x, task->count, &moments);
    result->values[0] = moments.mean;
    result->values[1] = moments.squares / (double)task->count;
}

static const struct bench_offer ready_offers[] = {{"ready-moments", BENCH_FLOAT, ready_float},
                                                  {"ready-moments", BENCH_DOUBLE, ready_double},
                                                  {"ready-moments", BENCH_INT, ready_int}};

const struct bench_case bench_case_ready_moments = {
    .name = "ready-moments",
    .title = "reap_statistics",
    .library_name = "moments",
    .offers = ready_offers,
    .offer_count = sizeof ready_offers / sizeof *ready_offers,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .words = 1,
    .least = 10,
    .most = 28,
    .arrays = 1,
    .value_count = 2,
    .tolerance = 1e-9,
    .reference = find_moments};
