/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/reap.h>
#include <stdio.h>

#include "axes.kernels.h"

enum { ROWS = 300, COLUMNS = 1000, GROUP = 256 };

static float matrix[ROWS * COLUMNS];
static double row_sums[ROWS], long_row_sums[ROWS], column_sums[COLUMNS];

static reap_status launch(reap_queue *queue)
{
    REAP_TRY(reap_parallel_for(queue, add_rows, reap_range_1d(ROWS), .matrix = matrix,
                               .columns = COLUMNS, .sums = row_sums));
    REAP_TRY(reap_parallel_for(queue, add_long_rows, reap_nd_range_1d(ROWS * GROUP, GROUP),
                               .matrix = matrix, .columns = COLUMNS, .sums = long_row_sums,
                               .partial = GROUP));
    REAP_TRY(reap_parallel_for(
        queue, add_columns, reap_nd_range_1d((COLUMNS + GROUP - 1) / GROUP * GROUP, GROUP),
        .matrix = matrix, .rows = ROWS, .columns = COLUMNS, .sums = column_sums));
    return reap_queue_wait(queue);
}

static reap_status run(void)
{
    reap_queue *queue;
    reap_buffer *buffers[4];
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    REAP_TRY(reap_buffer_wrap(matrix, sizeof matrix, &buffers[0]));
    REAP_TRY(reap_buffer_wrap(row_sums, sizeof row_sums, &buffers[1]));
    REAP_TRY(reap_buffer_wrap(long_row_sums, sizeof long_row_sums, &buffers[2]));
    REAP_TRY(reap_buffer_wrap(column_sums, sizeof column_sums, &buffers[3]));
    REAP_TRY(launch(queue));
    for (int b = 0; b < 4; b++)
        REAP_TRY(reap_buffer_release(buffers[b]));
    reap_queue_release(queue);
    return REAP_OK;
}

/* The number of sums that differ from those of plain loops. */
static int count_wrong(void)
{
    static double columns[COLUMNS];
    int wrong = 0;
    for (int row = 0; row < ROWS; row++) {
        double sum = 0;
        for (int column = 0; column < COLUMNS; column++) {
            sum += matrix[row * COLUMNS + column];
            columns[column] += matrix[row * COLUMNS + column];
        }
        wrong += (row_sums[row] != sum) + (long_row_sums[row] != sum);
    }
    for (int column = 0; column < COLUMNS; column++)
        wrong += column_sums[column] != columns[column];
    return wrong;
}

int main(void)
{
    for (int i = 0; i < ROWS * COLUMNS; i++)
        matrix[i] = (float)(i % 101);
    if (run() != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    int wrong = count_wrong();
    printf("%d rows, %d columns: %d sums are wrong\n", ROWS, COLUMNS, wrong);
    return wrong != 0;
}
