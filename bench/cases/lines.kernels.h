/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(sum_each_row, in(float, x), reduce_rows(plus, float, sums))
{
    reap_combine(sums, x[reap_global_linear_id()]);
}

REAP_KERNEL(sum_each_column, in(float, x), reduce_columns(plus, float, sums))
{
    reap_combine(sums, x[reap_global_linear_id()]);
}
