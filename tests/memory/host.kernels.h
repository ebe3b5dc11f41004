/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the tests of memory that are for the host alone: one that is wrong, which it finds
 * out, and one that runs until the program sets the flag.
 */
#include <reap/kernel.h>

REAP_ND_KERNEL(diverge, out(uint32_t, x))
{
    x[reap_global_id(0)] = 1;
    if (reap_local_id(0) == 0)
        reap_barrier(REAP_LOCAL_SPACE);
}

REAP_KERNEL(hold, inout(uint32_t, flag))
{
    while (reap_atomic_fetch_add(&flag[0], 0) == 0)
        continue;
}
