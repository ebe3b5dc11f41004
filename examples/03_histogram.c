/* SPDX-License-Identifier: Apache-2.0
 *
 * A histogram: an array reduction, whose length is given at the launch, and a scalar reduction in
 * one kernel. A work-item may combine never, once or many times.
 */
#include <reap/reap.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "03_histogram.kernels.h"

static const char sentence[] = "the quick brown fox jumps over the lazy dog. ";
enum { LENGTH = sizeof sentence - 1, TIMES = 20000 };

static reap_status run(const unsigned char *text, size_t length, uint64_t counts[256],
                       uint64_t *letters)
{
    reap_queue *queue;
    reap_buffer *buffer;
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    REAP_TRY(reap_buffer_wrap(text, length, &buffer));
    REAP_TRY(reap_parallel_for(queue, count_bytes, reap_range_1d(length), .text = text,
                               .counts = {.variable = counts, .count = 256}, .letters = letters));
    REAP_TRY(reap_queue_wait(queue));
    reap_queue_release(queue);
    return reap_buffer_release(buffer);
}

int main(void)
{
    unsigned char *text = malloc((size_t)LENGTH * TIMES);
    if (text == NULL)
        return 1;
    for (size_t i = 0; i < TIMES; i++)
        memcpy(text + i * LENGTH, sentence, LENGTH);

    uint64_t counts[256] = {0}, letters = 0;
    if (run(text, (size_t)LENGTH * TIMES, counts, &letters) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    free(text);

    uint64_t all = 0;
    for (int byte = 0; byte < 256; byte++)
        all += counts[byte];
    printf("%llu bytes, %llu letters, 'o' %llu times, 'q' %llu times\n", (unsigned long long)all,
           (unsigned long long)letters, (unsigned long long)counts['o'],
           (unsigned long long)counts['q']);
    return all == (uint64_t)LENGTH * TIMES && letters == UINT64_C(35) * TIMES &&
                   counts['o'] == 4u * TIMES && counts['q'] == TIMES
               ? 0
               : 1;
}
