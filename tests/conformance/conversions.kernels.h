/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions of narrow types, from bits to bits.
 */
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
