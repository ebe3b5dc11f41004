/* SPDX-License-Identifier: Apache-2.0
 *
 * k-means (Lloyd, "Least squares quantization in PCM", 1982): points in three dimensions and 64
 * clusters. Each step assigns each point to the nearest centre, and moves each centre to the mean
 * of its points, an array reduction. Sums of floats are exact there, so every step, and the whole
 * run, has the same bits on every device and for any number of threads. The last line has them.
 *
 *     07_kmeans [POINTS [DEVICE]]   how many points; "host", "opencl:0", "cuda:0"
 */
#include <reap/reap.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "07_kmeans.kernels.h"

enum { STEPS = 10, VALUES = DIMENSIONS * CLUSTERS };

static float next_random(unsigned long long *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)(*state >> 40) * 0x1p-24f;
}

/* Points around as many places as there are clusters. */
static void fill(float *points, size_t count)
{
    unsigned long long state = 1;
    float places[VALUES];
    for (int v = 0; v < VALUES; v++)
        places[v] = next_random(&state);
    for (size_t i = 0; i < count; i++) {
        int place = (int)(next_random(&state) * CLUSTERS);
        for (int d = 0; d < DIMENSIONS; d++) {
            float spread = next_random(&state) + next_random(&state) + next_random(&state) - 1.5f;
            points[d * count + i] = places[d * CLUSTERS + place] + 0.1f * spread;
        }
    }
}

/* A cluster without points keeps its centre. */
static void move(float *centres, const float *sums, const uint32_t *sizes)
{
    for (int v = 0; v < VALUES; v++)
        if (sizes[v % CLUSTERS] > 0)
            centres[v] = sums[v] / (float)sizes[v % CLUSTERS];
}

/* The buffers of the points and the centres of a run, and which centre is nearest to each point. */
struct data {
    reap_buffer *points, *centres, *nearest;
    size_t count;
};

static reap_status step(reap_queue *queue, const struct data *data, double *inertia)
{
    const float *points = reap_buffer_data(data->points);
    float sums[VALUES];
    uint32_t sizes[CLUSTERS];
    void *centres;
    REAP_TRY(reap_parallel_for(
        queue, assign, reap_range_1d((data->count + BLOCK - 1) / BLOCK), .points = points,
        .count = data->count, .centres = reap_buffer_data(data->centres),
        .nearest = reap_buffer_data(data->nearest), .inertia = {.result = inertia}));
    REAP_TRY(reap_parallel_for(queue, add_up, reap_range_1d(data->count), .points = points,
                               .count = data->count, .nearest = reap_buffer_data(data->nearest),
                               .sums = {.result = sums, .count = VALUES},
                               .sizes = {.result = sizes, .count = CLUSTERS}));
    REAP_TRY(reap_queue_wait(queue));
    REAP_TRY(reap_host_access_begin(data->centres, REAP_READ | REAP_WRITE, &centres));
    move(centres, sums, sizes);
    return reap_host_access_end(data->centres);
}

static reap_status run(const reap_device *device, const float *points, size_t count,
                       float centres[VALUES], double inertia[STEPS])
{
    struct data data = {.count = count};
    reap_queue *queue;
    REAP_TRY(reap_queue_create(device, NULL, &queue));
    REAP_TRY(reap_buffer_wrap(points, DIMENSIONS * count * sizeof *points, &data.points));
    REAP_TRY(reap_buffer_wrap(centres, VALUES * sizeof *centres, &data.centres));
    REAP_TRY(reap_buffer_create(count, &data.nearest));
    for (int s = 0; s < STEPS; s++)
        REAP_TRY(step(queue, &data, &inertia[s]));
    REAP_TRY(reap_buffer_release(data.nearest));
    REAP_TRY(reap_buffer_release(data.centres));
    REAP_TRY(reap_buffer_release(data.points));
    reap_queue_release(queue);
    return REAP_OK;
}

/* FNV-1a (Fowler, Noll and Vo), by 32 bits. */
static unsigned long long fingerprint(const float *values, size_t count)
{
    unsigned long long hash = 0xcbf29ce484222325u;
    for (size_t v = 0; v < count; v++) {
        uint32_t bits;
        memcpy(&bits, &values[v], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    return hash;
}

/* Returns whether the mean never grew by more than distances in floats are rounded. */
static int print(const double inertia[STEPS], size_t count, const float *centres)
{
    int is_better = 1;
    printf("step  mean square of the distance\n");
    for (int s = 0; s < STEPS; s++) {
        printf("%4d  %.17g\n", s + 1, inertia[s] / (double)count);
        is_better &= s == 0 || inertia[s] <= inertia[s - 1] * (1 + 1e-6);
    }
    printf("%zu points; first centre %.9g, %.9g, %.9g; bits of all centres %016llx\n", count,
           (double)centres[0], (double)centres[CLUSTERS], (double)centres[CLUSTERS + CLUSTERS],
           fingerprint(centres, VALUES));
    return is_better;
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 200000;
    const reap_device *device = NULL;
    float centres[VALUES];
    double inertia[STEPS];
    if (count < CLUSTERS) {
        fprintf(stderr, "at least %d points\n", CLUSTERS);
        return 2;
    }
    float *points = malloc(DIMENSIONS * count * sizeof *points);
    if (points == NULL)
        return 1;
    fill(points, count);
    for (int v = 0; v < VALUES; v++) /* the first points */
        centres[v] = points[v / CLUSTERS * count + v % CLUSTERS];
    reap_status status = argc > 2 ? reap_device_find(argv[2], &device) : REAP_OK;
    if (status == REAP_OK)
        status = run(device, points, count, centres, inertia);
    free(points);
    if (status != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    return print(inertia, count, centres) ? 0 : 1;
}
