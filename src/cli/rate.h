/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast a file was described, and how fast a device reads memory, for `describe --rate` and
 * `bench`.
 */
#ifndef CLI_RATE_H
#define CLI_RATE_H

#include <reap/reap.h>
#include <stdbool.h>
#include <stddef.h>

struct cli_rate {
    double seconds;   /* that the file took */
    double bandwidth; /* bytes of memory that all threads read in a second */
};

/* Seconds since some moment. */
double cli_now(void);

/* Of the processors' last caches, all together; 0: unknown. */
size_t cli_last_caches_bytes(void);

/* Measures the bandwidth of the default device: the median of several passes over an array that no
 * cache holds and that has nothing to do with any file. Takes some tenths of a second. Complains
 * and gives false where that fails. */
bool cli_measure_bandwidth(double *bandwidth);

/* The same on any device, with passes that may go on while other things are measured. */
struct cli_reading;

/* Does the first passes; complains and gives NULL where that fails. */
struct cli_reading *cli_reading_open(const reap_device *device);

/* One more, if it has not had enough of them; complains and gives false where that fails. */
bool cli_reading_pass(struct cli_reading *reading);

/* Bytes that the device reads in a second. */
double cli_reading_bandwidth(const struct cli_reading *reading);
void cli_reading_close(struct cli_reading *reading); /* NULL is fine */

#endif
