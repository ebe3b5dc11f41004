/* SPDX-License-Identifier: Apache-2.0 */
#include "1_atomics.kernels.h"
#include "tutorial.h"

static reap_status sum(reap_queue *queue, const int *values, size_t count, int *total)
{
    reap_buffer *buffer;
    *total = 0;
    REAP_TRY(reap_buffer_wrap(total, sizeof *total, &buffer));
    REAP_TRY(
        reap_parallel_for(queue, add_each, reap_range_1d(count), .values = values, .total = total));
    return reap_buffer_release(buffer);
}

int main(int argc, char **argv)
{
    return run_tutorial(argc, argv, sum);
}
