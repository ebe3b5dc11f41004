/* SPDX-License-Identifier: Apache-2.0
 *
 * A series has a line for each size: Reap's figures, and then
 * how many times as long each peer takes.
 */
#include "bench/table.h"

#include <reap/reap.h>
#include <stdio.h>
#include <string.h>

void table_peers(const struct peer_list *peers)
{
    for (size_t p = 0; p < peers->count; p++) {
        const struct peer *peer = &peers->peers[p];
        printf("%-8s %-14s %s", peer->head, peer->name, peer->title);
        if (peer->facts.is_there)
            printf(", %s: %s\n", peer->facts.version, peer->facts.flags);
        else
            printf(", skipped: %s\n", peer->facts.why_not);
    }
}

void table_head(const struct bench_report *report)
{
    const struct machine *machine = &report->machine;
    printf("%s, %s, %d threads, %.1f GiB, %s; compiled by %s\n", machine->description,
           machine->instruction_set, machine->threads, machine->memory_bytes * 0x1p-30,
           machine->system, BENCH_COMPILER);
    printf(
        "Each side in a process of its own, which is stopped between its turns; medians of up to "
        "%d\nturns of %.2g ms, after %.2g ms to warm up\n\n",
        report->settings.turns, report->settings.turn_seconds * 1e3,
        report->settings.warm_seconds * 1e3);
    table_peers(report->peers);
    fflush(stdout);
}

void table_limits(const struct bench_report *report)
{
    printf("\nLimits: a plain vectorised loop that reads\n  level  threads        KiB     GB/s"
           "  spread\n");
    for (size_t l = 0; l < report->limit_count; l++) {
        const struct report_limit *limit = &report->limits[l];
        printf("  %-5s  %7d  %9.0f  %7.1f  %4.0f %%\n", limit->name, limit->threads,
               limit->bytes / 1024, limit->bytes_per_second * 1e-9, limit->spread * 100);
    }
    fflush(stdout);
}

void table_series_begin(const struct bench_report *report, const struct side_work *work)
{
    const char *variant = work->work->variants[work->variant].name;
    printf("\n%s, %s%s%s; %d threads\n", work->work->title, bench_type_name(work->type),
           variant[0] != '\0' ? ", " : "", variant, work->threads);
    printf("%8s %10s %7s %10s %6s ", "elements", "ns/element", "GB/s", "of limit", "spread");
    for (size_t p = 1; p < report->peers->count; p++)
        if (report_takes_part(report, &report->peers->peers[p], work))
            printf(" %6s", report->peers->peers[p].head);
    printf("  (time / Reap's)\n");
}

/* 64 as "2^6", 1000 as it is. */
static void print_count(double elements)
{
    const unsigned long long count = (unsigned long long)elements;
    unsigned log2 = 0;
    while (count >> log2 > 1)
        log2++;
    if (count == 1ULL << log2)
        printf("%5s%-3u ", "2^", log2);
    else
        printf("%8llu ", count);
}

static const struct report_point *find_point(const struct bench_report *report, size_t first,
                                             const char *peer)
{
    for (size_t p = first; p < report->point_count; p++)
        if (strcmp(report->points[p].peer, peer) == 0)
            return &report->points[p];
    return NULL;
}

void table_series_line(const struct bench_report *report, const struct side_work *work,
                       size_t first)
{
    const struct report_point *reap = find_point(report, first, "reap");
    if (reap == NULL)
        return;
    print_count(reap->elements);
    printf("%10.4g %7.4g ", reap->time.seconds * 1e9 / reap->elements,
           reap->bytes / reap->time.seconds * 1e-9);
    if (reap->limit != NULL)
        printf("%5.2f %-4s ", reap->fraction, reap->limit);
    else
        printf("%10s ", "-");
    printf("%4.0f %% ", reap->time.spread * 100);
    for (size_t p = 1; p < report->peers->count; p++) {
        const struct peer *peer = &report->peers->peers[p];
        const struct report_point *point = find_point(report, first, peer->name);
        if (point != NULL)
            printf(" %6.2f", point->time.seconds / reap->time.seconds);
        else if (report_takes_part(report, peer, work))
            printf(" %6s", "-");
    }
    printf("\n");
    fflush(stdout);
}

/* Peers that can work with one thread have columns. */
void table_speedup_begin(const struct bench_report *report, const struct side_work *work)
{
    const char *variant = work->work->variants[work->variant].name;
    printf("\nTimes as fast as with one thread: %s, %s%s%s, %zu elements\n", work->work->title,
           bench_type_name(work->type), variant[0] != '\0' ? ", " : "", variant, work->count);
    printf("%8s", "threads");
    for (size_t p = 0; p < report->peers->count; p++)
        if (report_takes_part(report, &report->peers->peers[p], work))
            printf(" %6s", report->peers->peers[p].head);
    printf("\n");
}

void table_speedup_line(const struct bench_report *report, const struct side_work *work)
{
    struct side_work one = *work;
    one.threads = 1;
    printf("%8d", work->threads);
    for (size_t p = 0; p < report->peers->count; p++) {
        const struct peer *peer = &report->peers->peers[p];
        const struct report_point *base = report_find_point(report, &one, peer->name);
        const struct report_point *point = report_find_point(report, work, peer->name);
        if (base != NULL && point != NULL)
            printf(" %6.2f", base->time.seconds / point->time.seconds);
        else if (report_takes_part(report, peer, &one))
            printf(" %6s", "-");
    }
    printf("\n");
    fflush(stdout);
}

void table_rows_begin(void)
{
    printf("\nPromises: the baseline's time over Reap's (times in us)\n");
    printf("%-44s %-19s %6s %5s %5s %-7s %8s %8s %4s %4s\n", "work", "against", "ratio", "least",
           "aim", "", "Reap", "baseline", "sprd", "sprd");
}

/* What a row of several sizes and peers is about is said at its end. */
void table_row(const struct report_row *row)
{
    printf("%-44s %-19s ", row->work, row->against);
    if (row->reap.seconds > 0)
        printf("%6.2f ", row->baseline.seconds / row->reap.seconds);
    else
        printf("%6s ", "-");
    printf("%5.2g %5.2g %-7s", row->at_least, row->aim, row->verdict);
    if (row->reap.seconds > 0) {
        printf(" %8.4g %8.4g %3.0f%% %3.0f%%  ", row->reap.seconds * 1e6,
               row->baseline.seconds * 1e6, row->reap.spread * 100, row->baseline.spread * 100);
        print_count(row->elements);
        printf("%s", row->baseline_peer != NULL ? row->baseline_peer : "");
    }
    printf("%s%s\n", row->why != NULL ? " " : "", row->why != NULL ? row->why : "");
    fflush(stdout);
}
