/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns, medians and spreads.
 */
#include "bench/measure.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

double measure_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void measure_sleep(double seconds)
{
    const struct timespec time = {(time_t)seconds,
                                  (long)((seconds - (double)(time_t)seconds) * 1e9)};
    if (seconds > 0)
        nanosleep(&time, NULL);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct measured measure_summarize(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    const double median = times[count / 2];
    return (struct measured){median, (times[count * 3 / 4] - times[count / 4]) / median};
}

/* Whether the first turn took so long that no more of them matter. */
static bool is_slow(double first, double fastest)
{
    return first > 0.1 && first > 10 * fastest;
}

void measure_in_turns(const struct measured_side *sides, size_t count,
                      const struct measure_settings *settings, struct measured *results)
{
    static double times[MOST_SIDES][MOST_TURNS];
    const int wanted = settings->turns < MOST_TURNS ? settings->turns : MOST_TURNS;
    const double begin = measure_now();
    double fastest = HUGE_VAL;
    int turns = 0, taken[MOST_SIDES] = {0};
    while (turns < wanted && (settings->budget <= 0 || turns < settings->least_turns ||
                              measure_now() - begin < settings->budget)) {
        for (size_t s = 0; s < count; s++)
            if (turns == 0 || s == 0 || !is_slow(times[s][0], fastest))
                times[s][taken[s]++] = sides[s].take_turn(sides[s].context);
        for (size_t s = 0; s < count && turns == 0; s++)
            fastest = times[s][0] < fastest ? times[s][0] : fastest;
        turns++;
    }
    for (size_t s = 0; s < count; s++)
        results[s] = measure_summarize(times[s], taken[s]);
}
