/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of several plugins, with another value of a macro in each.
 */
#include <reap/kernel.h>

#ifndef FACTOR
#define FACTOR 1 /* where the file is compiled alone */
#endif
REAP_KERNEL_MACRO(FACTOR)

REAP_KERNEL(plugin_sum, in(float, x), reduce(plus, double, sum))
{
    reap_combine(sum, x[reap_global_id(0)] * FACTOR);
}

REAP_ND_KERNEL(plugin_reverse, in(float, x), out(float, y), local(float, shared))
{
    shared[reap_local_id(0)] = x[reap_global_id(0)] * FACTOR;
    reap_barrier(REAP_LOCAL_SPACE);
    y[reap_global_id(0)] = shared[reap_local_range(0) - 1 - reap_local_id(0)];
}
