/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel with the strongest order, in the scope of the device.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

REAP_KERNEL(count_in_order, inout(uint32_t, x))
{
    reap_atomic_fetch_add(&x[0], 1u, REAP_ORDER_SEQ_CST, REAP_SCOPE_DEVICE);
    reap_atomic_fence(REAP_ORDER_SEQ_CST, REAP_SCOPE_DEVICE);
}
