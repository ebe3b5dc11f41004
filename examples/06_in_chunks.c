/* SPDX-License-Identifier: Apache-2.0
 *
 * Reduces an array that is larger than a device's memory, with the bits of one launch over the
 * whole array: a chunk is some nodes of the reduction shape, whose lanes stay on the device until
 * the end. Two chunks alternate: one is copied while the other is reduced.
 *
 *     06_in_chunks [BYTES [COUNT]]   the device's memory for data; how many numbers to reduce
 */
#include <math.h>
#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "06_in_chunks.kernels.h"

struct figures {
    double squares;
    float sum, largest;
};

/* A queue for each of two chunks, and the lanes of all nodes. */
struct device_side {
    reap_queue *queues[2];
    void *chunks[2], *nodes;
    double *squares; /* among the nodes, as the other two */
    float *sums, *maxima;
    size_t node_count, nodes_per_chunk, group_items;
};

enum {
    LANES_BYTES = LANES * (sizeof(double) + 2 * sizeof(float)),
    NODE_BYTES = NODE * sizeof(float)
};

/* The number of nodes of a chunk; 0: the memory is too small for two chunks of one. */
static size_t count_nodes_per_chunk(size_t memory_bytes, size_t node_count)
{
    size_t lanes_bytes = node_count * LANES_BYTES;
    return memory_bytes < lanes_bytes ? 0 : (memory_bytes - lanes_bytes) / 2 / NODE_BYTES;
}

static reap_status prepare(struct device_side *side)
{
    const reap_queue_options options = {.asynchronous = true};
    const reap_device *device;
    reap_device_info info;
    reap_status status = reap_device_default(&device);
    if (status == REAP_OK)
        status = reap_device_get_info(device, &info);
    for (int c = 0; c < 2 && status == REAP_OK; c++) {
        status = reap_queue_create(device, &options, &side->queues[c]);
        if (status == REAP_OK)
            status =
                reap_malloc_device(device, side->nodes_per_chunk * NODE_BYTES, &side->chunks[c]);
    }
    if (status == REAP_OK)
        status = reap_malloc_device(device, side->node_count * LANES_BYTES, &side->nodes);
    if (status != REAP_OK)
        return status;
    side->squares = side->nodes;
    side->sums = (float *)(side->squares + side->node_count * LANES);
    side->maxima = side->sums + side->node_count * LANES;
    side->group_items = info.max_work_group_size < 256 ? info.max_work_group_size : 256;
    return REAP_OK;
}

/* A queue is in order: a chunk's memory is written again only after it has been reduced. */
static reap_status fold_chunk(const struct device_side *side, size_t chunk, const float *values,
                              size_t count)
{
    reap_queue *queue = side->queues[chunk % 2];
    float *memory = side->chunks[chunk % 2];
    size_t node = chunk * side->nodes_per_chunk, nodes = (count + NODE - 1) / NODE;
    reap_status status = reap_copy(queue, memory, values, count * sizeof *values, NULL);
    if (status != REAP_OK)
        return status;
    return reap_parallel_for(
        queue, make_nodes, reap_nd_range_1d(nodes * side->group_items, side->group_items),
        .values = memory, .count = count, .sums = side->sums + node * LANES,
        .maxima = side->maxima + node * LANES, .squares = side->squares + node * LANES,
        .sum = LEAVES * LANES, .largest = LEAVES * LANES, .square = LEAVES * LANES);
}

static reap_status fold_in_chunks(const struct device_side *side, const float *values, size_t count,
                                  struct figures *figures)
{
    size_t per_chunk = side->nodes_per_chunk * NODE;
    reap_status status = REAP_OK;
    for (size_t first = 0; first < count && status == REAP_OK; first += per_chunk)
        status = fold_chunk(side, first / per_chunk, values + first,
                            count - first < per_chunk ? count - first : per_chunk);
    for (int c = 0; c < 2 && status == REAP_OK; c++)
        status = reap_queue_wait(side->queues[c]);
    if (status == REAP_OK)
        status = reap_parallel_for(
            side->queues[0], fold_nodes, reap_nd_range_1d(side->group_items, side->group_items),
            .count = count, .sums = side->sums, .maxima = side->maxima, .squares = side->squares,
            .sum = &figures->sum, .largest = &figures->largest, .square = &figures->squares);
    return status == REAP_OK ? reap_queue_wait(side->queues[0]) : status;
}

/* Once no command uses the memory any more. */
static void release(struct device_side *side)
{
    for (int c = 0; c < 2; c++) {
        reap_queue_release(side->queues[c]);
        reap_free(side->chunks[c]);
    }
    reap_free(side->nodes);
}

/* On the host, the first of all devices, whatever the default one is. */
static reap_status fold_in_one_launch(const float *values, size_t count, struct figures *figures)
{
    const reap_device *const *devices;
    size_t device_count;
    reap_queue *queue = NULL;
    reap_status status = reap_device_list(&devices, &device_count);
    if (status == REAP_OK)
        status = reap_queue_create(devices[0], NULL, &queue);
    if (status == REAP_OK)
        status = reap_parallel_for(queue, fold_all, reap_range_1d(count), .values = values,
                                   .sum = &figures->sum, .largest = &figures->largest,
                                   .squares = &figures->squares);
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
    struct device_side side = {.node_count = (count + NODE - 1) / NODE};
    struct figures chunked = {0, 0, -INFINITY}, whole = chunked;
    side.nodes_per_chunk = count_nodes_per_chunk(memory_bytes, side.node_count);
    if (count == 0 || side.nodes_per_chunk == 0) {
        fprintf(stderr, "%zu numbers need %zu bytes or more\n", count,
                side.node_count * LANES_BYTES + 2 * NODE_BYTES);
        return 2;
    }
    float *values = malloc(count * sizeof *values);
    if (values == NULL)
        return 1;
    fill(values, count);
    reap_status status = prepare(&side);
    if (status == REAP_OK)
        status = fold_in_chunks(&side, values, count, &chunked);
    if (status == REAP_OK)
        status = fold_in_one_launch(values, count, &whole);
    release(&side);
    free(values);
    if (status != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    int is_same = memcmp(&chunked, &whole, sizeof whole) == 0;
    printf("%zu chunks of %zu bytes: sum %.9g, largest %.9g, sum of squares %.17g: %s bits\n",
           (side.node_count + side.nodes_per_chunk - 1) / side.nodes_per_chunk,
           side.nodes_per_chunk * NODE_BYTES, (double)chunked.sum, (double)chunked.largest,
           chunked.squares, is_same ? "the same" : "OTHER");
    return !is_same;
}
