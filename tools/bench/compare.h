/* SPDX-License-Identifier: Apache-2.0
 *
 * Which device is faster.
 */
#ifndef CLI_BENCH_COMPARE_H
#define CLI_BENCH_COMPARE_H

#include "tools/bench/bench.h"

enum { CLI_BENCH_SENTENCE_BYTES = 1024 };

/* The index of the device with the least median for this size; -1: none. */
int cli_bench_fastest(const struct cli_bench *bench, const struct cli_bench_size *size,
                      enum cli_bench_way way);

/* A sentence that compares a device with the first one: the sizes at which it is certainly faster,
 * that is, three quarters of its times are below three quarters of the other's. */
void cli_bench_conclude(const struct cli_bench *bench, size_t device,
                        char sentence[CLI_BENCH_SENTENCE_BYTES]);

#endif
