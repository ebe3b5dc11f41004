/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs cases at a few sizes, odd ones among them, in the processes that are measured otherwise.
 */
#include "bench/test.h"

#include "bench/data.h"
#include "bench/series.h"

#include <stdio.h>
#include <string.h>

static void test_work(struct bench_report *report, const struct side_work *work, size_t *checks)
{
    struct side reference;
    side_make_reference(&reference, work);
    side_call(&reference);
    for (size_t p = 0; p < report->peers->count; p++) {
        const struct peer *peer = &report->peers->peers[p];
        if (!report_takes_part(report, peer, work))
            continue;
        struct worker *worker = workers_get(&report->workers, report->peers, p);
        report_check(report, worker, peer, work, &reference.result);
        ++*checks;
    }
}

static void test_sizes(struct bench_report *report, struct side_work *work, size_t *checks)
{
    static const size_t sizes[] = {70001, 33000, 1025, 64, 17, 3, 1};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        if (work->work->is_loop && sizes[s] > 4096)
            continue;
        work->count = side_count(work->work, work->variant, sizes[s]);
        for (int all = 0; all < 2 && work->count > 0; all++) {
            work->threads = all ? report->machine.threads : 1;
            if (!all && report->machine.threads == 1)
                continue;
            test_work(report, work, checks);
        }
    }
}

/* Whether a process still gives a time, after all that it was asked for. */
static bool takes_turns(struct bench_report *report, uint64_t seed)
{
    static const struct measure_settings settings = {
        .turns = 1, .turn_seconds = 1e-4, .warm_seconds = 1e-4};
    const struct side_work work = {.work = bench_cases[0],
                                   .type = bench_cases[0]->offers[0].type,
                                   .count = 100,
                                   .threads = report->machine.threads,
                                   .seed = seed};
    bool have_times = true;
    for (size_t p = 0; p < report->peers->count; p++)
        if (report_takes_part(report, &report->peers->peers[p], &work)) {
            struct worker *worker = workers_get(&report->workers, report->peers, p);
            struct worker_side side = {worker, &work, &settings};
            const struct measured_side measured = worker_measured(&side);
            struct measured time = {0};
            measure_in_turns(&measured, 1, &settings, &time);
            have_times &= time.seconds > 0;
        }
    return have_times;
}

int test_run(struct bench_report *report, const char *words, uint64_t seed)
{
    size_t checks = 0;
    for (size_t c = 0; c < bench_number_of_cases; c++) {
        const struct bench_case *work = bench_cases[c];
        if (!series_is_wanted(work->name, words))
            continue;
        for (size_t o = 0; o < work->offer_count; o++)
            for (size_t v = 0; v < work->variant_count; v++)
                test_sizes(report,
                           &(struct side_work){.work = work,
                                               .type = work->offers[o].type,
                                               .variant = (int)v,
                                               .seed = seed},
                           &checks);
    }
    const bool have_times = takes_turns(report, seed);
    workers_end(&report->workers);
    for (size_t p = 0; p < report->peers->count; p++)
        if (!report->peers->peers[p].facts.is_there)
            printf("skipped: benchmarks beside %s: %s\n", report->peers->peers[p].title,
                   report->peers->peers[p].facts.why_not);
    printf("comparisons: %zu\n", checks);
    if (report->is_wrong)
        printf("some are wrong, with --seed %llu\n", (unsigned long long)seed);
    if (!have_times)
        printf("some side's turn has no time\n");
    return !report->is_wrong && have_times && checks > 0 ? 0 : 1;
}
