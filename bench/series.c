/* SPDX-License-Identifier: Apache-2.0
 *
 * Goes through cases, types, variants and sizes. Types and inputs come first, so that the data is
 * made seldom.
 */
#include "bench/series.h"

#include "bench/data.h"
#include "bench/table.h"

#include <stdio.h>
#include <string.h>

enum { SEED = 1 };

/* The sides of a point that there are, Reap first, and their peers. */
struct group {
    struct side sides[MOST_SIDES];
    const struct peer *peers[MOST_SIDES];
    size_t count;
};

/* What is wrong is left out, and remembered. */
static void add_side(struct bench_report *report, struct group *group, const struct peer *peer,
                     const struct side_work *work, const struct side *reference)
{
    struct side *side = &group->sides[group->count];
    side_make(side, work, peer, (int)group->count);
    side_call(side);
    if (side_agrees(side, reference)) {
        group->peers[group->count++] = peer;
        return;
    }
    printf("WRONG RESULT: %s, %s of %s %s, %zu elements, %d threads\n", peer->title,
           work->work->title, bench_type_name(work->type), work->work->variants[work->variant].name,
           work->count, work->threads);
    report->is_wrong = true;
}

static void find_sides(struct bench_report *report, struct group *group,
                       const struct side_work *work)
{
    struct side reference;
    side_make_reference(&reference, work);
    side_call(&reference);
    group->count = 0;
    for (size_t p = 0; p < report->peers->count; p++) {
        const struct peer *peer = &report->peers->peers[p];
        if (!side_is_there(peer, work, report->machine.threads))
            continue;
        if (peer->is_there->copies_arrays &&
            work->count > data_most_count(work->work, work->type, 2))
            continue;
        add_side(report, group, peer, work, &reference);
    }
}

static void add_point(struct bench_report *report, const struct side *side, const struct peer *peer,
                      struct measured time)
{
    const struct bench_task *task = &side->task;
    const struct bench_case *work = bench_case_find(task->work);
    if (work->is_loop)
        time.seconds /= (double)task->extent;
    struct report_point point = {.work = work->name,
                                 .type = bench_type_name(task->type),
                                 .variant = work->variants[task->variant].name,
                                 .peer = peer->name,
                                 .threads = task->threads,
                                 .elements = (double)task->count,
                                 .bytes = bench_case_bytes(work, task),
                                 .time = time};
    const double held = work->is_loop ? point.bytes * (double)task->extent : point.bytes;
    const struct report_limit *limit = report_find_limit(report, held, task->threads);
    if (limit != NULL) {
        point.limit = limit->name;
        point.fraction = point.bytes / time.seconds / limit->bytes_per_second;
    }
    report_add_point(report, &point);
}

/* Gives how many points it added. */
static size_t run_point(struct bench_report *report, const struct side_work *work)
{
    static struct group group;
    struct measured_side sides[MOST_SIDES];
    struct measured times[MOST_SIDES];
    find_sides(report, &group, work);
    for (size_t s = 0; s < group.count; s++)
        sides[s] = side_measured(&group.sides[s]);
    measure_in_turns(sides, group.count, &report->settings, times);
    for (size_t s = 0; s < group.count; s++)
        add_point(report, &group.sides[s], group.peers[s], times[s]);
    return group.count;
}

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The largest of the sizes whose data memory holds, as log2. */
static unsigned largest(const struct bench_case *work, enum bench_type type, unsigned most)
{
    unsigned log2 = least_of(work->most, most);
    while (log2 > 0 && (size_t)1 << log2 > data_most_count(work, type, 1))
        log2--;
    return log2;
}

/* The whole series' data is made at once: arrays of the largest size. */
static void run_series(struct bench_report *report, const struct series_settings *settings,
                       struct side_work *work)
{
    const unsigned most = largest(work->work, work->type, settings->most);
    const unsigned wanted = least_of(work->work->most, settings->most);
    struct side largest_side;
    if (most < work->work->least)
        return;
    work->count = side_count(work->work, work->variant, (size_t)1 << most);
    side_make_reference(&largest_side, work);
    table_series_begin(report, work);
    for (unsigned log2 = work->work->least; log2 <= most; log2 += settings->step) {
        work->count = side_count(work->work, work->variant, (size_t)1 << log2);
        if (work->count == 0)
            continue;
        const size_t added = run_point(report, work);
        table_series_line(report, work, report->point_count - added);
    }
    if (most < wanted)
        printf("More elements would take more than a third of the memory.\n");
}

static bool is_wanted(const struct series_settings *settings, const struct bench_case *work)
{
    return work->most > 0 && (settings->word == NULL || strstr(work->name, settings->word) != NULL);
}

/* Those with one input. */
static size_t run_input(struct bench_report *report, const struct series_settings *settings,
                        enum bench_type type, enum bench_input input)
{
    size_t wanted = 0;
    for (size_t c = 0; c < bench_number_of_cases; c++) {
        const struct bench_case *work = bench_cases[c];
        if (!is_wanted(settings, work) || peer_function(report->peers->peers, work, type) == NULL)
            continue;
        for (size_t v = 0; v < work->variant_count; v++)
            if (work->variants[v].input == input) {
                wanted++;
                run_series(report, settings,
                           &(struct side_work){.work = work,
                                               .type = type,
                                               .variant = (int)v,
                                               .threads = report->machine.threads,
                                               .seed = SEED});
            }
    }
    return wanted;
}

size_t series_run(struct bench_report *report, const struct series_settings *settings)
{
    size_t wanted = 0;
    for (int type = 0; type < BENCH_TYPES; type++)
        for (int input = BENCH_SIGNS; input <= BENCH_ONE; input++)
            wanted += run_input(report, settings, (enum bench_type)type, (enum bench_input)input);
    return wanted;
}

/* What the series has measured already is not measured again. */
static void run_thread_counts(struct bench_report *report, struct side_work *work,
                              const int *thread_counts)
{
    work->threads = thread_counts[0];
    table_speedup_begin(report, work);
    for (int t = 0; thread_counts[t] > 0; t++) {
        work->threads = thread_counts[t];
        if (report_find_point(report, work, "reap") == NULL)
            run_point(report, work);
        table_speedup_line(report, work);
    }
}

void series_run_speedup(struct bench_report *report, const struct series_settings *settings,
                        const int *thread_counts)
{
    for (size_t c = 0; c < bench_number_of_cases; c++) {
        const struct bench_case *work = bench_cases[c];
        const enum bench_type type = work->offers[0].type;
        if (!is_wanted(settings, work) || !work->has_speedup)
            continue;
        for (size_t v = 0; v < work->variant_count; v++) {
            const size_t count = (size_t)1 << largest(work, type, settings->speedup);
            run_thread_counts(
                report,
                &(struct side_work){
                    .work = work, .type = type, .variant = (int)v, .count = count, .seed = SEED},
                thread_counts);
        }
    }
}
