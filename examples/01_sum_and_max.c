/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/reap.h>
#include <stdio.h>

#include "01_sum_and_max.kernels.h"

static reap_status run(const float *values, size_t count, double *sum, float *max)
{
    reap_queue *queue;
    reap_buffer *buffer;
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    REAP_TRY(reap_buffer_wrap(values, count * sizeof *values, &buffer));
    REAP_TRY(reap_parallel_for(queue, sum_and_max, reap_range_1d(count), .values = values,
                               .sum = sum, .max = max));
    REAP_TRY(reap_queue_wait(queue));
    reap_queue_release(queue);
    return reap_buffer_release(buffer);
}

int main(void)
{
    static float values[1000000];
    for (int i = 0; i < 1000000; i++)
        values[i] = (float)(i % 1000);

    double sum = 0;
    float max = 0;
    if (run(values, 1000000, &sum, &max) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    printf("sum %.0f, max %.0f\n", sum, max);
    return sum == 499500000 && max == 999 ? 0 : 1;
}
