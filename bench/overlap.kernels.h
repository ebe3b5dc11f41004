/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel that runs beside copies.
 */
#include <reap/kernel.h>

/* Takes `rounds` times a multiplication and an addition. */
REAP_KERNEL(work_on, in(float, x), out(float, y), value(uint32_t, rounds))
{
    size_t i = reap_global_id(0);
    float v = x[i];
    for (uint32_t r = 0; r < rounds; r++)
        v = v * 0.5f + 1.0f;
    y[i] = v;
}
