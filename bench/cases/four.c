/* SPDX-License-Identifier: Apache-2.0
 *
 * Sum, maximum, minimum and sum of squares of an array, in one pass.
 */
#include "bench/cases/list.h"

#include "bench/cases/four.kernels.h"

#include <reap/reap.h>
#include <string.h>

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    float sum = 0, squares = 0, least = ((const float *)task->x)[0], most = least;
    reap_parallel_for(task->queue, four_float, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum}, .most = {.variable = &most},
                      .least = {.variable = &least}, .squares = {.variable = &squares});
    reap_queue_wait(task->queue);
    result->values[0] = (double)sum;
    result->values[1] = (double)most;
    result->values[2] = (double)least;
    result->values[3] = (double)squares;
}

static void launch_double(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0, squares = 0, least = ((const double *)task->x)[0], most = least;
    reap_parallel_for(task->queue, four_double, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum}, .most = {.variable = &most},
                      .least = {.variable = &least}, .squares = {.variable = &squares});
    reap_queue_wait(task->queue);
    result->values[0] = sum;
    result->values[1] = most;
    result->values[2] = least;
    result->values[3] = squares;
}

static void launch_int(const struct bench_task *task, struct bench_result *result)
{
    int sum = 0, squares = 0, least = ((const int *)task->x)[0], most = least;
    reap_parallel_for(task->queue, four_int, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum}, .most = {.variable = &most},
                      .least = {.variable = &least}, .squares = {.variable = &squares});
    reap_queue_wait(task->queue);
    result->values[0] = sum;
    result->values[1] = most;
    result->values[2] = least;
    result->values[3] = squares;
}

static void find_four(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0, squares = 0, most = bench_value(task->type, task->x, 0), least = most;
    for (size_t i = 0; i < task->count; i++) {
        const double v = bench_value(task->type, task->x, i);
        sum += v;
        squares += v * v;
        most = v > most ? v : most;
        least = v < least ? v : least;
    }
    const double values[4] = {sum, most, least, squares};
    memcpy(result->values, values, sizeof values);
}

static const struct bench_offer offers[] = {{"four", BENCH_FLOAT, launch_float},
                                            {"four", BENCH_DOUBLE, launch_double},
                                            {"four", BENCH_INT, launch_int}};

static const struct bench_variant variants[] = {{"", 0, BENCH_SIGNS}};

const struct bench_case bench_case_four = {.name = "four",
                                           .title = "sum, max, min, squares",
                                           .offers = offers,
                                           .offer_count = sizeof offers / sizeof *offers,
                                           .variants = variants,
                                           .variant_count = sizeof variants / sizeof *variants,
                                           .arrays = 1,
                                           .words = 1,
                                           .least = 6,
                                           .most = 28,
                                           .has_speedup = true,
                                           .is_owed = true,
                                           .value_count = 4,
                                           .reference = find_four};
