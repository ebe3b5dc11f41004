/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects what was measured.
 */
#include "bench/report.h"

#include "bench/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more thing after `count` of them: twice the room at each power of two. */
static void *grow(void *array, size_t count, size_t bytes)
{
    if (count == 0 || (count & (count - 1)) == 0)
        array = realloc(array, (count == 0 ? 1 : 2 * count) * bytes);
    if (array == NULL)
        bench_fail("not enough memory");
    return array;
}

void report_add_limit(struct bench_report *report, const struct report_limit *limit)
{
    report->limits = grow(report->limits, report->limit_count, sizeof *limit);
    report->limits[report->limit_count++] = *limit;
}

void report_add_point(struct bench_report *report, const struct report_point *point)
{
    report->points = grow(report->points, report->point_count, sizeof *point);
    report->points[report->point_count++] = *point;
}

void report_add_row(struct bench_report *report, const struct report_row *row)
{
    report->rows = grow(report->rows, report->row_count, sizeof *row);
    report->rows[report->row_count++] = *row;
}

const struct report_point *report_find_point(const struct bench_report *report,
                                             const struct side_work *work, const char *peer)
{
    for (size_t p = 0; p < report->point_count; p++) {
        const struct report_point *point = &report->points[p];
        if (point->work == work->work->name && point->type == bench_type_name(work->type) &&
            point->variant == work->work->variants[work->variant].name &&
            point->threads == work->threads && point->elements == (double)work->count &&
            strcmp(point->peer, peer) == 0)
            return point;
    }
    return NULL;
}

const struct report_limit *report_find_limit(const struct bench_report *report, double bytes,
                                             int threads)
{
    const char *level = machine_level(&report->machine, bytes, threads);
    for (size_t l = 0; l < report->limit_count; l++)
        if (report->limits[l].threads == threads && report->limits[l].name == level)
            return &report->limits[l];
    return NULL;
}

static double bytes_held(const struct side_work *work)
{
    const struct bench_variant *variant = &work->work->variants[work->variant];
    const struct bench_task task = {
        .type = work->type, .count = work->count, .extent = variant->extent};
    const double bytes = bench_case_bytes(work->work, &task);
    return work->work->is_loop ? bytes * (double)variant->extent : bytes;
}

bool report_takes_part(const struct bench_report *report, const struct peer *peer,
                       const struct side_work *work)
{
    const struct machine *machine = &report->machine;
    if (!peer_does(peer, work->work, work->type) ||
        (work->threads != machine->threads && peer->facts.only_all_threads))
        return false;
    return peer != &report->peers->peers[PEER_READ] ||
           machine_level(machine, bytes_held(work), work->threads) ==
               machine_level_name(machine, machine->cache_count);
}

bool report_check(struct bench_report *report, struct worker *worker, const struct peer *peer,
                  const struct side_work *work, const struct bench_result *expected)
{
    const struct bench_result result = worker_call(worker, work);
    const double *got = result.values, *wanted = expected->values;
    if (peer == &report->peers->peers[PEER_READ] || side_agrees(work, &result, expected))
        return true;
    printf("WRONG RESULT: %s, %s of %s %s, %zu elements, %d threads: %g %g %g %g, not %g %g %g "
           "%g\n",
           peer->title, work->work->title, bench_type_name(work->type),
           work->work->variants[work->variant].name, work->count, work->threads, got[0], got[1],
           got[2], got[3], wanted[0], wanted[1], wanted[2], wanted[3]);
    report->is_wrong = true;
    return false;
}
