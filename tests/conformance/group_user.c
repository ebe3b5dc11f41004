/* SPDX-License-Identifier: Apache-2.0
 *
 * The group of user.kernels.h.
 */
#include "tests/conformance/group.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/conformance/reference_user.h"
#include "tests/conformance/user.kernels.h"

static void moments_value(const void *input, size_t item, void *value)
{
    const double x = *(const double *)input;
    (void)item;
    *(struct user_moments *)value = (struct user_moments){1, x, 0};
}

static void affine_value(const void *input, size_t item, void *value)
{
    const double x = *(const double *)input;
    (void)item;
    *(struct user_affine *)value = (struct user_affine){1 + ldexp(x, -30), x};
}

static void compensated_value(const void *input, size_t item, void *value)
{
    (void)item;
    *(struct user_compensated *)value = (struct user_compensated){*(const double *)input, 0};
}

static void rotation_value(const void *input, size_t item, void *value)
{
    const bool negative = *(const double *)input < 0;
    (void)item;
    *(struct user_rotation *)value =
        negative ? (struct user_rotation){0.6f, 0.8f} : (struct user_rotation){0.96f, -0.28f};
}

static void extent_value(const void *input, size_t item, void *value)
{
    const float x = (float)*(const double *)input;
    (void)item;
    *(struct user_extent *)value = (struct user_extent){x, x, 1};
}

static void narrow_value(const void *input, size_t item, void *value)
{
    (void)item;
    *(float *)value = (float)*(const double *)input;
}

static void item_value(const void *input, size_t item, void *value)
{
    (void)input;
    *(uint32_t *)value = (uint32_t)item;
}

/* In the order of the kernel's parameters. */
static const struct group_reduction reductions[] = {
    {&reference_user[REFERENCE_MOMENTS], moments_value},
    {&reference_user[REFERENCE_AFFINE], affine_value},
    {&reference_user[REFERENCE_COMPENSATED], compensated_value},
    {&reference_user[REFERENCE_ROTATION], rotation_value},
    {&reference_user[REFERENCE_EXTENT], extent_value},
    {&reference_user[REFERENCE_AVERAGE], narrow_value},
    {&reference_user[REFERENCE_LAST], item_value},
    {&reference_double[REFERENCE_PLUS], NULL},
    {&reference_float[REFERENCE_PLUS], narrow_value},
};

static reap_status launch(reap_queue *queue, size_t count, const void *inputs,
                          const struct group_argument *r)
{
    return reap_parallel_for(queue, user_types, reap_range_1d(count), .x = inputs,
                             .spread = GROUP_ARGUMENT(r[0]), .map = GROUP_ARGUMENT(r[1]),
                             .exact = GROUP_ARGUMENT(r[2]), .angle = GROUP_ARGUMENT(r[3]),
                             .bounds = GROUP_ARGUMENT(r[4]), .middle = GROUP_ARGUMENT(r[5]),
                             .newest = GROUP_ARGUMENT(r[6]), .sum = GROUP_ARGUMENT(r[7]),
                             .narrow_sum = GROUP_ARGUMENT(r[8]));
}

const struct group group_user = {
    "user",
    INPUT_TAME_DOUBLE,
    1,
    10000000,
    sizeof reductions / sizeof *reductions,
    reductions,
    launch,
    true,
};
