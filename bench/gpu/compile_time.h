/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel's first launch costs: with an empty cache on disk, from the cache, and the launch
 * after it. Each is measured in programs of their own, started for it.
 */
#ifndef BENCH_GPU_COMPILE_TIME_H
#define BENCH_GPU_COMPILE_TIME_H

#include "bench/gpu/report.h"

/* What the started programs do: print the seconds of the first launch and of the second. The
 * card's context is there before. */
int gpu_print_first_launches(void);

void gpu_report_compile_time(struct gpu_report *report);

#endif
