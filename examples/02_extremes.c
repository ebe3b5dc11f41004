/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a signal is lowest and highest: reductions with a location. Of equal samples the first
 * one counts, for any number of threads.
 */
#include <math.h>
#include <reap/reap.h>
#include <stdint.h>
#include <stdio.h>

#include "02_extremes.kernels.h"

enum { SAMPLES = 48000 };

int main(void)
{
    static float signal[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        signal[i] = sinf((float)i * 0.001f) * (float)i / SAMPLES;
    signal[12345] = signal[23456] = 2;
    signal[34567] = signal[45678] = -2;

    float lowest = 0, highest = 0;
    uint64_t lowest_at = 0, highest_at = 0;
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK ||
        reap_parallel_for(queue, extremes, reap_range_1d(SAMPLES), .signal = signal,
                          .lowest = {.variable = &lowest,
                                     .location = &lowest_at,
                                     .properties = REAP_INITIALIZE_TO_IDENTITY},
                          .highest = {.variable = &highest,
                                      .location = &highest_at,
                                      .properties = REAP_INITIALIZE_TO_IDENTITY}) != REAP_OK ||
        reap_queue_wait(queue) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    reap_queue_release(queue);
    printf("lowest %g at %llu, highest %g at %llu\n", (double)lowest, (unsigned long long)lowest_at,
           (double)highest, (unsigned long long)highest_at);
    return lowest == -2 && lowest_at == 34567 && highest == 2 && highest_at == 12345 ? 0 : 1;
}
