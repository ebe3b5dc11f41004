/* SPDX-License-Identifier: Apache-2.0
 *
 * The comparisons that the project has promised to hold.
 */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "bench/measure.h"

#include <reap/reap.h>
#include <stdbool.h>
#include <stdint.h>

/* What the rows work on. */
struct bench_data {
    reap_queue *queue; /* all threads */
    reap_queue *one;   /* one thread */
    size_t large;      /* bytes far beyond the caches */
    void *x, *y;       /* `large` bytes each: floats, whose sums are exact in any order */
    size_t small;      /* how many of the floats stay in the second-level cache */
    uint32_t *uniform; /* a quarter as many numbers below 256 */
    uint32_t *zeros;   /* as many zeros */
    uint32_t bins[256];
    uint32_t *partial[2];  /* room for one in 256 of those numbers */
    volatile double value; /* what was computed last */
};

/* Whether both sides compute the same number, to the bit, or things of different kinds. */
enum bench_result { RESULT_SAME, RESULT_DIFFERS };

/* One comparison: the ratio is the baseline's time over Reap's. */
struct bench_row {
    const char *work;
    const char *against;
    const char *reap_flags;
    const char *baseline_flags;
    double at_least;
    double aim;
    measured_function reap;
    measured_function baseline;
    measured_function limit; /* where not NULL: the row is void when the baseline takes more than
                                1/0.8 of this one's time */
    bool (*is_there)(void);  /* where not NULL: whether the baseline is */
    int threads;             /* of the baseline; 0: all */
    enum bench_result result;
};

extern const struct bench_row bench_rows[];
extern const size_t bench_row_count;

#endif
