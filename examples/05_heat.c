/* SPDX-License-Identifier: Apache-2.0
 *
 * Heat in a plate whose edges have fixed temperatures: a kernel over two dimensions that also
 * finds the largest change, so that the loop can stop. The plates are buffers of the library: the
 * program fills the first and reads the last in host accesses, and between these they stay on the
 * device.
 */
#include <reap/reap.h>
#include <stdio.h>

#include "05_heat.kernels.h"

enum { ROWS = 48, COLUMNS = 64 };

/* The left edge is cold, the right edge hot, and the other two rise from one to the other. */
static reap_status fill(reap_buffer *plate)
{
    void *memory;
    REAP_TRY(reap_host_access_begin(plate, REAP_WRITE, &memory));
    float *cells = memory;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            bool is_edge = row == 0 || row == ROWS - 1 || column == 0 || column == COLUMNS - 1;
            cells[row * COLUMNS + column] = is_edge ? (float)column : 0;
        }
    return reap_host_access_end(plate);
}

/* In the end the heat rises evenly from left to right. */
static reap_status measure(reap_buffer *plate, float *error)
{
    void *memory;
    REAP_TRY(reap_host_access_begin(plate, REAP_READ, &memory));
    const float *cells = memory;
    for (int cell = 0; cell < ROWS * COLUMNS; cell++) {
        float difference = cells[cell] - (float)(cell % COLUMNS);
        *error = difference > *error ? difference : -difference > *error ? -difference : *error;
    }
    return reap_host_access_end(plate);
}

static reap_status run(int *steps, float *change, float *error)
{
    reap_queue *queue;
    reap_buffer *plates[2];
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    for (int p = 0; p < 2; p++)
        REAP_TRY(reap_buffer_create(ROWS * COLUMNS * sizeof(float), &plates[p]));
    REAP_TRY(fill(plates[0]));
    for (*steps = 0; *change > 1e-5f && *steps < 100000; ++*steps) {
        REAP_TRY(reap_parallel_for(queue, heat_step, reap_range_2d(ROWS, COLUMNS),
                                   .before = reap_buffer_data(plates[*steps % 2]),
                                   .after = reap_buffer_data(plates[1 - *steps % 2]),
                                   .change = {.result = change}));
        REAP_TRY(reap_queue_wait(queue));
    }
    REAP_TRY(measure(plates[*steps % 2], error));
    for (int p = 0; p < 2; p++)
        REAP_TRY(reap_buffer_release(plates[p]));
    reap_queue_release(queue);
    return REAP_OK;
}

int main(void)
{
    int steps;
    float change = 1, error = 0;
    if (run(&steps, &change, &error) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    printf("%d steps, last change %g, error %g\n", steps, (double)change, (double)error);
    return error < 0.05f ? 0 : 1;
}
