/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables on the terminal.
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "bench/report.h"
#include "bench/side.h"

/* The machine, the peers with their flags, and how to read the tables. */
void table_head(const struct bench_report *report);
/* The peers, each with its flags, or why it is skipped. */
void table_peers(const struct peer_list *peers);

void table_limits(const struct bench_report *report);

void table_series_begin(const struct bench_report *report, const struct side_work *work);

/* A line of the points from `first` on: Reap's, and then its peers'. */
void table_series_line(const struct bench_report *report, const struct side_work *work,
                       size_t first);

/* Lines for numbers of threads, the one of `work` among them. */
void table_speedup_begin(const struct bench_report *report, const struct side_work *work);
void table_speedup_line(const struct bench_report *report, const struct side_work *work);

void table_rows_begin(void);
void table_row(const struct report_row *row);

#endif
