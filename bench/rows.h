/* SPDX-License-Identifier: Apache-2.0
 *
 * The comparisons that the project has promised to hold.
 */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "bench/report.h"

/* Judges what the series measured, and measures what they lack; prints the rows and adds them to
 * the report. The words are parts of the names of the cases that are wanted; NULL: all. */
void rows_run(struct bench_report *report, const char *words);

#endif
