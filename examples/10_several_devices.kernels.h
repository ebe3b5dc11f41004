/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* Each item uses its own element of both arrays. */
REAP_KERNEL(normalise, in(float, samples), out(float, scaled), value(float, scale),
            reduce(plus, double, energy), reduce_location(maximum, float, peak))
{
    size_t i = reap_global_id(0);
    float value = samples[i] * scale;
    scaled[i] = value;
    reap_combine(energy, (double)value * value);
    reap_combine(peak, value);
}
