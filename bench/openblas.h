/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenBLAS, where the machine has it.
 */
#ifndef BENCH_OPENBLAS_H
#define BENCH_OPENBLAS_H

#include <stdbool.h>

/* Opens the library, once, and sets it to one thread; false where there is none. */
bool openblas_open(void);

/* What the library says of itself. After openblas_open. */
const char *openblas_configuration(void);
float openblas_dot(int count, const float *x, const float *y);

#endif
