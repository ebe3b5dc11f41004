/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose items call a function of the test, on whichever thread they run.
 */
#include <reap/kernel.h>

void visit_item(void);

REAP_KERNEL(visit, reduce(plus, uint64_t, items))
{
    visit_item();
    reap_combine(items, 1);
}

REAP_KERNEL(visit_alone, out(uint32_t, visited))
{
    visit_item();
    visited[reap_global_id(0)] = 1;
}
