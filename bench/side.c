/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes sides, and compares what they come to.
 */
#include "bench/side.h"

#include "bench/data.h"
#include "bench/fail.h"
#include "bench/limits/limits.h"

#include <math.h>
#include <reap/reap.h>
#include <string.h>

enum { MOST_THREADS = 4096 };

/* Reap's queue of so many threads; they stay. */
static reap_queue *find_queue(int threads)
{
    static reap_queue *queues[MOST_THREADS];
    const reap_queue_options options = {.max_threads = (size_t)threads};
    if (threads >= MOST_THREADS)
        bench_fail("too many threads");
    if (queues[threads] == NULL && reap_queue_create(NULL, &options, &queues[threads]) != REAP_OK)
        bench_fail(reap_last_error());
    return queues[threads];
}

size_t side_count(const struct bench_case *work, int variant, size_t count)
{
    const size_t extent = work->variants[variant].extent;
    return work->has_rows ? count / extent * extent : count;
}

bool side_is_there(const struct peer *peer, const struct side_work *work, int all_threads)
{
    if (peer_function(peer, work->work, work->type) == NULL)
        return false;
    return work->threads == all_threads || !peer->is_there->only_all_threads;
}

static void make(struct side *side, const struct side_work *work, int slot)
{
    const struct bench_variant *variant = &work->work->variants[work->variant];
    *side = (struct side){.task = {.work = work->work->name,
                                   .type = work->type,
                                   .variant = work->variant,
                                   .extent = variant->extent,
                                   .count = work->count,
                                   .threads = work->threads,
                                   .queue = find_queue(work->threads)}};
    if (work->work->has_bins)
        side->result.bins = data_bins(slot);
    data_prepare(work->work, &side->task, work->seed);
}

void side_make(struct side *side, const struct side_work *work, const struct peer *peer, int slot)
{
    make(side, work, slot);
    side->function = peer_function(peer, work->work, work->type);
    side->peer = peer->is_there;
}

void side_make_reference(struct side *side, const struct side_work *work)
{
    make(side, work, MOST_SIDES);
    side->function = work->work->reference;
}

static void read_once(const struct bench_task *task, struct bench_result *result)
{
    (void)result;
    limits_read_task(task, 1);
}

void side_make_read_loop(struct side *side, const struct side_work *work)
{
    make(side, work, 0);
    side->function = read_once;
}

void side_call(struct side *side)
{
    side->function(&side->task, &side->result);
}

static bool are_equal(double a, double b, double tolerance)
{
    return a == b || fabs(a - b) <= tolerance * fmax(1, fmax(fabs(a), fabs(b)));
}

bool side_agrees(const struct side *side, const struct side *reference)
{
    const struct bench_case *work = bench_case_find(side->task.work);
    bool agrees = true;
    for (int v = 0; v < work->value_count; v++)
        agrees &= are_equal(side->result.values[v], reference->result.values[v], work->tolerance);
    if (work->has_bins)
        agrees &= memcmp(side->result.bins, reference->result.bins,
                         side->task.extent * sizeof *side->result.bins) == 0;
    return agrees;
}

static double time_calls(void *context, long calls)
{
    struct side *side = context;
    if (side->peer != NULL && side->peer->time_calls != NULL)
        return side->peer->time_calls(&side->task, calls);
    if (side->function == read_once)
        return limits_read_task(&side->task, calls);
    const double begin = measure_now();
    for (long c = 0; c < calls; c++)
        side->function(&side->task, &side->result);
    return measure_now() - begin;
}

struct measured_side side_measured(struct side *side)
{
    return (struct measured_side){.time_calls = time_calls, .context = side};
}
