/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/reap.h>
#include <stdio.h>

#include "buffers.kernels.h"

enum { COUNT = 100000, SMOOTH = COUNT - 2 };

struct figures {
    float largest;       /* of the second half, after scaling */
    uint64_t largest_at; /* counted from its begin */
    float first;         /* smoothed number */
};

/* The readings are the program's memory; the results are in a buffer of the library. Nothing is
 * copied between launches; the host reads the results in an access. */
static reap_status work(reap_queue *queue, const float *readings, reap_buffer *buffer,
                        struct figures *figures)
{
    float *smoothed = reap_buffer_data(buffer), *half = smoothed + SMOOTH / 2;
    void *memory;
    REAP_TRY(reap_parallel_for(queue, smooth, reap_range_1d(SMOOTH), .x = readings, .y = smoothed));
    REAP_TRY(reap_parallel_for(queue, scale, reap_range_1d(SMOOTH / 2), .x = half, .factor = 10));

    REAP_TRY(reap_host_access_begin(buffer, REAP_READ | REAP_WRITE, &memory));
    figures->first = *(float *)memory;
    ((float *)memory)[SMOOTH - 1] = 1000;
    REAP_TRY(reap_host_access_end(buffer));

    REAP_TRY(reap_parallel_for(
        queue, largest_of, reap_range_1d(SMOOTH / 2), .x = half,
        .largest = {.result = &figures->largest, .location = &figures->largest_at}));
    return reap_queue_wait(queue);
}

static reap_status run(const float *readings, struct figures *figures)
{
    reap_queue *queue;
    reap_buffer *wrapped, *created;
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    REAP_TRY(reap_buffer_wrap(readings, COUNT * sizeof *readings, &wrapped));
    REAP_TRY(reap_buffer_create(SMOOTH * sizeof(float), &created));
    REAP_TRY(work(queue, readings, created, figures));
    REAP_TRY(reap_buffer_release(created));
    REAP_TRY(reap_buffer_release(wrapped));
    reap_queue_release(queue);
    return REAP_OK;
}

int main(void)
{
    static float readings[COUNT];
    for (int i = 0; i < COUNT; i++)
        readings[i] = (float)(i % 4);
    struct figures figures;
    if (run(readings, &figures) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    printf("first %g, largest %g at %llu\n", (double)figures.first, (double)figures.largest,
           (unsigned long long)figures.largest_at);
    return figures.first == 1 && figures.largest == 1000 && figures.largest_at == SMOOTH / 2 - 1
               ? 0
               : 1;
}
