/* SPDX-License-Identifier: Apache-2.0
 *
 * Timing things against each other on a noisy machine: they take turns, and the medians over the
 * turns are compared.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

/* Something to time. */
struct measured_side {
    double (*take_turn)(void *context); /* returns the seconds of one call */
    void *context;
};

struct measure_settings {
    int turns;           /* at most MOST_TURNS */
    int least_turns;     /* are taken whatever they cost */
    double budget;       /* seconds that all turns may take; 0: no limit */
    double turn_seconds; /* the calls of a turn are timed for so long */
    double warm_seconds; /* after calls that are not timed, for so long */
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

/* Times up to MOST_SIDES sides in turns. A side but the first whose first turn takes over a tenth
 * of a second, and over ten times as long as the fastest one, has no further turns. */
void measure_in_turns(const struct measured_side *sides, size_t count,
                      const struct measure_settings *settings, struct measured *results);

#endif
