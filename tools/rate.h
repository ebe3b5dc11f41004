/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures how fast a file was described, and how fast a device reads memory, for `describe --rate`
 * and `bench`.
 */
#ifndef CLI_RATE_H
#define CLI_RATE_H

#include <reap/reap.h>
#include <stdbool.h>
#include <stddef.h>

struct cli_rate {
    double seconds;   /* for the file */
    double bandwidth; /* bytes that all threads read from memory in a second */
};

/* Seconds of a monotonic clock. */
double cli_now(void);

/* The size of the processors' last caches together; 0: unknown. */
size_t cli_last_caches_bytes(void);

/* Measures the bandwidth of the default device: the median of several passes over an array that is
 * larger than the caches and independent of any file. Takes some tenths of a second. Complains and
 * returns false if it fails. */
bool cli_measure_bandwidth(double *bandwidth);

/* The same on any device, in passes that alternate with other measurements. */
struct cli_reading;

/* Runs the first passes; complains and returns NULL if that fails. */
struct cli_reading *cli_reading_open(const reap_device *device);

/* Runs one more pass, unless there are enough; complains and returns false if that fails. */
bool cli_reading_pass(struct cli_reading *reading);

/* Bytes that the device reads in a second. */
double cli_reading_bandwidth(const struct cli_reading *reading);
void cli_reading_close(struct cli_reading *reading); /* NULL is allowed */

#endif
