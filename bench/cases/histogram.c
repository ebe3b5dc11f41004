/* SPDX-License-Identifier: Apache-2.0
 *
 * How many numbers of an array are 0, how many 1, and so on.
 */
#include "bench/cases/list.h"

#include "bench/cases/histogram.kernels.h"

#include <reap/reap.h>
#include <string.h>

static void launch(const struct bench_task *task, struct bench_result *result)
{
    reap_parallel_for(task->queue, histogram, reap_range_1d(task->count), .x = task->x,
                      .bins = {.variable = result->bins,
                               .count = task->extent,
                               .properties = REAP_INITIALIZE_TO_IDENTITY});
    reap_queue_wait(task->queue);
}

static void count_all(const struct bench_task *task, struct bench_result *result)
{
    const uint32_t *x = task->x;
    memset(result->bins, 0, task->extent * sizeof *result->bins);
    for (size_t i = 0; i < task->count; i++)
        result->bins[x[i]]++;
}

static const struct bench_offer offers[] = {{"histogram", BENCH_UINT32, launch}};

static const struct bench_variant variants[] = {
    {"16 bins, uniform", 16, BENCH_UNIFORM},        {"256 bins, uniform", 256, BENCH_UNIFORM},
    {"256 bins, skewed", 256, BENCH_SKEWED},        {"256 bins, one", 256, BENCH_ONE},
    {"4096 bins, uniform", 4096, BENCH_UNIFORM},    {"65536 bins, uniform", 65536, BENCH_UNIFORM},
    {"10^6 bins, uniform", 1000000, BENCH_UNIFORM}, {"10^6 bins, skewed", 1000000, BENCH_SKEWED},
    {"10^6 bins, one", 1000000, BENCH_ONE}};

const struct bench_case bench_case_histogram = {.name = "histogram",
                                                .title = "histogram",
                                                .offers = offers,
                                                .offer_count = sizeof offers / sizeof *offers,
                                                .variants = variants,
                                                .variant_count = sizeof variants / sizeof *variants,
                                                .arrays = 1,
                                                .words = 1,
                                                .has_bins = true,
                                                .least = 6,
                                                .most = 26,
                                                .reference = count_all};
