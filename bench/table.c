/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of at most a hundred columns. A series has a line for each size: Reap's figures, and then
 * how many times as long each peer takes.
 */
#include "bench/table.h"

#include <reap/reap.h>
#include <stdio.h>
#include <string.h>

void table_head(const struct bench_report *report)
{
    const struct machine *machine = &report->machine;
    printf("%s, %s, %d threads, %.1f GiB, %s; compiled by %s\n", machine->description,
           machine->instruction_set, machine->threads, machine->memory_bytes * 0x1p-30,
           machine->system, BENCH_COMPILER);
    printf("Medians of up to %d turns of %.2g ms, in which all take part; %.0f ms between turns; "
           "%s\n\n",
           report->settings.turns, report->settings.turn_seconds * 1e3,
           report->settings.pause * 1e3, peers_settings());
    for (size_t p = 0; p < report->peers->count; p++) {
        const struct peer *peer = &report->peers->peers[p];
        if (peer->is_there != NULL)
            printf("%-8s %-14s %s, %s: %s\n", peer->head, peer->name, peer->title,
                   peer->is_there->version, peer->is_there->flags);
        else
            printf("%-8s %-14s %s, skipped: %s\n", peer->head, peer->name, peer->title,
                   peer->why_not);
    }
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
        if (side_is_there(&report->peers->peers[p], work, report->machine.threads))
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
        else if (side_is_there(peer, work, report->machine.threads))
            printf(" %6s", "-");
    }
    printf("\n");
    fflush(stdout);
}
