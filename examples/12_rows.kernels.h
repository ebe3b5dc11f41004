/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* A result for each row of the range: `total` and `most` are arrays. */
REAP_KERNEL(each_station, in(float, rain), reduce_rows(exact_plus, float, total),
            reduce_rows(maximum, float, most))
{
    float millimetres = rain[reap_global_linear_id()];
    reap_combine(total, millimetres);
    reap_combine(most, millimetres);
}

/* And for each column. An item need not combine. */
REAP_KERNEL(each_day, in(float, rain), reduce_columns(plus, uint32_t, wet))
{
    if (rain[reap_global_linear_id()] >= 1)
        reap_combine(wet, 1);
}
