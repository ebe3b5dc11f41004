/* SPDX-License-Identifier: Apache-2.0
 *
 * Heat in a plate whose edges are kept at fixed temperatures: a kernel over two dimensions that
 * also finds how much changed most, so that the loop knows when to stop.
 */
#include <reap/reap.h>
#include <stdio.h>

#include "05_heat.kernels.h"

enum { ROWS = 48, COLUMNS = 64 };

int main(void)
{
    /* The left edge is cold, the right edge hot, and the other two rise from one to the other. */
    static float plates[2][ROWS * COLUMNS];
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            if (row == 0 || row == ROWS - 1 || column == 0 || column == COLUMNS - 1)
                plates[0][row * COLUMNS + column] = (float)column;

    reap_queue *queue;
    reap_status status = reap_queue_create(NULL, NULL, &queue);
    float change = 1;
    int steps = 0;
    for (; status == REAP_OK && change > 1e-5f && steps < 100000; steps++) {
        status = reap_parallel_for(
            queue, heat_step, reap_range_2d(ROWS, COLUMNS), .before = plates[steps % 2],
            .after = plates[1 - steps % 2],
            .change = {.variable = &change, .properties = REAP_INITIALIZE_TO_IDENTITY});
        if (status == REAP_OK)
            status = reap_queue_wait(queue);
    }
    if (status != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    reap_queue_release(queue);

    /* In the end the heat rises evenly from left to right. */
    float error = 0;
    for (int cell = 0; cell < ROWS * COLUMNS; cell++) {
        float difference = plates[steps % 2][cell] - (float)(cell % COLUMNS);
        error = difference > error ? difference : -difference > error ? -difference : error;
    }
    printf("%d steps, last change %g, error %g\n", steps, (double)change, (double)error);
    return error < 0.05f ? 0 : 1;
}
