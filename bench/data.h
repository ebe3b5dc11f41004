/* SPDX-License-Identifier: Apache-2.0
 *
 * The arrays that all sides work on.
 */
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include "bench/cases/case.h"

/* SplitMix64's next number (Steele, Lea and Flood 2014): any bits of it are good. */
uint64_t data_draw(uint64_t *state);

/* Fills in what the task reads: x, y, bytes, data, partial; for its case, type, variant and count.
 * The arrays stay for later tasks of the same input, until so many others came. */
void data_prepare(const struct bench_case *work, struct bench_task *task, uint64_t seed);

/* How many inputs stay at a time: one, at first, or two. */
void data_hold(int count);

/* How many elements of the task's all data stays below the memory that there is to spend: a third
 * of the machine's; `copies` times over. */
size_t data_most_count(const struct bench_case *work, enum bench_type type, size_t copies);

/* Room for the bins that one side counts in. */
uint32_t *data_bins(int side);

enum { DATA_MOST_BINS = 1000000 };

#endif
