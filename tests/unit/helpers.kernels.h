/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel whose items call a function of the test, on whichever thread they run.
 */
#include <reap/kernel.h>

void visit_item(void);

REAP_KERNEL(visit, reduce(plus, uint64_t, items))
{
    visit_item();
    reap_combine(items, 1);
}
