/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a device has the orders of atomic operations. Some OpenCL devices have relaxed operations
 * alone, and refuse kernels with others; docs/atomics.md.
 */
#ifndef TESTS_WORK_GROUPS_ATOMIC_ORDERS_H
#define TESTS_WORK_GROUPS_ATOMIC_ORDERS_H

#include "tests/work_groups/atomic_orders.kernels.h"

#include "tests/conformance/devices.h"
#include "tests/support/check_status.h"

#include <string.h>

/* A device that has not is skipped. */
static inline bool atomic_orders_are_there(reap_queue *queue)
{
    enum { ITEMS = 100 };
    static uint32_t x[1];
    x[0] = 0;
    TEST_SHARE(x);
    reap_status status = reap_parallel_for(queue, count_in_order, reap_range_1d(ITEMS), .x = x);
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    if (status == REAP_ERROR_COMPILATION_FAILED &&
        strstr(reap_last_error(), "on this device, which lacks") != NULL)
        return !test_skips("orders of atomic operations", "the device has relaxed ones alone");
    CHECK_STATUS(status, REAP_OK);
    CHECK_EQ(x[0], ITEMS);
    return true;
}

#endif
