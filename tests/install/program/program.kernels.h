/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(dot, in(double, a), in(double, b), reduce(plus, double, product))
{
    size_t i = reap_global_id(0);
    reap_combine(product, a[i] * b[i]);
}
