/* SPDX-License-Identifier: Apache-2.0
 *
 * The limits of the machine: how fast its threads read each level of the caches, and memory.
 */
#ifndef BENCH_LIMITS_LIMITS_H
#define BENCH_LIMITS_LIMITS_H

#include "bench/peers/peer.h"
#include "bench/report.h"

/* Adds the limits of one thread and of all to the report, and of memory for each number of threads
 * in the list, which ends with 0. */
void limits_measure(struct bench_report *report, const int *thread_counts);

/* The task's threads read its arrays, each thread its part, so often; returns the seconds. */
double limits_read_task(const struct bench_task *task, long times);

#endif
