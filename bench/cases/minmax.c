/* SPDX-License-Identifier: Apache-2.0
 *
 * The least and the greatest number of an array, in one pass.
 */
#include "bench/cases/list.h"

#include "bench/cases/minmax.kernels.h"

#include <reap/reap.h>

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    float least = ((const float *)task->x)[0], most = least;
    reap_parallel_for(task->queue, minmax_float, reap_range_1d(task->count), .x = task->x,
                      .least = {.variable = &least}, .most = {.variable = &most});
    reap_queue_wait(task->queue);
    result->values[0] = (double)least;
    result->values[1] = (double)most;
}

static void launch_double(const struct bench_task *task, struct bench_result *result)
{
    double least = ((const double *)task->x)[0], most = least;
    reap_parallel_for(task->queue, minmax_double, reap_range_1d(task->count), .x = task->x,
                      .least = {.variable = &least}, .most = {.variable = &most});
    reap_queue_wait(task->queue);
    result->values[0] = least;
    result->values[1] = most;
}

static void launch_int(const struct bench_task *task, struct bench_result *result)
{
    int least = ((const int *)task->x)[0], most = least;
    reap_parallel_for(task->queue, minmax_int, reap_range_1d(task->count), .x = task->x,
                      .least = {.variable = &least}, .most = {.variable = &most});
    reap_queue_wait(task->queue);
    result->values[0] = least;
    result->values[1] = most;
}

static void launch_half(const struct bench_task *task, struct bench_result *result)
{
    reap_half least = ((const reap_half *)task->x)[0], most = least;
    reap_parallel_for(task->queue, minmax_half, reap_range_1d(task->count), .x = task->x,
                      .least = {.variable = &least}, .most = {.variable = &most});
    reap_queue_wait(task->queue);
    result->values[0] = (double)reap_half_to_float(least);
    result->values[1] = (double)reap_half_to_float(most);
}

static void launch_bfloat16(const struct bench_task *task, struct bench_result *result)
{
    reap_bfloat16 least = ((const reap_bfloat16 *)task->x)[0], most = least;
    reap_parallel_for(task->queue, minmax_bfloat16, reap_range_1d(task->count), .x = task->x,
                      .least = {.variable = &least}, .most = {.variable = &most});
    reap_queue_wait(task->queue);
    result->values[0] = (double)reap_bfloat16_to_float(least);
    result->values[1] = (double)reap_bfloat16_to_float(most);
}

static void find_both(const struct bench_task *task, struct bench_result *result)
{
    double least = bench_value(task->type, task->x, 0), most = least;
    for (size_t i = 1; i < task->count; i++) {
        const double v = bench_value(task->type, task->x, i);
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    result->values[0] = least;
    result->values[1] = most;
}

static const struct bench_offer offers[] = {{"minmax", BENCH_FLOAT, launch_float},
                                            {"minmax", BENCH_DOUBLE, launch_double},
                                            {"minmax", BENCH_INT, launch_int},
                                            {"minmax", BENCH_HALF, launch_half},
                                            {"minmax", BENCH_BFLOAT16, launch_bfloat16}};

static const struct bench_variant variants[] = {{"", 0, BENCH_RANDOM}};

const struct bench_case bench_case_minmax = {.name = "minmax",
                                             .title = "minimum and maximum",
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
