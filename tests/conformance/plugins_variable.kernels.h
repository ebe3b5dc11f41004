/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of another plugin, with a variable of the program, which every device refuses.
 */
#include <reap/kernel.h>

static float offset = 0;

REAP_KERNEL_MACRO(FACTOR)

REAP_KERNEL(plugin_sum, in(float, x), reduce(plus, double, sum))
{
    reap_combine(sum, x[reap_global_id(0)] * FACTOR + offset);
}

REAP_ND_KERNEL(plugin_reverse, in(float, x), out(float, y), local(float, shared))
{
    shared[reap_local_id(0)] = x[reap_global_id(0)] * FACTOR;
    reap_barrier(REAP_LOCAL_SPACE);
    y[reap_global_id(0)] = shared[reap_local_range(0) - 1 - reap_local_id(0)];
}
