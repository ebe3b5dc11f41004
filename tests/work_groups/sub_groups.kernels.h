/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithms of sub-groups on built-in and users' types.
 */
#include "tests/conformance/user.kernels.h"

REAP_KERNEL_FILE

/* Pasted into names below; a dialect makes other names of OpenCL's types. */
#undef uchar
#undef ushort
#undef uint
#undef ulong
#undef half

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

/* In the order of reference_builtin.h. */
#define PLUS_OPERATOR(X) X(plus)
#define FLOATING_OPERATORS(X) X(plus) X(multiplies) X(minimum) X(maximum)
#define INTEGER_OPERATORS(X) FLOATING_OPERATORS(X) X(bit_and) X(bit_or) X(bit_xor)
#define BOOL_OPERATORS(X) X(bit_and) X(bit_or) X(bit_xor) X(logical_and) X(logical_or)
#define BOOL_OPERATOR(X) X(bit_and)
#define MOMENTS_OPERATORS(X) X(merge_moments)
#define ROTATION_OPERATORS(X) X(rotate)

#define NAME schar
#define TYPE signed char
#define OPERATORS INTEGER_OPERATORS
#define FROM PLUS_OPERATOR
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME ushort
#define TYPE unsigned short
#define OPERATORS INTEGER_OPERATORS
#define FROM PLUS_OPERATOR
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME int
#define TYPE int
#define OPERATORS INTEGER_OPERATORS
#define FROM PLUS_OPERATOR
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME uint
#define TYPE unsigned
#define OPERATORS INTEGER_OPERATORS
#define FROM PLUS_OPERATOR
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME long
#define TYPE long
#define OPERATORS INTEGER_OPERATORS
#define FROM PLUS_OPERATOR
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME ullong
#define TYPE unsigned long long
#define OPERATORS INTEGER_OPERATORS
#define FROM PLUS_OPERATOR
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME float
#define TYPE float
#define OPERATORS FLOATING_OPERATORS
#define FROM FLOATING_OPERATORS
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME double
#define TYPE double
#define OPERATORS FLOATING_OPERATORS
#define FROM FLOATING_OPERATORS
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME half
#define TYPE reap_half
#define OPERATORS FLOATING_OPERATORS
#define FROM PLUS_OPERATOR
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME bfloat16
#define TYPE reap_bfloat16
#define OPERATORS FLOATING_OPERATORS
#define FROM PLUS_OPERATOR
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME truth
#define TYPE bool
#define OPERATORS BOOL_OPERATORS
#define FROM BOOL_OPERATOR
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME rotation
#define TYPE rotation
#define OPERATORS ROTATION_OPERATORS
#define FROM ROTATION_OPERATORS
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

#define NAME moments
#define TYPE moments
#define OPERATORS MOMENTS_OPERATORS
#define FROM MOMENTS_OPERATORS
#include "tests/work_groups/sub_groups.kernels_tmpl.h"

/* An operator that is neither commutative nor associative, without an identity. */
REAP_ND_KERNEL(combine_average, in(float, x), out(float, y), in(float, initial))
{
    const size_t i = reap_global_linear_id(), items = reap_global_linear_range();
    const float start = initial[0];
    y[i] = reap_sub_group_reduce(halfway, float, x[i]);
    y[items + i] = reap_sub_group_inclusive_scan(halfway, float, x[i]);
    y[2 * items + i] = reap_sub_group_reduce_from(halfway, float, x[i], start);
    y[3 * items + i] = reap_sub_group_inclusive_scan_from(halfway, float, x[i], start);
    y[4 * items + i] = reap_sub_group_exclusive_scan_from(halfway, float, x[i], start);
}

REAP_GROUP_KERNEL(phases_average, in(float, x), out(float, y), in(float, initial))
{
    reap_item_private(float, made);
    (void)initial;
    reap_sub_groups_reduce(halfway, float, made, x[reap_global_linear_id()]);
    reap_for_each_item {
        y[reap_global_linear_id()] = reap_private(made);
    }
    reap_sub_groups_inclusive_scan(halfway, float, made, x[reap_global_linear_id()]);
    reap_for_each_item {
        y[reap_global_linear_range() + reap_global_linear_id()] = reap_private(made);
    }
}
