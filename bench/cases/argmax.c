/* SPDX-License-Identifier: Apache-2.0
 *
 * The greatest number of an array, and where it first is.
 */
#include "bench/cases/list.h"

#include "bench/cases/argmax.kernels.h"

#include <reap/algorithms.h>
#include <reap/reap.h>

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    float most;
    uint64_t at;
    reap_parallel_for(
        task->queue, argmax_float, reap_range_1d(task->count), .x = task->x,
        .most = {.variable = &most, .location = &at, .properties = REAP_INITIALIZE_TO_IDENTITY});
    reap_queue_wait(task->queue);
    result->values[0] = (double)most;
    result->values[1] = (double)at;
}

static void launch_double(const struct bench_task *task, struct bench_result *result)
{
    double most;
    uint64_t at;
    reap_parallel_for(
        task->queue, argmax_double, reap_range_1d(task->count), .x = task->x,
        .most = {.variable = &most, .location = &at, .properties = REAP_INITIALIZE_TO_IDENTITY});
    reap_queue_wait(task->queue);
    result->values[0] = most;
    result->values[1] = (double)at;
}

static void launch_int(const struct bench_task *task, struct bench_result *result)
{
    int most;
    uint64_t at;
    reap_parallel_for(
        task->queue, argmax_int, reap_range_1d(task->count), .x = task->x,
        .most = {.variable = &most, .location = &at, .properties = REAP_INITIALIZE_TO_IDENTITY});
    reap_queue_wait(task->queue);
    result->values[0] = most;
    result->values[1] = (double)at;
}

static void find_first(const struct bench_task *task, struct bench_result *result)
{
    size_t at = 0;
    double most = bench_value(task->type, task->x, 0);
    for (size_t i = 1; i < task->count; i++)
        if (bench_value(task->type, task->x, i) > most) {
            most = bench_value(task->type, task->x, i);
            at = i;
        }
    result->values[0] = most;
    result->values[1] = (double)at;
}

static const struct bench_offer offers[] = {{"argmax", BENCH_FLOAT, launch_float},
                                            {"argmax", BENCH_DOUBLE, launch_double},
                                            {"argmax", BENCH_INT, launch_int}};

static const struct bench_variant variants[] = {{"", 0, BENCH_RANDOM}};

const struct bench_case bench_case_argmax = {.name = "argmax",
                                             .title = "argmax",
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
                                             .reference = find_first};

/* ---- Without a kernel: algorithms.h --------------------------------------------------*/

static void ready_float(const struct bench_task *task, struct bench_result *result)
{
    const float *x = task->x;
    uint64_t at = 0;
    reap_argmax(task->queue, x, task->count, &at);
    result->values[0] = (double)x[at];
    result->values[1] = (double)at;
}

static void ready_double(const struct bench_task *task, struct bench_result *result)
{
    const double *x = task->x;
    uint64_t at = 0;
    reap_argmax(task->queue, x, task->count, &at);
    result->values[0] = (double)x[at];
    result->values[1] = (double)at;
}

static void ready_int(const struct bench_task *task, struct bench_result *result)
{
    const int *x = task->x;
    uint64_t at = 0;
    reap_argmax(task->queue, x, task->count, &at);
    result->values[0] = (double)x[at];
    result->values[1] = (double)at;
}

static const struct bench_offer ready_offers[] = {{"ready-argmax", BENCH_FLOAT, ready_float},
                                                  {"ready-argmax", BENCH_DOUBLE, ready_double},
                                                  {"ready-argmax", BENCH_INT, ready_int}};

const struct bench_case bench_case_ready_argmax = {
    .name = "ready-argmax",
    .title = "reap_argmax",
    .library_name = "argmax",
    .offers = ready_offers,
    .offer_count = sizeof ready_offers / sizeof *ready_offers,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .words = 1,
    .least = 10,
    .most = 28,
    .arrays = 1,
    .value_count = 2,
    .reference = find_first};
