/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/reap.h>
#include <stdio.h>

#include "scan.kernels.h"

enum { COUNT = 1000003, SLICES = (COUNT + SLICE - 1) / SLICE };

/* scanned[i] becomes values[0] + ... + values[i]. */
static reap_status scan(reap_queue *queue, const int *values, int64_t *scanned)
{
    reap_buffer *buffer;
    REAP_TRY(reap_buffer_create(SLICES * sizeof(int64_t), &buffer));
    int64_t *sums = reap_buffer_data(buffer);
    REAP_TRY(reap_parallel_for(queue, add_slices, reap_range_1d(SLICES), .values = values,
                               .count = COUNT, .sums = sums));
    REAP_TRY(reap_parallel_for(queue, scan_sums, reap_range_1d(1), .sums = sums, .slices = SLICES));
    REAP_TRY(reap_parallel_for(queue, scan_slices, reap_range_1d(SLICES), .values = values,
                               .count = COUNT, .sums = sums, .scanned = scanned));
    return reap_buffer_release(buffer);
}

static reap_status run(const int *values, int64_t *scanned)
{
    reap_queue *queue;
    reap_buffer *from, *to;
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    REAP_TRY(reap_buffer_wrap(values, COUNT * sizeof *values, &from));
    REAP_TRY(reap_buffer_wrap(scanned, COUNT * sizeof *scanned, &to));
    REAP_TRY(scan(queue, values, scanned));
    REAP_TRY(reap_queue_wait(queue));
    REAP_TRY(reap_buffer_release(to));
    REAP_TRY(reap_buffer_release(from));
    reap_queue_release(queue);
    return REAP_OK;
}

int main(void)
{
    static int values[COUNT];
    static int64_t scanned[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = i % 1009 - 300;
    if (run(values, scanned) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    int64_t sum = 0;
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        sum += values[i];
        wrong += scanned[i] != sum;
    }
    printf("%d prefix sums, the last is %lld: %d are wrong\n", COUNT, (long long)sum, wrong);
    return wrong != 0;
}
