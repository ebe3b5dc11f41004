/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line.
 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "bench/measure.h"
#include "bench/series.h"

enum options_action { OPTIONS_MEASURE, OPTIONS_LIST, OPTIONS_TEST };

struct options {
    enum options_action action;
    const char *json;  /* where to write; NULL: nowhere */
    const char *peers; /* names with commas; NULL: all */
    const char *command;
    uint64_t seed; /* of a test */
    struct measure_settings turns;
    struct series_settings series;
};

/* Ends the program where they are wrong, and after --help. */
void options_read(int argc, char **argv, struct options *options);

#endif
