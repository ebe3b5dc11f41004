/* SPDX-License-Identifier: Apache-2.0
 *
 * What must be there before anything is measured.
 */
#ifndef CLI_BENCH_PREPARE_H
#define CLI_BENCH_PREPARE_H

#include "src/cli/bench/bench.h"
#include "src/cli/message.h"

/* Chooses the devices of a list with commas; NULL: all. Complains and gives the exit status. */
enum cli_status cli_bench_choose(const char *called, const char *list, struct cli_bench *bench);

/* Bounds the sizes of each device: by the power of two, or by what is sensible where that is 0; by
 * a quarter of its memory; by what can be had. Each gets its queue and its memory, and its
 * bandwidth is measured. Gives the floats in the host's memory, as many as the largest size has;
 * NULL: there is nothing to measure, which has been said, or an interrupt came. */
float *cli_bench_prepare(struct cli_bench *bench, int most_power);

/* Also after a failure. */
void cli_bench_release(struct cli_bench *bench, float *data);

/* Complains of a device with what the library says; it is left out from then on. */
void cli_bench_fail(struct cli_bench_device *device);

#endif
