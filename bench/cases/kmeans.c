/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of k-means, by the kernels of the example: which of 64 centres is nearest to each of the
 * points in three dimensions, and the sums of the points that are nearest to each.
 */
#include "bench/cases/list.h"

#include "bench/fail.h"
#include "examples/07_kmeans.kernels.h"

#include <math.h>
#include <reap/reap.h>
#include <stdlib.h>

enum { VALUES = DIMENSIONS * CLUSTERS };

/* A step's outcome. */
struct clusters {
    double inertia;
    float sums[VALUES];
    uint32_t sizes[CLUSTERS];
};

/* Places between -1 and 1, as the points'. */
static void fill_centres(float centres[VALUES])
{
    for (uint32_t v = 0; v < VALUES; v++)
        centres[v] = (float)((v + 1) * 2654435761u >> 16) * 0x1p-15f - 1;
}

/* The mean square of the distances; and the same without the squares of the points, from the sums
 * and sizes of all clusters. Both are nearly the same wherever a point goes that is as far from two
 * centres, which roundings decide. */
static void summarise(const struct bench_task *task, const struct clusters *clusters,
                      struct bench_result *result)
{
    float centres[VALUES];
    double squares = 0;
    fill_centres(centres);
    for (size_t v = 0; v < VALUES; v++)
        squares += (double)centres[v] * (clusters->sizes[v % CLUSTERS] * (double)centres[v] -
                                         2 * (double)clusters->sums[v]);
    result->values[0] = clusters->inertia / (double)task->count;
    result->values[1] = squares / (double)task->count;
}

/* Room for so many numbers of centres; kept. */
static unsigned char *reserve(size_t count)
{
    static unsigned char *room;
    static size_t bytes;
    if (bytes < count) {
        free(room);
        room = malloc(bytes = count);
    }
    if (room == NULL)
        bench_fail("not enough memory");
    return room;
}

static void launch(const struct bench_task *task, struct bench_result *result)
{
    unsigned char *nearest = reserve(task->count);
    struct clusters clusters = {.inertia = 0};
    float centres[VALUES];
    fill_centres(centres);
    reap_parallel_for(task->queue, assign, reap_range_1d((task->count + BLOCK - 1) / BLOCK),
                      .points = task->x, .count = task->count, .centres = centres,
                      .nearest = nearest, .inertia = {.result = &clusters.inertia});
    reap_parallel_for(task->queue, add_up, reap_range_1d(task->count), .points = task->x,
                      .count = task->count, .nearest = nearest,
                      .sums = {.result = clusters.sums, .count = VALUES},
                      .sizes = {.result = clusters.sizes, .count = CLUSTERS});
    reap_queue_wait(task->queue);
    summarise(task, &clusters, result);
}

static double square_of_distance(const struct bench_task *task, size_t i, const float *centre)
{
    double square = 0;
    for (size_t d = 0; d < DIMENSIONS; d++) {
        const double apart =
            bench_value(BENCH_FLOAT, task->x, d * task->count + i) - (double)centre[d * CLUSTERS];
        square += apart * apart;
    }
    return square;
}

static void step(const struct bench_task *task, struct bench_result *result)
{
    double inertia = 0, sums[VALUES] = {0};
    struct clusters clusters = {.inertia = 0};
    float centres[VALUES];
    fill_centres(centres);
    for (size_t i = 0; i < task->count; i++) {
        double least = INFINITY;
        int nearest = 0;
        for (int c = 0; c < CLUSTERS; c++) {
            const double square = square_of_distance(task, i, &centres[c]);
            nearest = square < least ? c : nearest;
            least = square < least ? square : least;
        }
        inertia += least;
        clusters.sizes[nearest]++;
        for (size_t d = 0; d < DIMENSIONS; d++)
            sums[d * CLUSTERS + (size_t)nearest] +=
                bench_value(BENCH_FLOAT, task->x, d * task->count + i);
    }
    clusters.inertia = inertia;
    for (size_t v = 0; v < VALUES; v++)
        clusters.sums[v] = (float)sums[v];
    summarise(task, &clusters, result);
}

static const struct bench_offer offers[] = {{"kmeans", BENCH_FLOAT, launch}};

static const struct bench_variant variants[] = {{"", 0, BENCH_RANDOM}};

const struct bench_case bench_case_kmeans = {.name = "kmeans",
                                             .title = "k-means step",
                                             .offers = offers,
                                             .offer_count = 1,
                                             .variants = variants,
                                             .variant_count = 1,
                                             .arrays = 1,
                                             .words = 3,
                                             .least = 20,
                                             .most = 20,
                                             .value_count = 2,
                                             .tolerance = 1e-3,
                                             .reference = step};
