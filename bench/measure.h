/* SPDX-License-Identifier: Apache-2.0
 *
 * Timing things against each other on a noisy machine: they take turns, each turn long enough for
 * the clock, and the medians are compared.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

struct bench_data;

/* Something to time. */
typedef void (*measured_function)(struct bench_data *data);

struct measured {
    double seconds; /* of one call: the median over the turns */
    double spread;  /* the middle half of the turns' times, relative to the median */
};

enum { MOST_SIDES = 4 };

/* Times up to MOST_SIDES functions in turns, after a call of each; a turn calls its function as
 * often as fills `turn_seconds`. */
void measure_in_turns(const measured_function *functions, size_t count, struct bench_data *data,
                      int turns, double turn_seconds, struct measured *results);

#endif
