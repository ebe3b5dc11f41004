/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* Every item adds its number to the one total. */
REAP_KERNEL(add_each, in(int, values), inout(int, total))
{
    reap_atomic_fetch_add(total, values[reap_global_id(0)]);
}
