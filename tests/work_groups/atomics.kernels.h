/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations in all kinds of kernels, on every type that they take.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Pasted into names below; a dialect makes other names of OpenCL's types. */
#undef uint
#undef ulong

/* What each cell is for. */
enum {
    CELL_COUNT,
    CELL_EXCHANGE,
    CELL_ADD,
    CELL_MIN,
    CELL_MAX,
    CELL_AND,
    CELL_OR,
    CELL_XOR,
    CELL_SWAP,
    CELLS
};

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

#define NAME int
#define TYPE int
#include "tests/work_groups/atomics.kernels_tmpl.h"

#define NAME uint
#define TYPE unsigned
#include "tests/work_groups/atomics.kernels_tmpl.h"

#define NAME long
#define TYPE long
#include "tests/work_groups/atomics.kernels_tmpl.h"

#define NAME ulong
#define TYPE unsigned long
#include "tests/work_groups/atomics.kernels_tmpl.h"

#define NAME llong
#define TYPE long long
#include "tests/work_groups/atomics.kernels_tmpl.h"

#define NAME ullong
#define TYPE unsigned long long
#include "tests/work_groups/atomics.kernels_tmpl.h"

/* Sums of small whole numbers, which are exact in any order; local ones are added up at last. */
REAP_ND_KERNEL(add_floating, in(float, x), inout(float, single), inout(double, wide),
               local(float, own_single), local(double, own_wide))
{
    const size_t i = reap_global_id(0);
    if (reap_local_id(0) == 0) {
        own_single[0] = 0;
        own_wide[0] = 0;
    }
    reap_barrier(REAP_LOCAL_SPACE);
    reap_atomic_fetch_add(&own_single[0], x[i]);
    reap_atomic_fetch_add(&own_wide[0], (double)x[i]);
    reap_atomic_fetch_add(&single[0], x[i]);
    reap_atomic_fetch_add(&wide[0], (double)x[i]);
    reap_barrier(REAP_LOCAL_SPACE);
    if (reap_local_id(0) == 0) {
        reap_atomic_fetch_add(&single[1], own_single[0]);
        reap_atomic_fetch_add(&wide[1], own_wide[0]);
    }
}

REAP_KERNEL(add_floating_in_range, in(float, x), inout(float, single), inout(double, wide))
{
    const size_t i = reap_global_id(0);
    reap_atomic_fetch_add(&single[0], x[i]);
    reap_atomic_fetch_add(&wide[0], (double)x[i]);
}
