/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that are compiled before they are launched.
 */
#include <reap/kernel.h>

REAP_KERNEL(sum_rows, in(float, x), reduce(plus, double, sum))
{
    reap_combine(sum, x[reap_global_linear_id()]);
}

REAP_KERNEL(add_to_bins, in(float, x), reduce_span(plus, float, bins))
{
    reap_combine_at(bins, reap_global_id(0) % 8, x[reap_global_id(0)]);
}
