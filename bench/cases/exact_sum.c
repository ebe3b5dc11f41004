/* SPDX-License-Identifier: Apache-2.0
 *
 * The sum of an array, rounded once. Unlike the other sums it is of numbers that round: to sums
 * that do not, windows of an exact sum have little to do.
 */
#include "bench/cases/list.h"

#include "bench/cases/exact_sum.kernels.h"

#include <reap/reap.h>

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    float sum = 0;
    reap_parallel_for(task->queue, exact_sum_float, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = (double)sum;
}

static void launch_double(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0;
    reap_parallel_for(task->queue, exact_sum_double, reap_range_1d(task->count), .x = task->x,
                      .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = sum;
}

/* In 64 bits of fraction, or what the machine has. */
static void add_up(const struct bench_task *task, struct bench_result *result)
{
    long double sum = 0;
    for (size_t i = 0; i < task->count; i++)
        sum += (long double)bench_value(task->type, task->x, i);
    result->values[0] = task->type == BENCH_FLOAT ? (double)(float)sum : (double)sum;
}

static const struct bench_offer offers[] = {{"exact-sum", BENCH_FLOAT, launch_float},
                                            {"exact-sum", BENCH_DOUBLE, launch_double}};

static const struct bench_variant variants[] = {{"", 0, BENCH_RANDOM}};

const struct bench_case bench_case_exact_sum = {.name = "exact-sum",
                                                .title = "exact sum",
                                                .offers = offers,
                                                .offer_count = sizeof offers / sizeof *offers,
                                                .variants = variants,
                                                .variant_count = 1,
                                                .arrays = 1,
                                                .words = 1,
                                                .least = 12,
                                                .most = 28,
                                                .value_count = 1,
                                                .tolerance = 1e-7,
                                                .reference = add_up};
