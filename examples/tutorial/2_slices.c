/* SPDX-License-Identifier: Apache-2.0 */
#include "2_slices.kernels.h"
#include "tutorial.h"

enum { SLICES = 1024 };

static reap_status sum(reap_queue *queue, const int *values, size_t count, int *total)
{
    static int partial[SLICES];
    reap_buffer *buffer;
    REAP_TRY(reap_buffer_wrap(partial, sizeof partial, &buffer));
    REAP_TRY(reap_parallel_for(queue, add_slices, reap_range_1d(SLICES), .values = values,
                               .partial = partial, .count = count));
    REAP_TRY(reap_buffer_release(buffer));
    *total = 0;
    for (int i = 0; i < SLICES; i++)
        *total += partial[i];
    return REAP_OK;
}

int main(int argc, char **argv)
{
    return run_tutorial(argc, argv, sum);
}
