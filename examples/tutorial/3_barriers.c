/* SPDX-License-Identifier: Apache-2.0 */
#include "3_barriers.kernels.h"
#include "tutorial.h"

enum { SIZE = 256 };

/* Each launch leaves a sum for each of its groups; they are the next one's numbers. */
static reap_status sum(reap_queue *queue, const int *values, size_t count, int *total)
{
    const size_t most = count / (2 * SIZE) + 1;
    int *partial[2] = {malloc(most * sizeof(int)), malloc(most * sizeof(int))};
    reap_status status = partial[0] && partial[1] ? REAP_OK : REAP_ERROR_OUT_OF_MEMORY;
    for (int to = 0; status == REAP_OK && count > 1; to = !to) {
        const size_t groups = (count + 2 * SIZE - 1) / (2 * SIZE);
        status = reap_parallel_for(queue, add_groups, reap_nd_range_1d(groups * SIZE, SIZE),
                                   .values = values, .partial = partial[to], .count = count,
                                   .scratch = SIZE);
        values = partial[to];
        count = groups;
    }
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    *total = values[0];
    free(partial[0]);
    free(partial[1]);
    return status;
}

int main(int argc, char **argv)
{
    return run_tutorial(argc, argv, sum);
}
