/* SPDX-License-Identifier: Apache-2.0
 *
 * The sum of an array's numbers for each of the keys beside them. Sums of floats are Reap's exact
 * ones, and numbers that round; the peers add in any order, in floats.
 */
#include "bench/cases/list.h"

#include "bench/cases/by_key.kernels.h"

#include <reap/reap.h>
#include <stdlib.h>
#include <string.h>

static void launch_int(const struct bench_task *task, struct bench_result *result)
{
    reap_parallel_for(task->queue, by_key_int, reap_range_1d(task->count), .keys = task->x,
                      .values = task->y,
                      .sums = {.result = (int *)result->bins, .count = task->extent});
    reap_queue_wait(task->queue);
}

static void launch_float(const struct bench_task *task, struct bench_result *result)
{
    reap_parallel_for(task->queue, by_key_float, reap_range_1d(task->count), .keys = task->x,
                      .values = task->y,
                      .sums = {.result = (float *)result->bins, .count = task->extent});
    reap_queue_wait(task->queue);
}

static void add_ints(const struct bench_task *task, struct bench_result *result)
{
    const uint32_t *keys = task->x, *values = task->y; /* as these, they wrap */
    memset(result->bins, 0, task->extent * sizeof *result->bins);
    for (size_t i = 0; i < task->count; i++)
        result->bins[keys[i]] += values[i];
}

static void add_floats(const struct bench_task *task, struct bench_result *result)
{
    const uint32_t *keys = task->x;
    const float *values = task->y;
    float *sums = (float *)result->bins;
    double *exact = calloc(task->extent, sizeof *exact);
    for (size_t i = 0; exact != NULL && i < task->count; i++)
        exact[keys[i]] += (double)values[i];
    for (size_t k = 0; k < task->extent; k++)
        sums[k] = exact != NULL ? (float)exact[k] : 0;
    free(exact);
}

static void add_up(const struct bench_task *task, struct bench_result *result)
{
    if (task->type == BENCH_FLOAT)
        add_floats(task, result);
    else
        add_ints(task, result);
}

static const struct bench_offer offers[] = {{"by-key", BENCH_INT, launch_int},
                                            {"by-key", BENCH_FLOAT, launch_float}};

/* The distributions of so many keys. */
#define KEYS(name, count)                                                                          \
    {name " keys, uniform", count, BENCH_UNIFORM}, {name " keys, skewed", count, BENCH_SKEWED},    \
    {                                                                                              \
        name " keys, one", count, BENCH_ONE                                                        \
    }

static const struct bench_variant variants[] = {KEYS("16", 16), KEYS("256", 256),
                                                KEYS("4096", 4096), KEYS("65536", 65536),
                                                KEYS("10^6", 1000000)};

const struct bench_case bench_case_by_key = {.name = "by-key",
                                             .title = "sum by key",
                                             .offers = offers,
                                             .offer_count = sizeof offers / sizeof *offers,
                                             .variants = variants,
                                             .variant_count = sizeof variants / sizeof *variants,
                                             .arrays = 2,
                                             .words = 1,
                                             .has_bins = true,
                                             .least = 22,
                                             .most = 24,
                                             .tolerance = 1e-3,
                                             .reference = add_up};
