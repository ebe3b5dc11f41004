/* SPDX-License-Identifier: Apache-2.0 */
#include "4_phases.kernels.h"
#include "tutorial.h"

enum { SIZE = 256 };

/* Each launch computes a sum for each of its groups; the next launch adds these sums. */
static reap_status sum(reap_queue *queue, const int *values, size_t count, int *total)
{
    const size_t most = count / (2 * SIZE) + 1;
    void *memory;
    REAP_TRY(reap_malloc_device(reap_queue_device(queue), 2 * most * sizeof(int), &memory));
    int *const partial[2] = {memory, (int *)memory + most};
    for (int to = 0; count > 1; to = !to) {
        const size_t groups = (count + 2 * SIZE - 1) / (2 * SIZE);
        REAP_TRY(reap_parallel_for(queue, add_groups, reap_nd_range_1d(groups * SIZE, SIZE),
                                   .values = values, .partial = partial[to], .count = count,
                                   .scratch = SIZE));
        values = partial[to];
        count = groups;
    }
    REAP_TRY(reap_copy(queue, total, values, sizeof *total, NULL));
    return reap_free(memory);
}

int main(int argc, char **argv)
{
    return run_tutorial(argc, argv, sum);
}
