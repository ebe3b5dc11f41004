/* SPDX-License-Identifier: Apache-2.0
 *
 * The sum of a matrix, over a range of two dimensions.
 */
#include "bench/cases/list.h"

#include "bench/cases/rows.kernels.h"

#include <reap/reap.h>

static void launch(const struct bench_task *task, struct bench_result *result)
{
    const size_t columns = task->extent;
    float sum = 0;
    reap_parallel_for(task->queue, sum_rows, reap_range_2d(task->count / columns, columns),
                      .x = task->x, .columns = columns, .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = (double)sum;
}

static void add_up(const struct bench_task *task, struct bench_result *result)
{
    double sum = 0;
    for (size_t i = 0; i < task->count; i++)
        sum += bench_value(task->type, task->x, i);
    result->values[0] = sum;
}

static const struct bench_offer offers[] = {{"rows", BENCH_FLOAT, launch}};

static const struct bench_variant variants[] = {{"rows of 32", 32, BENCH_SIGNS},
                                                {"rows of 1000", 1000, BENCH_SIGNS}};

const struct bench_case bench_case_rows = {.name = "rows",
                                           .title = "sum of a matrix",
                                           .offers = offers,
                                           .offer_count = sizeof offers / sizeof *offers,
                                           .variants = variants,
                                           .variant_count = sizeof variants / sizeof *variants,
                                           .arrays = 1,
                                           .words = 1,
                                           .has_rows = true,
                                           .least = 6,
                                           .most = 28,
                                           .value_count = 1,
                                           .reference = add_up};
