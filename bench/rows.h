/* SPDX-License-Identifier: Apache-2.0
 *
 * The comparisons that the project has promised to hold.
 */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "bench/report.h"

struct rows_settings {
    const char *word; /* part of the names of the rows that are wanted; NULL: all */
    bool is_quick;    /* arrays that are large are a quarter as large */
    struct measure_settings turns;
};

/* Measures them, prints and adds them to the report. Gives how many were wanted. */
size_t rows_run(struct bench_report *report, const struct rows_settings *settings);

#endif
