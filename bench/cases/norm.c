/* SPDX-License-Identifier: Apache-2.0
 *
 * The Euclidean norm of an array.
 */
#include "bench/cases/list.h"

#include "bench/cases/norm.kernels.h"

#include <math.h>
#include <reap/algorithms.h>
#include <reap/reap.h>

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    float squares = 0;
    reap_parallel_for(task->queue, squares_float, reap_range_1d(task->count), .x = task->x,
                      .squares = {.variable = &squares});
    reap_queue_wait(task->queue);
    result->values[0] = (double)sqrtf(squares);
}

static void launch_double(const struct bench_task *task, struct bench_result *result)
{
    double squares = 0;
    reap_parallel_for(task->queue, squares_double, reap_range_1d(task->count), .x = task->x,
                      .squares = {.variable = &squares});
    reap_queue_wait(task->queue);
    result->values[0] = sqrt(squares);
}

static void find_norm(const struct bench_task *task, struct bench_result *result)
{
    double squares = 0;
    for (size_t i = 0; i < task->count; i++) {
        const double v = bench_value(task->type, task->x, i);
        squares += v * v;
    }
    result->values[0] = sqrt(squares);
}

static const struct bench_offer offers[] = {{"norm", BENCH_FLOAT, launch_float},
                                            {"norm", BENCH_DOUBLE, launch_double}};

static const struct bench_variant variants[] = {{"", 0, BENCH_SIGNS}};

const struct bench_case bench_case_norm = {.name = "norm",
                                           .title = "Euclidean norm",
                                           .offers = offers,
                                           .offer_count = sizeof offers / sizeof *offers,
                                           .variants = variants,
                                           .variant_count = sizeof variants / sizeof *variants,
                                           .arrays = 1,
                                           .words = 1,
                                           .least = 6,
                                           .most = 28,
                                           .value_count = 1,
                                           .tolerance = 1e-6,
                                           .reference = find_norm};

/* ---- Without a kernel: algorithms.h --------------------------------------------------*/

static void ready_float(const struct bench_task *task, struct bench_result *result)
{
    const float *x = task->x;
    float norm = 0;
    reap_norm(task->queue, x, task->count, &norm);
    result->values[0] = (double)norm;
}

static void ready_double(const struct bench_task *task, struct bench_result *result)
{
    const double *x = task->x;
    double norm = 0;
    reap_norm(task->queue, x, task->count, &norm);
    result->values[0] = (double)norm;
}

static const struct bench_offer ready_offers[] = {{"ready-norm", BENCH_FLOAT, ready_float},
                                                  {"ready-norm", BENCH_DOUBLE, ready_double}};

const struct bench_case bench_case_ready_norm = {
    .name = "ready-norm",
    .title = "reap_norm",
    .library_name = "norm",
    .offers = ready_offers,
    .offer_count = sizeof ready_offers / sizeof *ready_offers,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .words = 1,
    .least = 10,
    .most = 28,
    .arrays = 1,
    .value_count = 1,
    .tolerance = 1e-6,
    .reference = find_norm};
