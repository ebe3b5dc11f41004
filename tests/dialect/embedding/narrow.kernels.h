/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions of narrow types, which are functions of the library's headers, and a helper of the
 * program's.
 */
#include <reap/kernel.h>

static float product(reap_half a, reap_bfloat16 b)
{
    return reap_half_to_float(a) * reap_bfloat16_to_float(b);
}

REAP_KERNEL(narrow_dot, in(reap_half, x), in(reap_bfloat16, y), reduce(plus, float, dot),
            reduce(maximum, reap_half, high))
{
    const size_t i = reap_global_id(0);
    reap_combine(dot, product(x[i], y[i]));
    reap_combine(high, x[i]);
}

REAP_ND_KERNEL(narrow_groups, inout(reap_half, x))
{
    const size_t i = reap_global_id(0);
    const float sum = reap_group_reduce(plus, float, reap_half_to_float(x[i]));
    x[i] = reap_half_from_float(sum);
}
