/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(sum_rows, in(float, x), value(size_t, columns), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0) * columns + reap_global_id(1)]);
}
