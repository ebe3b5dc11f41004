/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures every size, from the smallest one on.
 */
#ifndef CLI_BENCH_MEASURE_H
#define CLI_BENCH_MEASURE_H

#include "src/cli/bench/bench.h"

/* Writes the floats and launches on each device, until the time is spent, but a few times at least;
 * every result is checked. An interrupt ends it, and the size at hand is left out. A device whose
 * launch fails, or has a wrong result, is complained of and left out from then on. */
void cli_bench_measure(struct cli_bench *bench, float *data);

#endif
