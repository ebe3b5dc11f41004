/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* One step of a series; each needs the one before. */
REAP_KERNEL(step_series, inout(uint32_t, x))
{
    size_t i = reap_global_id(0);
    x[i] = 31 * x[i] + 7;
}
