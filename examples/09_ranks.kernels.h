/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* An item is a term of the harmonic series, counted from the rank's first one. */
REAP_KERNEL(harmonic, value(double, first), reduce(plus, float, rounded),
            reduce(exact_plus, double, sum))
{
    double term = 1 / (first + 1 + (double)reap_global_id(0));
    reap_combine(rounded, (float)term);
    reap_combine(sum, term);
}
