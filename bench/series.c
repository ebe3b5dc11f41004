/* SPDX-License-Identifier: Apache-2.0
 *
 * Goes through cases, types, variants and sizes. Types and inputs come first, so that the data is
 * made, and the processes are started, seldom.
 */
#include "bench/series.h"

#include "bench/data.h"
#include "bench/table.h"

#include <stdio.h>
#include <string.h>

enum { SEED = 1 };

/* The sides of a point, Reap first. */
struct group {
    struct worker_side sides[MOST_SIDES];
    const struct peer *peers[MOST_SIDES];
    size_t count;
};

/* What is wrong is left out, and remembered. */
static void find_sides(struct bench_report *report, struct group *group,
                       const struct side_work *work)
{
    struct side reference;
    side_make_reference(&reference, work);
    side_call(&reference);
    group->count = 0;
    for (size_t p = 0; p < report->peers->count; p++) {
        const struct peer *peer = &report->peers->peers[p];
        if (!report_takes_part(report, peer, work) ||
            (peer->facts.copies_arrays && work->count > data_most_count(work->work, work->type, 2)))
            continue;
        struct worker *worker = workers_get(&report->workers, report->peers, p);
        if (!report_check(report, worker, peer, work, &reference.result))
            continue;
        group->sides[group->count] = (struct worker_side){worker, work, &report->settings};
        group->peers[group->count++] = peer;
    }
}

static void add_point(struct bench_report *report, const struct side_work *work,
                      const struct peer *peer, struct measured time)
{
    const struct bench_case *of = work->work;
    const struct bench_variant *variant = &of->variants[work->variant];
    const struct bench_task task = {
        .type = work->type, .count = work->count, .extent = variant->extent};
    if (of->is_loop)
        time.seconds /= (double)variant->extent;
    struct report_point point = {.work = of->name,
                                 .type = bench_type_name(work->type),
                                 .variant = variant->name,
                                 .peer = peer->name,
                                 .threads = work->threads,
                                 .elements = (double)work->count,
                                 .bytes = bench_case_bytes(of, &task),
                                 .time = time};
    const double held = of->is_loop ? point.bytes * (double)variant->extent : point.bytes;
    const struct report_limit *limit = report_find_limit(report, held, work->threads);
    if (limit != NULL) {
        point.limit = limit->name;
        point.fraction = point.bytes / time.seconds / limit->bytes_per_second;
    }
    report_add_point(report, &point);
}

/* Returns how many points it added. */
static size_t run_point(struct bench_report *report, const struct side_work *work)
{
    static struct group group;
    struct measured_side sides[MOST_SIDES];
    struct measured times[MOST_SIDES];
    find_sides(report, &group, work);
    for (size_t s = 0; s < group.count; s++)
        sides[s] = worker_measured(&group.sides[s]);
    measure_in_turns(sides, group.count, &report->settings, times);
    for (size_t s = 0; s < group.count; s++)
        add_point(report, work, group.peers[s], times[s]);
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

static void run_line(struct bench_report *report, struct side_work *work, size_t count)
{
    work->count = side_count(work->work, work->variant, count);
    if (work->count == 0 || report_find_point(report, work, "reap") != NULL)
        return;
    const size_t added = run_point(report, work);
    table_series_line(report, work, report->point_count - added);
}

/* With one thread, what is at most half of each cache. */
static void run_caches(struct bench_report *report, struct side_work *work)
{
    const struct machine *machine = &report->machine;
    const struct bench_case *of = work->work;
    const size_t element = of->arrays * of->words * bench_type_bytes(work->type);
    work->threads = 1;
    work->count = 1;
    table_series_begin(report, work);
    for (int c = 0; c < machine->cache_count; c++) {
        size_t count = 1;
        while (2 * (double)(2 * count * element) <= machine_cache_bytes(machine, c, 1))
            count *= 2;
        run_line(report, work, count);
    }
}

/* The whole series' data is made at once: arrays of the largest size. */
static void run_series(struct bench_report *report, const struct series_settings *settings,
                       struct side_work *work)
{
    const unsigned most = largest(work->work, work->type, settings->most);
    const unsigned wanted = least_of(work->work->most, settings->most);
    if (most < work->work->least)
        return;
    work->count = side_count(work->work, work->variant, (size_t)1 << most);
    workers_prepare(&report->workers, work);
    table_series_begin(report, work);
    for (unsigned log2 = work->work->least; log2 <= most; log2 += settings->step)
        run_line(report, work, (size_t)1 << log2);
    if (most < wanted)
        printf("More elements would take more than a third of the memory.\n");
    if (work->work->is_owed && work->type != BENCH_HALF && work->type != BENCH_BFLOAT16)
        run_caches(report, work);
}

bool series_is_wanted(const char *name, const char *words)
{
    if (words == NULL)
        return true;
    for (size_t length; *words != '\0'; words += length + (words[length] == ',')) {
        char word[64];
        length = strcspn(words, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        if (length > 0 && strstr(name, word) != NULL)
            return true;
    }
    return false;
}

static bool is_wanted(const struct series_settings *settings, const struct bench_case *work)
{
    return work->most > 0 && series_is_wanted(work->name, settings->words);
}

/* Those with one input. */
static size_t run_input(struct bench_report *report, const struct series_settings *settings,
                        enum bench_type type, enum bench_input input)
{
    size_t wanted = 0;
    for (size_t c = 0; c < bench_number_of_cases; c++) {
        const struct bench_case *work = bench_cases[c];
        if (!is_wanted(settings, work) || !peer_does(&report->peers->peers[PEER_REAP], work, type))
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
    workers_prepare(&report->workers, work);
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
