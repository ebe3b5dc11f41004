/* SPDX-License-Identifier: Apache-2.0
 *
 * Timing things against each other on a noisy machine: they take turns, each turn long enough for
 * the clock, and the medians are compared.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

/* Something to time: a function, or one that calls itself so often and gives all their seconds. */
struct measured_side {
    void (*call)(void *context);
    double (*time_calls)(void *context, long calls); /* where not NULL, in place of `call` */
    void *context;
};

struct measure_settings {
    int turns;           /* at most MOST_TURNS */
    double turn_seconds; /* a turn calls as often as fills it */
    double pause;        /* seconds between turns, in which others' waiting threads fall asleep */
    double budget;       /* seconds that all turns may take; 0: any */
    int least_turns;     /* are taken all the same */
};

struct measured {
    double seconds; /* of one call: the median over the turns */
    double spread;  /* the middle half of the turns' times, relative to the median */
};

enum { MOST_SIDES = 16, MOST_TURNS = 101 };

double measure_now(void);
void measure_sleep(double seconds);

/* Sorts the times. */
struct measured measure_summarize(double *times, int count);

/* Times up to MOST_SIDES sides in turns, after some calls of each. */
void measure_in_turns(const struct measured_side *sides, size_t count,
                      const struct measure_settings *settings, struct measured *results);

#endif
