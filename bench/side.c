/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes sides, times them, and compares what they come to.
 */
#include "bench/side.h"

#include "bench/data.h"
#include "bench/fail.h"

#include <math.h>
#include <reap/reap.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 4096 };

/* Reap's queue of so many threads. Queues stay until the process ends. */
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

static void make(struct side *side, const struct side_work *work, enum data_bins_of bins)
{
    const char *library_name = work->work->library_name;
    *side = (struct side){.task = {.work = library_name != NULL ? library_name : work->work->name,
                                   .type = work->type,
                                   .variant = work->variant,
                                   .extent = work->work->variants[work->variant].extent,
                                   .count = work->count,
                                   .threads = work->threads}};
    if (work->work->has_bins)
        side->result.bins = data_bins(bins);
    data_prepare(work->work, &side->task, work->seed);
}

void side_make(struct side *side, const struct side_work *work, const struct bench_peer *peer)
{
    make(side, work, DATA_SIDE);
    side->task.queue = find_queue(work->threads);
    side->function = peer_function(peer, work->work, work->type);
    side->peer = peer;
}

void side_make_reference(struct side *side, const struct side_work *work)
{
    make(side, work, DATA_REFERENCE);
    side->function = work->work->reference;
}

void side_call(struct side *side)
{
    side->function(&side->task, &side->result);
}

static bool are_equal(double a, double b, double tolerance)
{
    return a == b || fabs(a - b) <= tolerance * fmax(1, fmax(fabs(a), fabs(b)));
}

/* Bins to the bit; those of floats as far as the tolerance allows. */
static bool bins_agree(const struct side_work *work, const uint32_t *bins, const uint32_t *expected)
{
    const size_t count = work->work->variants[work->variant].extent;
    if (work->type != BENCH_FLOAT)
        return memcmp(bins, expected, count * sizeof *bins) == 0;
    bool agree = true;
    for (size_t b = 0; b < count; b++)
        agree &= are_equal(bench_value(BENCH_FLOAT, bins, b), bench_value(BENCH_FLOAT, expected, b),
                           work->work->tolerance);
    return agree;
}

bool side_agrees(const struct side_work *work, const struct bench_result *result,
                 const struct bench_result *expected)
{
    bool agrees = true;
    for (int v = 0; v < work->work->value_count; v++)
        agrees &= are_equal(result->values[v], expected->values[v], work->work->tolerance);
    if (work->work->has_bins)
        agrees &= bins_agree(work, result->bins, expected->bins);
    return agrees;
}

/* A call so long is timed without another one before it: what it lacks at its begin is little. */
#define LONG_CALL_SECONDS 0.1

static double time_calls(struct side *side, long calls)
{
    if (side->peer->time_calls != NULL)
        return side->peer->time_calls(&side->task, calls);
    const double begin = measure_now();
    for (long c = 0; c < calls; c++)
        side->function(&side->task, &side->result);
    return measure_now() - begin;
}

double side_take_turn(struct side *side, double warm_seconds, double turn_seconds)
{
    enum { PARTS = 4 }; /* of the warm-up: the last one measures a warm call */
    double each = time_calls(side, 1), all = each;
    if (each > LONG_CALL_SECONDS)
        return each;
    while (all < warm_seconds) {
        const long calls = (long)(warm_seconds / PARTS / each) + 1;
        const double seconds = time_calls(side, calls);
        each = seconds / (double)calls;
        all += seconds;
    }
    const long calls = (long)(turn_seconds / each) + 1;
    return time_calls(side, calls) / (double)calls;
}

static double processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double side_time_idle(struct side *side)
{
    const int helpers = side->task.threads > 1 ? side->task.threads - 1 : 1;
    side_take_turn(side, 0.01, 0.01);
    const double begin = processor_time();
    measure_sleep(0.25);
    return (processor_time() - begin) / helpers;
}
