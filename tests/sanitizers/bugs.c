/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a kernel that has a bug, on memory from malloc and over enough work-items for several
 * threads. Built with a sanitizer, which must report it: the test looks for its words.
 *
 * Usage: bugs overrun|overflow|race
 */
#include "tests/sanitizers/bugs.kernels.h"

#include <limits.h>
#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4000000 };

static reap_status run(reap_queue *queue, const char *bug, int *numbers, int *results)
{
    const reap_range range = reap_range_1d(COUNT);
    if (strcmp(bug, "overrun") == 0)
        return reap_parallel_for(queue, overrun, range, .numbers = numbers);
    if (strcmp(bug, "overflow") == 0)
        return reap_parallel_for(queue, overflow, range, .numbers = numbers, .doubled = results);
    return reap_parallel_for(queue, race, range, .total = results);
}

int main(int argc, char **argv)
{
    int *numbers = malloc(COUNT * sizeof *numbers);
    int *results = calloc(COUNT, sizeof *results);
    reap_queue *queue;
    if (argc != 2 || numbers == NULL || results == NULL)
        return 2;
    for (size_t i = 0; i < COUNT; i++)
        numbers[i] = 1;
    if (strcmp(argv[1], "overflow") == 0)
        numbers[COUNT / 3] = INT_MAX;

    reap_status status = reap_queue_create(NULL, NULL, &queue);
    /* Several times, since two threads may happen not to meet. */
    for (int i = 0; i < 10 && status == REAP_OK; i++)
        status = run(queue, argv[1], numbers, results);
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    printf("%s: not reported, status %s\n", argv[1], reap_status_name(status));
    reap_queue_release(queue);
    free(numbers);
    free(results);
    return 0;
}
