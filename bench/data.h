/* SPDX-License-Identifier: Apache-2.0
 *
 * The arrays that all sides work on.
 */
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include "bench/cases/case.h"

/* SplitMix64's next number (Steele, Lea and Flood 2014): any bits of it are good. */
uint64_t data_draw(uint64_t *state);

/* Sets what the task reads: x, y, bytes, data, partial; for its case, type, variant and count. The
 * arrays are kept for later tasks of the same input that are not longer, until another input is
 * prepared. The same seed results in the same data in every process. */
void data_prepare(const struct bench_case *work, struct bench_task *task, uint64_t seed);

/* The largest number of elements with which `copies` copies of the task's data fit in a third of
 * the machine's memory. */
size_t data_most_count(const struct bench_case *work, enum bench_type type, size_t copies);

/* Room for the bins that a side counts in, and for those that the reference does. */
enum data_bins_of { DATA_SIDE, DATA_REFERENCE };
uint32_t *data_bins(enum data_bins_of of);

enum { DATA_MOST_BINS = 1000000 };

#endif
