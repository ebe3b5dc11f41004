/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the results of all sides with those of the naive loops.
 */
#ifndef BENCH_TEST_H
#define BENCH_TEST_H

#include "bench/report.h"

/* Runs every case whose name contains one of the words (NULL: all), by every peer that is
 * installed, at small sizes, with one thread and with all. Prints differences, and the seed.
 * Returns the program's status. */
int test_run(struct bench_report *report, const char *words, uint64_t seed);

#endif
