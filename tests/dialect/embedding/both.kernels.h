/* SPDX-License-Identifier: Apache-2.0
 *
 * Two kernels of a file that both translation units include, with a file and a macro of their own.
 */
#include "helper.h"

REAP_KERNEL_MACRO(FACTOR)
REAP_KERNEL_MACRO(NAME)

REAP_KERNEL(scaled_sum, in(int, values), reduce(plus, int, total))
{
    reap_combine(total, scaled(values[reap_global_id(0)]));
}

REAP_KERNEL(count_letters, out(int, letters))
{
    letters[reap_global_id(0)] = (int)sizeof NAME - 1;
}
