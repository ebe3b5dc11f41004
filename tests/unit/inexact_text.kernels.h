/* SPDX-License-Identifier: Apache-2.0
 *
 * A helper function that some compilers would contract.
 */
#include <reap/kernel.h>

static float rest(float x, float product)
{
#ifdef __clang__
#pragma STDC FP_CONTRACT ON
#endif
    return x * x - product;
}

REAP_KERNEL(find_rests, inout(float, x))
{
    const float v = x[reap_global_id(0)];
    x[reap_global_id(0)] = rest(v, v * v);
}
