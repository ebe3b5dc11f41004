/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's scope, which a device may lack. It refuses all kernels of a file then, so this one
 * is in a file of its own.
 */
#include <reap/kernel.h>

REAP_KERNEL(count_for_all, inout(uint32_t, x))
{
    reap_atomic_fetch_add(&x[0], 1, REAP_ORDER_RELAXED, REAP_SCOPE_SYSTEM);
}
