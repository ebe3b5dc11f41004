/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of one item, each of which needs the one before. And the least that they could do: a
 * call that the compiler knows nothing of, and one atomic.
 */
#include "bench/cases/list.h"

#include "bench/cases/chain.kernels.h"

#include <reap/reap.h>
#include <stdatomic.h>

enum { LAUNCHES, CALLS };

static uint32_t launch_all(reap_queue *queue, size_t count)
{
    uint32_t x = 1;
    for (size_t l = 0; l < count; l++)
        reap_parallel_for(queue, step_series, reap_range_1d(1), .x = &x);
    reap_queue_wait(queue);
    return x;
}

static void step(uint32_t *x)
{
    *x = 31 * *x + 7;
}

static uint32_t call_all(size_t calls)
{
    static void (*volatile call)(uint32_t * x) = step;
    static atomic_ulong count;
    uint32_t x = 1;
    for (size_t c = 0; c < calls; c++) {
        call(&x);
        atomic_fetch_add(&count, 1);
    }
    return x;
}

static void run(const struct bench_task *task, struct bench_result *result)
{
    result->values[0] =
        task->variant == CALLS ? call_all(task->extent) : launch_all(task->queue, task->extent);
}

static void step_all(const struct bench_task *task, struct bench_result *result)
{
    uint32_t x = 1;
    for (size_t c = 0; c < task->extent; c++)
        x = 31 * x + 7;
    result->values[0] = x;
}

static const struct bench_offer offers[] = {{"chain", BENCH_UINT32, run}};

static const struct bench_variant variants[] = {[LAUNCHES] = {"launches", 1000, BENCH_UNIFORM},
                                                [CALLS] = {"calls, atomics", 1000, BENCH_UNIFORM}};

const struct bench_case bench_case_chain = {.name = "chain",
                                            .title = "chain of launches",
                                            .offers = offers,
                                            .offer_count = sizeof offers / sizeof *offers,
                                            .variants = variants,
                                            .variant_count = sizeof variants / sizeof *variants,
                                            .arrays = 1,
                                            .words = 1,
                                            .is_loop = true,
                                            .value_count = 1,
                                            .reference = step_all};
