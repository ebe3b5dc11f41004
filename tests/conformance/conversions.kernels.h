/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions of narrow types, from bits to bits; of numbers to integers and back, and functions
 * that round to integers.
 */
#include <math.h>
#include <reap/kernel.h>

REAP_KERNEL(widen_all, out(float, halves), out(float, bfloat16s))
{
    const size_t i = reap_global_id(0);
    halves[i] = reap_half_to_float(reap_value(reap_half, (uint16_t)i));
    bfloat16s[i] = reap_bfloat16_to_float(reap_value(reap_bfloat16, (uint16_t)i));
}

REAP_KERNEL(narrow_all, in(float, x), out(reap_half, halves), out(reap_bfloat16, bfloat16s))
{
    const size_t i = reap_global_id(0);
    halves[i] = reap_half_from_float(x[i]);
    bfloat16s[i] = reap_bfloat16_from_float(x[i]);
}

/* The sign of a quotient shows that of a 0. */
REAP_KERNEL(convert_back, in(float, x), out(float, through_int), out(float, through_long),
            out(float, quotients), out(double, doubles), reduce(minimum, float, least))
{
    const size_t i = reap_global_id(0);
    through_int[i] = (float)(int)x[i];
    through_long[i] = (float)(long)x[i];
    quotients[i] = 1.0f / (float)(int)x[i];
    doubles[i] = (double)(long)(double)x[i];
    reap_combine(least, 1.0f / (float)(int)x[i]);
}

REAP_KERNEL(round_all, in(float, x), out(float, down), out(float, up), out(float, cut),
            out(float, nearest), out(double, double_down), out(double, double_cut),
            out(double, double_nearest))
{
    const size_t i = reap_global_id(0);
    const double wide = x[i];
    down[i] = floorf(x[i]);
    up[i] = ceilf(x[i]);
    cut[i] = truncf(x[i]);
    nearest[i] = roundf(x[i]);
    double_down[i] = floor(wide);
    double_cut[i] = trunc(wide);
    double_nearest[i] = round(wide);
}

/* Work-groups, which the host compiles at run time. */
REAP_ND_KERNEL(convert_in_groups, in(float, x), out(float, quotients), local(float, beside))
{
    const size_t l = reap_local_id(0);
    beside[l] = x[reap_global_id(0)];
    reap_barrier(REAP_LOCAL_SPACE);
    quotients[reap_global_id(0)] = 1.0f / (float)(int)beside[l];
}
