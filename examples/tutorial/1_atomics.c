/* SPDX-License-Identifier: Apache-2.0 */
#include "1_atomics.kernels.h"
#include "tutorial.h"

static reap_status sum(reap_queue *queue, const int *values, size_t count, int *total)
{
    *total = 0;
    return reap_parallel_for(queue, add_each, reap_range_1d(count), .values = values,
                             .total = total);
}

int main(int argc, char **argv)
{
    return run_tutorial(argc, argv, sum);
}
