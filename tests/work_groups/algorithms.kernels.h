/* SPDX-License-Identifier: Apache-2.0
 *
 * Group algorithms on built-in and users' types.
 */
#include "tests/conformance/user.kernels.h"

REAP_KERNEL_FILE

/* Pasted into names below; a dialect makes other names of OpenCL's types. */
#undef ulong
#undef half

#define RANGE_ITEMS (reap_global_range(0) * reap_global_range(1) * reap_global_range(2))
#define GROUP_ITEMS (reap_local_range(0) * reap_local_range(1) * reap_local_range(2))
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)
#define ONE(op) +1
#define OPERATORS_OF(list) (0 list(ONE))

/* In the order of reference_builtin.h. */
#define FLOATING_OPERATORS(X) X(plus) X(multiplies) X(minimum) X(maximum)
#define INTEGER_OPERATORS(X) FLOATING_OPERATORS(X) X(bit_and) X(bit_or) X(bit_xor)
#define BOOL_OPERATORS(X) X(bit_and) X(bit_or) X(bit_xor) X(logical_and) X(logical_or)

#define NAME int
#define TYPE int
#define OPERATORS INTEGER_OPERATORS
#include "tests/work_groups/algorithms.kernels_tmpl.h"

#define NAME ulong
#define TYPE unsigned long
#define OPERATORS INTEGER_OPERATORS
#include "tests/work_groups/algorithms.kernels_tmpl.h"

#define NAME schar
#define TYPE signed char
#define OPERATORS INTEGER_OPERATORS
#include "tests/work_groups/algorithms.kernels_tmpl.h"

#define NAME float
#define TYPE float
#define OPERATORS FLOATING_OPERATORS
#include "tests/work_groups/algorithms.kernels_tmpl.h"

#define NAME double
#define TYPE double
#define OPERATORS FLOATING_OPERATORS
#include "tests/work_groups/algorithms.kernels_tmpl.h"

#define NAME half
#define TYPE reap_half
#define OPERATORS FLOATING_OPERATORS
#include "tests/work_groups/algorithms.kernels_tmpl.h"

#define NAME bfloat16
#define TYPE reap_bfloat16
#define OPERATORS FLOATING_OPERATORS
#include "tests/work_groups/algorithms.kernels_tmpl.h"

#define NAME truth
#define TYPE bool
#define OPERATORS BOOL_OPERATORS
#include "tests/work_groups/algorithms.kernels_tmpl.h"

#define COMPENSATED_OPERATORS(X) X(add_compensated)
#define NAME compensated
#define TYPE compensated
#define OPERATORS COMPENSATED_OPERATORS
#include "tests/work_groups/algorithms.kernels_tmpl.h"

#define MOMENTS_OPERATORS(X) X(merge_moments)
#define NAME moments
#define TYPE moments
#define OPERATORS MOMENTS_OPERATORS
#include "tests/work_groups/algorithms.kernels_tmpl.h"

/* Operators without an identity: no exclusive scan, and nothing on arrays. Neither is commutative,
 * and the second is not associative. */
REAP_ND_KERNEL(algorithms_affine, in(affine, x), out(affine, y), value(size_t, count))
{
    const size_t i = reap_global_linear_id(), items = RANGE_ITEMS;
    (void)count;
    y[i] = reap_group_reduce(compose_affine, affine, x[i]);
    y[items + i] = reap_group_inclusive_scan(compose_affine, affine, x[i]);
}

REAP_ND_KERNEL(algorithms_average, in(float, x), out(float, y), value(size_t, count))
{
    const size_t i = reap_global_linear_id(), items = RANGE_ITEMS;
    (void)count;
    y[i] = reap_group_reduce(halfway, float, x[i]);
    y[items + i] = reap_group_inclusive_scan(halfway, float, x[i]);
}

REAP_ND_KERNEL(algorithms_last, in(uint32_t, x), out(uint32_t, y), value(size_t, count))
{
    const size_t i = reap_global_linear_id(), items = RANGE_ITEMS;
    (void)count;
    y[i] = reap_group_reduce(last, uint32_t, x[i]);
    y[items + i] = reap_group_inclusive_scan(last, uint32_t, x[i]);
}
