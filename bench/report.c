/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects what was measured.
 */
#include "bench/report.h"

#include "bench/fail.h"

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
