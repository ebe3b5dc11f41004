/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* The smallest and the largest number, each with the work-item that combined it. */
REAP_KERNEL(extremes, in(float, signal), reduce_location(minimum, float, lowest),
            reduce_location(maximum, float, highest))
{
    float sample = signal[reap_global_id(0)];
    reap_combine(lowest, sample);
    reap_combine(highest, sample);
}
