/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel whose items wait for each other.
 */
#include <reap/kernel.h>

REAP_ND_KERNEL(count_after_barrier, reduce(plus, uint64_t, items), local(uint32_t, shared))
{
    shared[reap_local_id(0)] = 1;
    reap_barrier(REAP_LOCAL_SPACE);
    reap_combine(items, shared[reap_local_range(0) - 1 - reap_local_id(0)]);
}
