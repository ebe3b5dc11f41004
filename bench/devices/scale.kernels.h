/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(device_sum, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}
