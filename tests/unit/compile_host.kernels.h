/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel that devices' compilers refuse, since it uses a macro that they do not get.
 */
#include <reap/kernel.h>

static int only_here(int v)
{
    return v + nowhere_else;
}

REAP_KERNEL(host_alone, out(int, x))
{
    x[reap_global_id(0)] = only_here(3);
}
