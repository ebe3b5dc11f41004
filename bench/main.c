/* SPDX-License-Identifier: Apache-2.0
 *
 * reap-bench: compares Reap on the host with its peers, and prints tables; docs/benchmarks.md
 * explains them. Exit status 1 if a result is wrong; a slow one is not a failure.
 */
#include "bench/data.h"
#include "bench/fail.h"
#include "bench/limits/limits.h"
#include "bench/options.h"
#include "bench/rows.h"
#include "bench/series.h"
#include "bench/table.h"
#include "bench/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One thread, two, four and so on, and all; a zero ends them. */
static const int *list_thread_counts(int all)
{
    enum { MOST = 40 };
    static int counts[MOST];
    int count = 0;
    for (int threads = 1; threads < all; threads *= 2)
        counts[count++] = threads;
    counts[count] = all;
    return counts;
}

static int measure(const struct options *options, struct bench_report *report)
{
    const int *counts = list_thread_counts(report->machine.threads);
    table_head(report);
    limits_measure(report, counts);
    table_limits(report);
    if (series_run(report, &options->series) == 0)
        bench_fail("--case: no case has such a word in its name; --list lists the cases");
    series_run_speedup(report, &options->series, counts);
    rows_run(report, options->series.words);
    workers_end(&report->workers);
    if (options->json != NULL)
        report_write_json(report, options->json);
    return report->is_wrong ? 1 : 0;
}

/* The cases with their types and variants, and the peers. */
static int list(const struct peer_list *peers)
{
    for (size_t c = 0; c < bench_number_of_cases; c++) {
        const struct bench_case *work = bench_cases[c];
        printf("%-10s %s:", work->name, work->title);
        for (size_t o = 0; o < work->offer_count; o++)
            printf(" %s", bench_type_name(work->offers[o].type));
        for (size_t v = 0; v < work->variant_count; v++)
            if (work->variants[v].name[0] != '\0')
                printf("%s %s", v == 0 ? ";" : " |", work->variants[v].name);
        printf("\n");
    }
    printf("\n");
    table_peers(peers);
    return 0;
}

int main(int argc, char **argv)
{
    static struct options options;
    static struct peer_list peers;
    static struct bench_report report = {.peers = &peers};
    options_read(argc, argv, &options);
    machine_find(&report.machine);
    peers_find_out(&peers, options.peers);
    report.command = options.command;
    report.settings = options.turns;
    if (options.action == OPTIONS_LIST)
        return list(&peers);
    if (options.action == OPTIONS_TEST)
        return test_run(&report, options.series.words, options.seed);
    return measure(&options, &report);
}
