/* SPDX-License-Identifier: Apache-2.0
 *
 * The lowest and the highest sample of a signal, and where they are: reductions with a location.
 * Of equal samples the first one is found, for any number of threads.
 */
#include <math.h>
#include <reap/reap.h>
#include <stdint.h>
#include <stdio.h>

#include "02_extremes.kernels.h"

enum { SAMPLES = 48000 };

/* A number, and the sample that it is. */
struct extreme {
    float value;
    uint64_t at;
};

static reap_status run(const float *signal, struct extreme *lowest, struct extreme *highest)
{
    reap_queue *queue;
    reap_buffer *buffer;
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    REAP_TRY(reap_buffer_wrap(signal, SAMPLES * sizeof *signal, &buffer));
    REAP_TRY(reap_parallel_for(queue, extremes, reap_range_1d(SAMPLES), .signal = signal,
                               .lowest = {.result = &lowest->value, .location = &lowest->at},
                               .highest = {.result = &highest->value, .location = &highest->at}));
    REAP_TRY(reap_queue_wait(queue));
    reap_queue_release(queue);
    return reap_buffer_release(buffer);
}

int main(void)
{
    static float signal[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        signal[i] = sinf((float)i * 0.001f) * (float)i / SAMPLES;
    signal[12345] = signal[23456] = 2;
    signal[34567] = signal[45678] = -2;

    struct extreme lowest, highest;
    if (run(signal, &lowest, &highest) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    printf("lowest %g at %llu, highest %g at %llu\n", (double)lowest.value,
           (unsigned long long)lowest.at, (double)highest.value, (unsigned long long)highest.at);
    return lowest.value == -2 && lowest.at == 34567 && highest.value == 2 && highest.at == 12345
               ? 0
               : 1;
}
