/* SPDX-License-Identifier: Apache-2.0
 *
 * The common part of the programs of docs/tutorial.md: numbers to add, and a clock. A program's
 * argument is the number of numbers; it prints their sum, and the shortest time of five.
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

/* A buffer stays where it was used last: only the first sum copies the numbers to the device. */
static reap_status find_least_time(sum_function *sum, const int *values, size_t count, int *total,
                                   double *least)
{
    reap_queue *queue;
    reap_buffer *buffer;
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    REAP_TRY(reap_buffer_wrap(values, count * sizeof *values, &buffer));
    for (int i = 0; i < 5; i++) {
        const double begin = milliseconds();
        REAP_TRY(sum(queue, values, count, total));
        REAP_TRY(reap_queue_wait(queue));
        const double took = milliseconds() - begin;
        *least = took < *least ? took : *least;
    }
    reap_queue_release(queue);
    return reap_buffer_release(buffer);
}

static int run_tutorial(int argc, char **argv, sum_function *sum)
{
    const size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000003;
    int *values = malloc(count * sizeof *values);
    if (values == NULL)
        return 1;
    int expected = 0, total = 0;
    for (size_t i = 0; i < count; i++)
        expected += values[i] = (int)(i % 7);

    double least = 1e9;
    if (find_least_time(sum, values, count, &total, &least) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    free(values);
    printf("sum %d, %s, %.3f ms\n", total, total == expected ? "right" : "WRONG", least);
    return total == expected ? 0 : 1;
}
