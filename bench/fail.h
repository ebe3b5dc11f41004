/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of the benchmark by an error.
 */
#ifndef BENCH_FAIL_H
#define BENCH_FAIL_H

#include <stdnoreturn.h>

/* Prints the message on stderr and exits with status 1. */
noreturn void bench_fail(const char *what);

#endif
