/* SPDX-License-Identifier: Apache-2.0
 *
 * Reduces an array that is larger than a device's memory, with the bits of one launch over the
 * whole array: the launches over its chunks go to parts. Two chunks alternate: one is copied while
 * the other is reduced.
 *
 *     06_in_chunks [BYTES [COUNT]]   the device's memory for data; how many numbers to reduce
 */
#include <math.h>
#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "06_in_chunks.kernels.h"

/* Chunks of a multiple of such a number are fastest (docs/chunks.md). */
enum { LEAF = 2048 };

struct figures {
    double squares;
    float sum, largest;
};

/* A part of each reduction, and a queue and memory for each of two chunks. */
struct chunks {
    reap_part *sum, *largest, *squares;
    reap_queue *queues[2];
    void *memory[2];
    size_t length;
};

static reap_status prepare(struct chunks *chunks)
{
    const reap_queue_options options = {.asynchronous = true};
    const reap_device *device;
    REAP_TRY(reap_part_create(&reap_kernel_fold, "sum", &chunks->sum));
    REAP_TRY(reap_part_create(&reap_kernel_fold, "largest", &chunks->largest));
    REAP_TRY(reap_part_create(&reap_kernel_fold, "squares", &chunks->squares));
    REAP_TRY(reap_device_default(&device));
    for (int c = 0; c < 2; c++) {
        REAP_TRY(reap_queue_create(device, &options, &chunks->queues[c]));
        REAP_TRY(reap_malloc_device(device, chunks->length * sizeof(float), &chunks->memory[c]));
    }
    return REAP_OK;
}

/* A queue is in order: a chunk's memory is written again only after it has been reduced. */
static reap_status fold_chunk(const struct chunks *chunks, size_t first, const float *values,
                              size_t count)
{
    reap_queue *queue = chunks->queues[first / chunks->length % 2];
    float *memory = chunks->memory[first / chunks->length % 2];
    REAP_TRY(reap_copy(queue, memory, values + first, count * sizeof *values, NULL));
    return reap_parallel_for(queue, fold, reap_range_1d(count), .values = memory,
                             .sum = {.part = chunks->sum}, .largest = {.part = chunks->largest},
                             .squares = {.part = chunks->squares}, .launch.first_item = first);
}

static reap_status fold_in_chunks(const struct chunks *chunks, const float *values, size_t count,
                                  struct figures *figures)
{
    size_t length = chunks->length;
    for (size_t first = 0; first < count; first += length)
        REAP_TRY(
            fold_chunk(chunks, first, values, count - first < length ? count - first : length));
    for (int c = 0; c < 2; c++)
        REAP_TRY(reap_queue_wait(chunks->queues[c]));
    REAP_TRY(reap_part_finish(chunks->sum, &figures->sum, NULL));
    REAP_TRY(reap_part_finish(chunks->largest, &figures->largest, NULL));
    return reap_part_finish(chunks->squares, &figures->squares, NULL);
}

/* Once no command uses the memory any more. */
static void release(struct chunks *chunks)
{
    for (int c = 0; c < 2; c++) {
        reap_queue_release(chunks->queues[c]);
        reap_free(chunks->memory[c]);
    }
    reap_part_release(chunks->sum);
    reap_part_release(chunks->largest);
    reap_part_release(chunks->squares);
}

/* On the host, the first of all devices, whatever the default one is. */
static reap_status fold_in_one_launch(const float *values, size_t count, struct figures *figures)
{
    const reap_device *const *devices;
    size_t device_count;
    reap_queue *queue = NULL;
    REAP_TRY(reap_device_list(&devices, &device_count));
    REAP_TRY(reap_queue_create(devices[0], NULL, &queue));
    reap_status status =
        reap_parallel_for(queue, fold, reap_range_1d(count), .values = values, .sum = &figures->sum,
                          .largest = &figures->largest, .squares = &figures->squares);
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    reap_queue_release(queue);
    return status;
}

static void fill(float *values, size_t count)
{
    unsigned long long state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = (float)(state >> 40) * 0x1p-20f - 4;
    }
}

int main(int argc, char **argv)
{
    size_t memory_bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 3000017;
    struct chunks chunks = {.length = memory_bytes / 2 / sizeof(float) / LEAF * LEAF};
    struct figures chunked = {0, 0, -INFINITY}, whole = chunked;
    if (count == 0 || chunks.length == 0) {
        fprintf(stderr, "two chunks take %zu bytes or more\n", 2 * LEAF * sizeof(float));
        return 2;
    }
    float *values = malloc(count * sizeof *values);
    if (values == NULL)
        return 1;
    fill(values, count);
    reap_status status = prepare(&chunks);
    if (status == REAP_OK)
        status = fold_in_chunks(&chunks, values, count, &chunked);
    if (status == REAP_OK)
        status = fold_in_one_launch(values, count, &whole);
    release(&chunks);
    free(values);
    if (status != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    int is_same = memcmp(&chunked, &whole, sizeof whole) == 0;
    printf("%zu chunks of %zu bytes: sum %.9g, largest %.9g, sum of squares %.17g: %s bits\n",
           (count + chunks.length - 1) / chunks.length, chunks.length * sizeof(float),
           (double)chunked.sum, (double)chunked.largest, chunked.squares,
           is_same ? "the same" : "OTHER");
    return !is_same;
}
