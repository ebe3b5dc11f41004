/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU benchmark's table, as lines and as a JSON file.
 */
#ifndef BENCH_GPU_REPORT_H
#define BENCH_GPU_REPORT_H

#include "bench/gpu/turns.h"

#include <stdbool.h>
#include <stdio.h>

/* What a row is called in the JSON file, as on the host: where `work` is NULL, it is left out. */
struct gpu_name {
    const char *work, *type, *variant;
    bool is_same_work; /* the baseline does the same, and is CUB */
};

/* One row: the ratio is the baseline's time over Reap's. Zero is left out. */
struct gpu_row {
    const char *work;
    const char *against;
    struct gpu_name name;
    size_t items;
    double bytes; /* that the work must read */
    double at_least, aim;
    struct gpu_time reap, baseline, device; /* the last: the baseline's, by events */
    bool is_wrong;
};

enum { GPU_MOST_ROWS = 512 };

struct gpu_report {
    const char *command;
    struct gpu_turns turns;
    struct gpu_machine machine;
    FILE *json;             /* NULL: none */
    double bandwidth;       /* bytes a second; 0: not yet known */
    double bandwidth_bytes; /* of what it was measured on */
    struct gpu_row rows[GPU_MOST_ROWS];
    int row_count, below, wrong;
};

/* json_path may be NULL. Ends the program where the file cannot be made. */
void gpu_report_begin(struct gpu_report *report, const char *json_path);
void gpu_report_row(struct gpu_report *report, const struct gpu_row *row);

/* Prints what the rows came to, and writes the file. */
void gpu_report_end(struct gpu_report *report);

/* "aim", "holds", "below", "wrong", or "" where nothing was promised. */
const char *gpu_row_verdict(const struct gpu_row *row);

/* Writes the whole file. */
void gpu_report_write_json(const struct gpu_report *report);

#endif
