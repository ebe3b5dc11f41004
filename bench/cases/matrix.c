/* SPDX-License-Identifier: Apache-2.0
 *
 * A matrix product in tiles, with two barriers for each tile: as a kernel for one work-item, and in
 * phases.
 */
#include "bench/cases/list.h"

#include "bench/cases/matrix.kernels.h"

#include <reap/reap.h>

enum { BARRIERS, PHASES };
#define TILE_ITEMS ((size_t)MATRIX_TILE * MATRIX_TILE)

/* Rows of the largest matrix of whole tiles that so many elements hold. */
static size_t rows_of(size_t count)
{
    size_t rows = 0;
    while ((rows + MATRIX_TILE) * (rows + MATRIX_TILE) <= count)
        rows += MATRIX_TILE;
    return rows;
}

/* What is measured is a program that has run for a while. */
static void compile(reap_queue *queue)
{
    static bool is_compiled;
    if (!is_compiled)
        reap_kernel_compile(reap_queue_device(queue), &reap_kernel_square_by_items, 2);
    is_compiled = true;
}

static void launch(const struct bench_task *task, struct bench_result *result)
{
    const size_t n = rows_of(task->count);
    const reap_range range = reap_nd_range_2d(n, n, MATRIX_TILE, MATRIX_TILE);
    double sum = 0;
    compile(task->queue);
    if (task->variant == PHASES)
        reap_parallel_for(task->queue, square_in_phases, range, .x = task->x, .n = n,
                          .left = TILE_ITEMS, .right = TILE_ITEMS, .sum = {.variable = &sum});
    else
        reap_parallel_for(task->queue, square_by_items, range, .x = task->x, .n = n,
                          .left = TILE_ITEMS, .right = TILE_ITEMS, .sum = {.variable = &sum});
    reap_queue_wait(task->queue);
    result->values[0] = sum;
}

/* Each column's sum times that row's. */
static void add_up(const struct bench_task *task, struct bench_result *result)
{
    const size_t n = rows_of(task->count);
    const float *x = task->x;
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        double column = 0, row = 0;
        for (size_t i = 0; i < n; i++) {
            column += (double)x[i * n + k];
            row += (double)x[k * n + i];
        }
        sum += column * row;
    }
    result->values[0] = sum;
}

static const struct bench_offer offers[] = {{"matrix", BENCH_FLOAT, launch}};

static const struct bench_variant variants[] = {
    [BARRIERS] = {"barriers", TILE_ITEMS, BENCH_UNIFORM},
    [PHASES] = {"phases", TILE_ITEMS, BENCH_UNIFORM}};

const struct bench_case bench_case_matrix = {.name = "matrix",
                                             .title = "matrix product in tiles",
                                             .offers = offers,
                                             .offer_count = sizeof offers / sizeof *offers,
                                             .variants = variants,
                                             .variant_count = sizeof variants / sizeof *variants,
                                             .arrays = 1,
                                             .words = 1,
                                             .least = 18,
                                             .most = 18,
                                             .value_count = 1,
                                             .tolerance = 1e-4,
                                             .reference = add_up};
