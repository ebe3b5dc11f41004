/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/reap.h>
#include <stdio.h>

#include "01_sum_and_max.kernels.h"

int main(void)
{
    static float values[1000000];
    for (int i = 0; i < 1000000; i++)
        values[i] = (float)(i % 1000);

    double sum = 0;
    float max = 0;
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK ||
        reap_parallel_for(queue, sum_and_max, reap_range_1d(1000000), .values = values,
                          .sum = {.variable = &sum}, .max = {.variable = &max}) != REAP_OK ||
        reap_queue_wait(queue) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    reap_queue_release(queue);
    printf("sum %.0f, max %.0f\n", sum, max);
    return sum == 499500000 && max == 999 ? 0 : 1;
}
