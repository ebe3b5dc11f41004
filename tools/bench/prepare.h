/* SPDX-License-Identifier: Apache-2.0
 *
 * Preparation of a measurement.
 */
#ifndef CLI_BENCH_PREPARE_H
#define CLI_BENCH_PREPARE_H

#include "tools/bench/bench.h"
#include "tools/message.h"

/* Selects the devices of a list with commas; NULL: all. Complains and returns the exit status. */
enum cli_status cli_bench_choose(const char *called, const char *list, struct cli_bench *bench);

/* Limits the sizes of each device by the power of two (0: a default), by a quarter of its memory,
 * and by what can be allocated. Creates each device's queue, allocates its memory, and measures its
 * bandwidth. Returns host memory for the floats of the largest size; NULL: nothing can be measured,
 * which was reported, or an interrupt came. */
float *cli_bench_prepare(struct cli_bench *bench, int most_power);

/* Must also be called after a failure. */
void cli_bench_release(struct cli_bench *bench, float *data);

/* Reports a device's failure with the library's text; the device is left out from then on. */
void cli_bench_fail(struct cli_bench_device *device);

#endif
