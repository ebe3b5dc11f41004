/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether all sides come to what the naive loops come to.
 */
#ifndef BENCH_TEST_H
#define BENCH_TEST_H

#include "bench/report.h"

/* Every case whose name has the word in it, all where it is NULL, by every peer that is there, at
 * small sizes, with one thread and with all. Prints what is wrong, and the seed. Gives the
 * program's status. */
int test_run(struct bench_report *report, const char *word, uint64_t seed);

#endif
