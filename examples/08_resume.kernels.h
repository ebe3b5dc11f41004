/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(add_up, in(float, values), reduce(plus, float, sum))
{
    reap_combine(sum, values[reap_global_id(0)]);
}
