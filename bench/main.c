/* SPDX-License-Identifier: Apache-2.0
 *
 * reap-bench: measures Reap on the host beside its peers, and prints tables; docs/benchmarks.md
 * tells how to read them. Exit status 1 when a result is wrong; a slow one is no failure.
 */
#include "bench/data.h"
#include "bench/fail.h"
#include "bench/limits/limits.h"
#include "bench/options.h"
#include "bench/series.h"
#include "bench/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_fail(const char *what)
{
    fprintf(stderr, "reap-bench: %s\n", what);
    exit(1);
}

static int measure(const struct options *options, struct bench_report *report)
{
    const int counts[] = {1, report->machine.threads > 1 ? report->machine.threads : 0, 0};
    table_head(report);
    limits_measure(report, counts);
    table_limits(report);
    series_run(report, &options->series);
    if (options->json != NULL)
        report_write_json(report, options->json);
    return report->is_wrong ? 1 : 0;
}

int main(int argc, char **argv)
{
    struct options options;
    struct peer_list peers;
    struct bench_report report = {.peers = &peers};
    options_read(argc, argv, &options);
    machine_find(&report.machine);
    peers_open(&peers, options.peers);
    report.command = options.command;
    report.settings = options.turns;
    return measure(&options, &report);
}
