/* SPDX-License-Identifier: Apache-2.0
 *
 * What was measured, as it will be written.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/side.h"
#include "bench/worker.h"

/* How fast so many threads read so many bytes again and again. */
struct report_limit {
    const char *name; /* "L1" ... "DRAM" */
    int threads;
    double bytes, bytes_per_second, spread;
};

/* One side's time for a piece of work. */
struct report_point {
    const char *work, *type, *variant, *peer;
    int threads;
    double elements, bytes;
    struct measured time;
    const char *limit; /* NULL: none is known */
    double fraction;
};

/* A comparison that the project has promised to hold: the ratio is the baseline's time over
 * Reap's. */
struct report_row {
    const char *work, *against;
    double at_least, aim;
    const char *verdict;            /* "aim", "holds", "below", "void", "skipped" or "wrong" */
    const char *why;                /* why it is void or skipped; NULL otherwise */
    struct measured reap, baseline; /* where it was measured; 0 otherwise */
    double elements;                /* that they are of */
    const char *baseline_peer;      /* its title; NULL: no peer is the baseline */
    const char *reap_flags, *baseline_flags;
};

struct bench_report {
    const char *command;
    bool is_wrong; /* some result was */
    struct machine machine;
    struct measure_settings settings;
    const struct peer_list *peers;
    struct worker_list workers;
    struct report_limit *limits;
    struct report_point *points;
    struct report_row *rows;
    size_t limit_count, point_count, row_count;
};

void report_add_limit(struct bench_report *report, const struct report_limit *limit);
void report_add_point(struct bench_report *report, const struct report_point *point);
void report_add_row(struct bench_report *report, const struct report_row *row);

/* NULL where it was not measured. */
const struct report_point *report_find_point(const struct bench_report *report,
                                             const struct side_work *work, const char *peer);

/* The limit of the least level that holds so many bytes, read by so many threads; NULL: none. */
const struct report_limit *report_find_limit(const struct bench_report *report, double bytes,
                                             int threads);

/* Whether the peer is measured there: it can do the work; and the read loop only where memory is
 * what limits. */
bool report_takes_part(const struct bench_report *report, const struct peer *peer,
                       const struct side_work *work);

/* Whether the peer comes to what the naive loop came to; prints and notes that it is wrong. */
bool report_check(struct bench_report *report, struct worker *worker, const struct peer *peer,
                  const struct side_work *work, const struct bench_result *expected);

/* Whether the program can write JSON. */
bool report_has_json(void);

/* Ends the program where the file cannot be written. */
void report_write_json(const struct bench_report *report, const char *path);

#endif
