/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast a file was described, and how fast this machine reads memory, for `describe --rate`.
 */
#ifndef CLI_RATE_H
#define CLI_RATE_H

#include <stdbool.h>

struct cli_rate {
    double seconds;   /* that the file took */
    double bandwidth; /* bytes of memory that all threads read in a second */
};

/* Seconds since some moment. */
double cli_now(void);

/* Measures the bandwidth: the median of several passes of all threads over an array that no cache
 * holds and that has nothing to do with any file. Takes some tenths of a second. Complains and
 * gives false where that fails. */
bool cli_measure_bandwidth(double *bandwidth);

#endif
