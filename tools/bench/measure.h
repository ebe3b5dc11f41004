/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures all sizes, beginning with the smallest.
 */
#ifndef CLI_BENCH_MEASURE_H
#define CLI_BENCH_MEASURE_H

#include "tools/bench/bench.h"

/* Writes the floats and launches on each device, until the time limit, but at least a few times;
 * checks every result. An interrupt ends the measurement, and the current size is left out. A
 * device whose launch fails, or has a wrong result, is reported and left out from then on. */
void cli_bench_measure(struct cli_bench *bench, float *data);

#endif
