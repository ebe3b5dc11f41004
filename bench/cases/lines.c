/* SPDX-License-Identifier: Apache-2.0
 *
 * The sums of a matrix's rows, and of its columns; the result is the first, the middle and the last
 * of them.
 */
#include "bench/cases/list.h"

#include "bench/cases/lines.kernels.h"

#include <reap/reap.h>
#include <stdlib.h>

enum { ROWS_OF_32, ROWS_OF_1000, COLUMNS_32, COLUMNS_1000 };

static bool are_columns(const struct bench_task *task)
{
    return task->variant == COLUMNS_32 || task->variant == COLUMNS_1000;
}

/* Kept from call to call. */
static float *room_for(size_t count)
{
    static float *room;
    static size_t size;
    if (count > size) {
        free(room);
        room = malloc(count * sizeof *room);
        if (room == NULL)
            abort();
        size = count;
    }
    return room;
}

static void launch(const struct bench_task *task, struct bench_result *result)
{
    const size_t columns = task->extent, rows = task->count / columns;
    const size_t count = are_columns(task) ? columns : rows;
    float *const sums = room_for(count);
    if (are_columns(task))
        reap_parallel_for(task->queue, sum_each_column, reap_range_2d(rows, columns), .x = task->x,
                          .sums = {.result = sums, .count = count});
    else
        reap_parallel_for(task->queue, sum_each_row, reap_range_2d(rows, columns), .x = task->x,
                          .sums = {.result = sums, .count = count});
    reap_queue_wait(task->queue);
    result->values[0] = (double)sums[0];
    result->values[1] = (double)sums[count / 2];
    result->values[2] = (double)sums[count - 1];
}

static double sum_of(const struct bench_task *task, size_t line)
{
    const size_t columns = task->extent, rows = task->count / columns;
    double sum = 0;
    for (size_t i = 0; i < (are_columns(task) ? rows : columns); i++)
        sum += bench_value(task->type, task->x,
                           are_columns(task) ? i * columns + line : line * columns + i);
    return sum;
}

static void add_up(const struct bench_task *task, struct bench_result *result)
{
    const size_t columns = task->extent;
    const size_t count = are_columns(task) ? columns : task->count / columns;
    result->values[0] = sum_of(task, 0);
    result->values[1] = sum_of(task, count / 2);
    result->values[2] = sum_of(task, count - 1);
}

static const struct bench_offer offers[] = {{"lines", BENCH_FLOAT, launch}};

static const struct bench_variant variants[] = {
    [ROWS_OF_32] = {"rows of 32", 32, BENCH_SIGNS},
    [ROWS_OF_1000] = {"rows of 1000", 1000, BENCH_SIGNS},
    [COLUMNS_32] = {"32 columns", 32, BENCH_SIGNS},
    [COLUMNS_1000] = {"1000 columns", 1000, BENCH_SIGNS}};

const struct bench_case bench_case_lines = {.name = "lines",
                                            .title = "sums of a matrix's rows or columns",
                                            .offers = offers,
                                            .offer_count = sizeof offers / sizeof *offers,
                                            .variants = variants,
                                            .variant_count = sizeof variants / sizeof *variants,
                                            .arrays = 1,
                                            .words = 1,
                                            .has_rows = true,
                                            .least = 10,
                                            .most = 28,
                                            .value_count = 3,
                                            .reference = add_up};
