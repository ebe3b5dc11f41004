/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU benchmark's table, as lines and as a JSON file: one object with the line about the
 * machine, the card's read bandwidth, and the rows.
 */
#ifndef BENCH_GPU_REPORT_H
#define BENCH_GPU_REPORT_H

#include "bench/gpu/turns.h"

#include <stdbool.h>
#include <stdio.h>

/* One row: the ratio is the baseline's time over Reap's. Zero is left out. */
struct gpu_row {
    const char *work;
    const char *against;
    size_t items;
    double bytes; /* that the work must read */
    double at_least, aim;
    struct gpu_time reap, baseline, device; /* the last: the baseline's, by events */
    bool is_wrong;
};

struct gpu_report {
    FILE *json;       /* NULL: none */
    double bandwidth; /* bytes a second; 0: not yet known */
    int rows, below, wrong;
};

/* json_path may be NULL. Ends the program where the file cannot be made. */
void gpu_report_begin(struct gpu_report *report, const char *json_path);
void gpu_report_row(struct gpu_report *report, const struct gpu_row *row);

/* Prints what the rows came to, and ends the file. */
void gpu_report_end(struct gpu_report *report);

#endif
