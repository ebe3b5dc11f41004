/* SPDX-License-Identifier: Apache-2.0
 *
 * What ends the benchmark.
 */
#ifndef BENCH_FAIL_H
#define BENCH_FAIL_H

#include <stdnoreturn.h>

/* Says so, and exits with status 1. */
noreturn void bench_fail(const char *what);

#endif
