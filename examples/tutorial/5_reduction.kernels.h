/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(add_up, in(int, values), reduce(plus, int, total))
{
    reap_combine(total, values[reap_global_id(0)]);
}
