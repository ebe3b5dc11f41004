/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns, medians and spreads.
 */
#include "bench/measure.h"

#include <stdlib.h>
#include <time.h>

enum { MOST_TURNS = 101 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double time_calls(measured_function function, struct bench_data *data, long calls)
{
    const double begin = now();
    for (long i = 0; i < calls; i++)
        function(data);
    return (now() - begin) / (double)calls;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct measured summarize(double *times, int turns)
{
    qsort(times, (size_t)turns, sizeof *times, compare);
    const double median = times[turns / 2];
    return (struct measured){median, (times[turns * 3 / 4] - times[turns / 4]) / median};
}

void measure_in_turns(const measured_function *functions, size_t count, struct bench_data *data,
                      int turns, double turn_seconds, struct measured *results)
{
    static double times[MOST_SIDES][MOST_TURNS];
    long calls[MOST_SIDES];
    turns = turns < MOST_TURNS ? turns : MOST_TURNS;
    for (size_t s = 0; s < count; s++) {
        const double warm = time_calls(functions[s], data, 2);
        calls[s] = (long)(turn_seconds / warm) + 1;
    }
    for (int turn = 0; turn < turns; turn++)
        for (size_t s = 0; s < count; s++)
            times[s][turn] = time_calls(functions[s], data, calls[s]);
    for (size_t s = 0; s < count; s++)
        results[s] = summarize(times[s], turns);
}
