/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums by key with OpenMP's atomics: all threads add to one array, instead of to copies.
 */
#include "bench/peers/peer.h"

static void by_key_int(const struct bench_task *task, struct bench_result *result)
{
    const uint32_t *keys = task->x, *values = task->y;
    uint32_t *sums = result->bins;
    for (size_t k = 0; k < task->extent; k++)
        sums[k] = 0;
#pragma omp parallel for num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++) {
#pragma omp atomic
        sums[keys[i]] += values[i];
    }
}

static void by_key_float(const struct bench_task *task, struct bench_result *result)
{
    const uint32_t *keys = task->x;
    const float *values = task->y;
    float *sums = (float *)result->bins;
    for (size_t k = 0; k < task->extent; k++)
        sums[k] = 0;
#pragma omp parallel for num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++) {
#pragma omp atomic
        sums[keys[i]] += values[i];
    }
}

static const struct bench_offer offers[] = {{"by-key", BENCH_INT, by_key_int},
                                            {"by-key", BENCH_FLOAT, by_key_float}};

static const struct bench_peer peer = {.version = BENCH_VERSION,
                                       .flags = BENCH_FLAGS,
                                       .offers = offers,
                                       .offer_count = sizeof offers / sizeof *offers};

const struct bench_peer *bench_peer_open(const char **why_not)
{
    (void)why_not;
    return &peer;
}
