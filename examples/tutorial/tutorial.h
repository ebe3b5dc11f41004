/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs of docs/tutorial.md share: numbers to add, and a clock around the adding. A
 * program's argument is how many numbers; it prints their sum, and the least time of five.
 */
#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef reap_status sum_function(reap_queue *queue, const int *values, size_t count, int *total);

static double milliseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int run_tutorial(int argc, char **argv, sum_function *sum)
{
    const size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000003;
    int *values = malloc(count * sizeof *values);
    reap_queue *queue = NULL;
    if (values == NULL || reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    int expected = 0, total = 0;
    for (size_t i = 0; i < count; i++)
        expected += values[i] = (int)(i % 7);

    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        const double begin = milliseconds();
        if (sum(queue, values, count, &total) != REAP_OK || reap_queue_wait(queue) != REAP_OK) {
            fprintf(stderr, "%s\n", reap_last_error());
            return 1;
        }
        const double took = milliseconds() - begin;
        best = took < best ? took : best;
    }
    reap_queue_release(queue);
    free(values);
    printf("sum %d, %s, %.3f ms\n", total, total == expected ? "right" : "WRONG", best);
    return total == expected ? 0 : 1;
}
