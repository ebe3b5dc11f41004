/* SPDX-License-Identifier: Apache-2.0
 *
 * The OpenMP loops, as -O2 makes them.
 */
#include "bench/openmp.h"

#define LOOP(name) plain_##name
#include "bench/openmp_loops.h"
