/* SPDX-License-Identifier: Apache-2.0 */
#include "5_reduction.kernels.h"
#include "tutorial.h"

static reap_status sum(reap_queue *queue, const int *values, size_t count, int *total)
{
    return reap_parallel_for(queue, add_up, reap_range_1d(count), .values = values,
                             .total = {.result = total});
}

int main(int argc, char **argv)
{
    return run_tutorial(argc, argv, sum);
}
