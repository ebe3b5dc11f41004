/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases that are left by return and by goto, which an optimising compiler finds: without
 * optimisation they fail when they run.
 */
#include <reap/kernel.h>

enum { LEFT_BY_RETURN = __LINE__ + 4, LEFT_BY_GOTO = __LINE__ + 13 };

REAP_GROUP_KERNEL(leave_by_return, value(size_t, leaving), reduce(plus, uint32_t, sum))
{
    reap_for_each_item {
        reap_combine(sum, 1);
        if (reap_global_id(0) == leaving)
            return;
    }
}

REAP_GROUP_KERNEL(leave_by_goto, value(size_t, leaving), reduce(plus, uint32_t, sum))
{
    reap_for_each_item {
        reap_combine(sum, 1);
        if (reap_global_id(0) == leaving)
            goto out;
    }
out:
    return;
}
