/* SPDX-License-Identifier: Apache-2.0
 *
 * The points of the report: each case, for each type and variant, at each size, by all peers.
 */
#ifndef BENCH_SERIES_H
#define BENCH_SERIES_H

#include "bench/report.h"
#include "bench/side.h"

struct series_settings {
    const char *words; /* of the names of the cases that are wanted, with commas; NULL: all */
    unsigned most;     /* log2 of the largest size */
    unsigned speedup;  /* and of the size for numbers of threads */
    unsigned step;     /* from one size's log2 to the next one's */
};

/* Whether one of the words, which have commas between them, is part of a case's name. NULL: all. */
bool series_is_wanted(const char *name, const char *words);

/* Prints and adds to the report. Returns how many series were requested. */
size_t series_run(struct bench_report *report, const struct series_settings *settings);

/* The same at one size for each number of threads in the list, which ends with 0, of the cases that
 * have that. */
void series_run_speedup(struct bench_report *report, const struct series_settings *settings,
                        const int *thread_counts);

#endif
