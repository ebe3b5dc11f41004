/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel of the same name as the one in ../sum.kernels.h, which does something else.
 */
#include <reap/kernel.h>

REAP_KERNEL(sum, in(int, values), reduce(plus, int, total))
{
    reap_combine(total, 10 * values[reap_global_id(0)]);
}
