/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a kernel in work-groups that has a bug, for a sanitizer or Valgrind, which must report it;
 * orderly_phases has none.
 *
 * Usage: groups missing_barrier|in_place|in_place_in_phases|orderly_phases|unwritten|
 *               stack_overrun|local_overrun
 */
#include "tests/sanitizers/groups.kernels.h"

#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1 << 18, SIZE = 64 };

static reap_status run(reap_queue *queue, const char *bug, int *numbers, int *results)
{
    const reap_range many = reap_nd_range_1d(COUNT, SIZE), few = reap_nd_range_1d(2 * SIZE, SIZE);
    if (strcmp(bug, "missing_barrier") == 0)
        return reap_parallel_for(queue, missing_barrier, few, .input = numbers, .partial = results,
                                 .scratch = SIZE);
    if (strcmp(bug, "in_place") == 0)
        return reap_parallel_for(queue, in_place, many, .data = numbers, .scratch = SIZE);
    if (strcmp(bug, "in_place_in_phases") == 0)
        return reap_parallel_for(queue, in_place_in_phases, few, .data = numbers, .scratch = SIZE);
    if (strcmp(bug, "orderly_phases") == 0)
        return reap_parallel_for(queue, orderly_phases, few, .input = numbers, .output = results,
                                 .counts = {.variable = results + 2 * SIZE, .count = 4},
                                 .sum = {.variable = results + 3 * SIZE}, .scratch = SIZE);
    if (strcmp(bug, "unwritten") == 0)
        return reap_parallel_for(queue, unwritten, few, .output = results, .scratch = SIZE);
    if (strcmp(bug, "local_overrun") == 0)
        return reap_parallel_for(queue, local_overrun, few, .output = results, .scratch = SIZE - 1);
    return reap_parallel_for(queue, stack_overrun, few, .output = results, .length = 5);
}

int main(int argc, char **argv)
{
    int *numbers = calloc(COUNT, sizeof *numbers);
    int *results = calloc(COUNT, sizeof *results);
    reap_queue *queue;
    if (argc != 2 || numbers == NULL || results == NULL)
        return 2;
    reap_status status = reap_queue_create(NULL, NULL, &queue);
    /* Several times, since two threads may happen not to meet. */
    for (int i = 0; i < 20 && status == REAP_OK; i++)
        status = run(queue, argv[1], numbers, results);
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    printf("%s: status %s\n", argv[1], reap_status_name(status));
    reap_queue_release(queue);
    free(numbers);
    free(results);
    return 0;
}
