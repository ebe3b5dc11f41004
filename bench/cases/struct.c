/* SPDX-License-Identifier: Apache-2.0
 *
 * The bounding box of points: a struct, and an operator of the user's own. A point is two numbers.
 */
#include "bench/cases/list.h"

#include "bench/cases/struct.kernels.h"

#include <reap/reap.h>

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    box_float bounds = around_float_identity();
    reap_parallel_for(task->queue, bound_float, reap_range_1d(task->count), .x = task->x,
                      .bounds = {.variable = &bounds});
    reap_queue_wait(task->queue);
    result->values[0] = (double)bounds.low.x;
    result->values[1] = (double)bounds.low.y;
    result->values[2] = (double)bounds.high.x;
    result->values[3] = (double)bounds.high.y;
}

static void launch_double(const struct bench_task *task, struct bench_result *result)
{
    box_double bounds = around_double_identity();
    reap_parallel_for(task->queue, bound_double, reap_range_1d(task->count), .x = task->x,
                      .bounds = {.variable = &bounds});
    reap_queue_wait(task->queue);
    result->values[0] = bounds.low.x;
    result->values[1] = bounds.low.y;
    result->values[2] = bounds.high.x;
    result->values[3] = bounds.high.y;
}

static void launch_int(const struct bench_task *task, struct bench_result *result)
{
    box_int bounds = around_int_identity();
    reap_parallel_for(task->queue, bound_int, reap_range_1d(task->count), .x = task->x,
                      .bounds = {.variable = &bounds});
    reap_queue_wait(task->queue);
    result->values[0] = bounds.low.x;
    result->values[1] = bounds.low.y;
    result->values[2] = bounds.high.x;
    result->values[3] = bounds.high.y;
}

static void find_box(const struct bench_task *task, struct bench_result *result)
{
    double *values = result->values;
    for (size_t v = 0; v < 4; v++)
        values[v] = bench_value(task->type, task->x, v % 2);
    for (size_t i = 0; i < 2 * task->count; i++) {
        const double v = bench_value(task->type, task->x, i);
        values[i % 2] = v < values[i % 2] ? v : values[i % 2];
        values[2 + i % 2] = v > values[2 + i % 2] ? v : values[2 + i % 2];
    }
}

static const struct bench_offer offers[] = {{"struct", BENCH_FLOAT, launch_float},
                                            {"struct", BENCH_DOUBLE, launch_double},
                                            {"struct", BENCH_INT, launch_int}};

static const struct bench_variant variants[] = {{"", 0, BENCH_RANDOM}};

const struct bench_case bench_case_struct = {.name = "struct",
                                             .title = "bounding box of points",
                                             .offers = offers,
                                             .offer_count = sizeof offers / sizeof *offers,
                                             .variants = variants,
                                             .variant_count = sizeof variants / sizeof *variants,
                                             .arrays = 1,
                                             .words = 2,
                                             .least = 6,
                                             .most = 28,
                                             .is_owed = true,
                                             .value_count = 4,
                                             .reference = find_box};
