/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <reap/reap.h>
#include <stdio.h>

#include "stream.kernels.h"

enum { COUNT = 1000003, CHUNK = 65536 };

struct figures {
    int64_t sum;
    int least, most;
};

/* While one chunk is reduced, the next is read. An access waits for the launch that uses its
 * chunk, and each launch continues with the values of the previous one. */
static reap_status reduce_chunks(reap_queue *queue, reap_buffer *const chunks[2], FILE *file,
                                 struct figures *figures)
{
    size_t count = CHUNK;
    for (int turn = 0; count == CHUNK; turn = !turn) {
        void *values;
        REAP_TRY(reap_host_access_begin(chunks[turn], REAP_WRITE, &values));
        count = fread(values, sizeof(int), CHUNK, file);
        REAP_TRY(reap_host_access_end(chunks[turn]));
        REAP_TRY(reap_parallel_for(queue, add_chunk, reap_range_1d(count), .values = values,
                                   .sum = &figures->sum, .least = &figures->least,
                                   .most = &figures->most));
    }
    return reap_queue_wait(queue);
}

static reap_status run(FILE *file, struct figures *figures)
{
    const reap_queue_options options = {.asynchronous = true};
    reap_queue *queue;
    reap_buffer *chunks[2];
    REAP_TRY(reap_queue_create(NULL, &options, &queue));
    for (int c = 0; c < 2; c++)
        REAP_TRY(reap_buffer_create(CHUNK * sizeof(int), &chunks[c]));
    REAP_TRY(reduce_chunks(queue, chunks, file, figures));
    for (int c = 0; c < 2; c++)
        REAP_TRY(reap_buffer_release(chunks[c]));
    reap_queue_release(queue);
    return REAP_OK;
}

int main(void)
{
    FILE *file = tmpfile();
    if (file == NULL)
        return 1;
    int64_t sum = 0;
    for (int i = 0; i < COUNT; i++) {
        int value = i % 7919 - 2000;
        sum += value;
        if (fwrite(&value, sizeof value, 1, file) != 1)
            return 1;
    }
    rewind(file);

    struct figures figures = {0, INT_MAX, INT_MIN};
    if (run(file, &figures) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    fclose(file);
    printf("sum %lld, least %d, most %d\n", (long long)figures.sum, figures.least, figures.most);
    return figures.sum == sum && figures.least == -2000 && figures.most == 5918 ? 0 : 1;
}
