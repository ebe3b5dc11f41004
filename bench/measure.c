/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns, medians and spreads.
 */
#include "bench/measure.h"

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

static double time_calls(const struct measured_side *side, long calls)
{
    if (side->time_calls != NULL)
        return side->time_calls(side->context, calls) / (double)calls;
    const double begin = measure_now();
    for (long i = 0; i < calls; i++)
        side->call(side->context);
    return (measure_now() - begin) / (double)calls;
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

/* How many calls fill a turn; the second guess is of calls that are warm. */
static long find_calls(const struct measured_side *side, double turn_seconds)
{
    double each = time_calls(side, 1);
    for (int guess = 0; guess < 2 && each < turn_seconds; guess++)
        each = time_calls(side, (long)(turn_seconds / 10 / each) + 1);
    return (long)(turn_seconds / each) + 1;
}

/* Where calls are short, the first one after a pause wakes what fell asleep, and is not counted. */
static double take_turn(const struct measured_side *side, long calls, double pause)
{
    if (pause > 0) {
        measure_sleep(pause);
        if (calls > 1)
            time_calls(side, 1);
    }
    return time_calls(side, calls);
}

void measure_in_turns(const struct measured_side *sides, size_t count,
                      const struct measure_settings *settings, struct measured *results)
{
    static double times[MOST_SIDES][MOST_TURNS];
    long calls[MOST_SIDES];
    const int wanted = settings->turns < MOST_TURNS ? settings->turns : MOST_TURNS;
    int turns = 0;
    for (size_t s = 0; s < count; s++)
        calls[s] = find_calls(&sides[s], settings->turn_seconds);
    const double begin = measure_now();
    while (turns < wanted && (settings->budget <= 0 || turns < settings->least_turns ||
                              measure_now() - begin < settings->budget)) {
        for (size_t s = 0; s < count; s++)
            times[s][turns] = take_turn(&sides[s], calls[s], settings->pause);
        turns++;
    }
    for (size_t s = 0; s < count; s++)
        results[s] = measure_summarize(times[s], turns);
}
