/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups of the floating-point types, from one template, and that of bool.
 */
#include "tests/conformance/bool.kernels.h"
#include "tests/conformance/floating.kernels.h"

#include "tests/conformance/group.h"
#include "tests/conformance/reference_builtin.h"

#define NAME float
#define INPUT INPUT_FLOAT
#include "tests/conformance/group_floating_tmpl.h"

#define NAME double
#define INPUT INPUT_DOUBLE
#include "tests/conformance/group_floating_tmpl.h"

#define NAME half
#define INPUT INPUT_HALF
#include "tests/conformance/group_floating_tmpl.h"

#define NAME bfloat16
#define INPUT INPUT_BFLOAT16
#include "tests/conformance/group_floating_tmpl.h"

static reap_status launch_bool(reap_queue *queue, size_t count, const void *inputs,
                               const struct group_argument *r)
{
    return reap_parallel_for(queue, truths, reap_range_1d(count), .x = inputs,
                             .all_bits = GROUP_ARGUMENT(r[REFERENCE_BOOL_BIT_AND]),
                             .any_bit = GROUP_ARGUMENT(r[REFERENCE_BOOL_BIT_OR]),
                             .parity = GROUP_ARGUMENT(r[REFERENCE_BOOL_BIT_XOR]),
                             .every = GROUP_ARGUMENT(r[REFERENCE_BOOL_LOGICAL_AND]),
                             .some = GROUP_ARGUMENT(r[REFERENCE_BOOL_LOGICAL_OR]));
}

static const struct group_reduction reductions_bool[] = {
    {&reference_bool[REFERENCE_BOOL_BIT_AND], NULL},
    {&reference_bool[REFERENCE_BOOL_BIT_OR], NULL},
    {&reference_bool[REFERENCE_BOOL_BIT_XOR], NULL},
    {&reference_bool[REFERENCE_BOOL_LOGICAL_AND], NULL},
    {&reference_bool[REFERENCE_BOOL_LOGICAL_OR], NULL},
};

const struct group group_bool = {
    "bool", INPUT_BOOL, 1, 10000000, REFERENCE_BOOL_OPERATORS, reductions_bool, launch_bool, false,
};
