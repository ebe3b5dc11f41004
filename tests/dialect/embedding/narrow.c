/* SPDX-License-Identifier: Apache-2.0
 *
 * It must compile for each processor; its results are tested elsewhere.
 */
#include <reap/reap.h>

#include "tests/dialect/embedding/narrow.kernels.h"

reap_status launch_narrow(reap_queue *queue, reap_half *x, const reap_bfloat16 *y, size_t count);

reap_status launch_narrow(reap_queue *queue, reap_half *x, const reap_bfloat16 *y, size_t count)
{
    float dot = 0;
    reap_half high = x[0];
    const reap_status status = reap_parallel_for(queue, narrow_dot, reap_range_1d(count), .x = x,
                                                 .y = y, .dot = &dot, .high = &high);
    if (status != REAP_OK)
        return status;
    return reap_parallel_for(queue, narrow_groups, reap_nd_range_1d(count, 64), .x = x);
}
