/* SPDX-License-Identifier: Apache-2.0
 *
 * The sum of an array by a tree that the user writes by hand, in local memory: a loop of launches,
 * each of which leaves one number for two groups' worth of them.
 */
#include "bench/cases/list.h"

#include "bench/cases/tree.kernels.h"

#include <reap/reap.h>

enum { BARRIERS, PHASES };

#define GROUP_SIZE ((size_t)256)

/* What is measured is a program that has run for a while. */
static void compile(reap_queue *queue)
{
    static bool is_compiled;
    if (!is_compiled)
        reap_kernel_compile(reap_queue_device(queue), &reap_kernel_add_groups, 1);
    is_compiled = true;
}

static void launch(const struct bench_task *task, struct bench_result *result)
{
    const uint32_t *from = task->x;
    size_t count = task->count;
    int to = 0;
    compile(task->queue);
    do {
        const size_t groups = (count + 2 * GROUP_SIZE - 1) / (2 * GROUP_SIZE);
        const reap_range range = reap_nd_range_1d(groups * GROUP_SIZE, GROUP_SIZE);
        if (task->variant == PHASES)
            reap_parallel_for(task->queue, add_groups_in_phases, range, .input = from,
                              .partial = task->partial[to], .length = count, .scratch = GROUP_SIZE);
        else
            reap_parallel_for(task->queue, add_groups, range, .input = from,
                              .partial = task->partial[to], .length = count, .scratch = GROUP_SIZE);
        from = task->partial[to];
        to = !to;
        count = groups;
    } while (count > 1);
    reap_queue_wait(task->queue);
    result->values[0] = *from;
}

static void add_up(const struct bench_task *task, struct bench_result *result)
{
    const uint32_t *x = task->x;
    uint32_t sum = 0;
    for (size_t i = 0; i < task->count; i++)
        sum += x[i];
    result->values[0] = sum;
}

static const struct bench_offer offers[] = {{"tree", BENCH_UINT32, launch}};

static const struct bench_variant variants[] = {
    [BARRIERS] = {"barriers", GROUP_SIZE, BENCH_UNIFORM},
    [PHASES] = {"phases", GROUP_SIZE, BENCH_UNIFORM}};

const struct bench_case bench_case_tree = {.name = "tree",
                                           .title = "tree by hand",
                                           .offers = offers,
                                           .offer_count = sizeof offers / sizeof *offers,
                                           .variants = variants,
                                           .variant_count = sizeof variants / sizeof *variants,
                                           .arrays = 1,
                                           .words = 1,
                                           .least = 6,
                                           .most = 26,
                                           .has_speedup = true,
                                           .value_count = 1,
                                           .reference = add_up};
