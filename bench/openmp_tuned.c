/* SPDX-License-Identifier: Apache-2.0
 *
 * The OpenMP loops, as tuned as flags make them.
 */
#include "bench/openmp.h"

#define LOOP(name) tuned_##name
#include "bench/openmp_loops.h"
