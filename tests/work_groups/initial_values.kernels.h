/* SPDX-License-Identifier: Apache-2.0
 *
 * Group algorithms after an initial value, on built-in and users' types.
 */
#include "tests/conformance/user.kernels.h"

REAP_KERNEL_FILE

/* Pasted into names below; a dialect makes other names of OpenCL's types. */
#undef half

#define RANGE_ITEMS (reap_global_linear_range())
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)
#define ONE(op) +1
#define OPERATORS_OF(list) (0 list(ONE))
#define FLOATING_OPERATORS(X) X(plus) X(multiplies) X(minimum) X(maximum)
#define TWO_OPERATORS(X) X(plus) X(multiplies)

#define NAME int
#define TYPE int
#define OPERATORS TWO_OPERATORS
#include "tests/work_groups/initial_values.kernels_tmpl.h"

#define NAME float
#define TYPE float
#define OPERATORS FLOATING_OPERATORS
#include "tests/work_groups/initial_values.kernels_tmpl.h"

#define NAME half
#define TYPE reap_half
#define OPERATORS TWO_OPERATORS
#include "tests/work_groups/initial_values.kernels_tmpl.h"

#define NAME bfloat16
#define TYPE reap_bfloat16
#define OPERATORS TWO_OPERATORS
#include "tests/work_groups/initial_values.kernels_tmpl.h"

#define MOMENTS_OPERATORS(X) X(merge_moments)
#define NAME moments
#define TYPE moments
#define OPERATORS MOMENTS_OPERATORS
#include "tests/work_groups/initial_values.kernels_tmpl.h"

/* An operator without an identity, and not commutative. */
REAP_ND_KERNEL(from_affine, in(affine, x), out(affine, y), in(affine, initial),
               value(size_t, count))
{
    const size_t i = reap_global_linear_id(), items = RANGE_ITEMS;
    const affine start = initial[0];
    (void)count;
    y[i] = reap_group_reduce_from(compose_affine, affine, x[i], start);
    y[items + i] = reap_group_inclusive_scan_from(compose_affine, affine, x[i], start);
    y[2 * items + i] = reap_group_exclusive_scan_from(compose_affine, affine, x[i], start);
}
