/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the positive ones of a million values, by sub-groups: one atomic operation for 32
 * work-items instead of one for each.
 */
#include <reap/reap.h>
#include <stdio.h>

#include "11_compaction.kernels.h"

enum { COUNT = 1000003, GROUP = 256, ITEMS = (COUNT + GROUP - 1) / GROUP * GROUP };

static reap_status fill(reap_buffer *values, reap_buffer *used)
{
    void *memory;
    REAP_TRY(reap_host_access_begin(values, REAP_WRITE, &memory));
    for (int i = 0; i < COUNT; i++)
        ((float *)memory)[i] = (float)(i * 7919LL % 2001 - 1000);
    REAP_TRY(reap_host_access_end(values));
    REAP_TRY(reap_host_access_begin(used, REAP_WRITE, &memory));
    *(uint32_t *)memory = 0;
    return reap_host_access_end(used);
}

/* The values are integers, so that their sum does not depend on their order. */
static reap_status measure(reap_buffer *kept, reap_buffer *used, uint32_t *count, double *sum)
{
    void *memory;
    REAP_TRY(reap_host_access_begin(used, REAP_READ, &memory));
    *count = *(uint32_t *)memory;
    REAP_TRY(reap_host_access_end(used));
    REAP_TRY(reap_host_access_begin(kept, REAP_READ, &memory));
    for (uint32_t i = 0; i < *count; i++)
        *sum += ((float *)memory)[i];
    return reap_host_access_end(kept);
}

static reap_status run(uint32_t *count, double *sum)
{
    reap_queue *queue;
    reap_buffer *values, *kept, *used;
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    REAP_TRY(reap_buffer_create(COUNT * sizeof(float), &values));
    REAP_TRY(reap_buffer_create(COUNT * sizeof(float), &kept));
    REAP_TRY(reap_buffer_create(sizeof(uint32_t), &used));
    REAP_TRY(fill(values, used));
    REAP_TRY(reap_parallel_for(queue, keep_positive, reap_nd_range_1d(ITEMS, GROUP),
                               .values = reap_buffer_data(values), .count = COUNT,
                               .kept = reap_buffer_data(kept), .used = reap_buffer_data(used)));
    REAP_TRY(measure(kept, used, count, sum));
    REAP_TRY(reap_buffer_release(values));
    REAP_TRY(reap_buffer_release(kept));
    REAP_TRY(reap_buffer_release(used));
    reap_queue_release(queue);
    return REAP_OK;
}

int main(void)
{
    uint32_t count = 0;
    double sum = 0;
    if (run(&count, &sum) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    printf("kept %u of %d values, whose sum is %.0f\n", count, COUNT, sum);
    return 0;
}
