/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of `reap bench`: for each size and device, the time of a launch that computes the sum
 * and the maximum of floats.
 */
#ifndef CLI_BENCH_BENCH_H
#define CLI_BENCH_BENCH_H

#include "tools/rate.h"
#include "tools/targets.h"

#include <reap/reap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sizes are powers of two, each four times the one before. */
enum {
    CLI_BENCH_FIRST_POWER = 6,
    CLI_BENCH_POWER_STEP = 2,
    CLI_BENCH_LAST_POWER = 40,
    CLI_BENCH_MOST_SIZES =
        (CLI_BENCH_LAST_POWER - CLI_BENCH_FIRST_POWER) / CLI_BENCH_POWER_STEP + 1,
};

/* Where the floats are before a launch: in the device's memory, or in host memory, from which they
 * are copied each time. For the host both are the same. */
enum cli_bench_way { CLI_BENCH_THERE, CLI_BENCH_COPIED, CLI_BENCH_WAYS };

/* The time from the call until the host's variables have the results, in seconds; statistics of the
 * turns. */
struct cli_timing {
    double median, lower, upper; /* quartiles */
    size_t turns;                /* 0: not measured */
    size_t calls;                /* launches of a turn, whose mean is one measurement */
};

struct cli_bench_device {
    const reap_device *device;
    reap_device_info info;
    bool is_host;
    bool has_failed;  /* the failure was reported, and the device is not measured any more */
    double bandwidth; /* bytes that it reads from its memory in a second; 0: not measured */
    int most_power;   /* of the device's largest size */

    /* During the measurement: */
    struct cli_reading *reading;
    reap_queue *queue;
    float *memory;
};

struct cli_bench_size {
    int power; /* log2 of the number of floats */
    struct cli_timing timings[CLI_MOST_TARGETS][CLI_BENCH_WAYS];
};

struct cli_bench {
    double begin;   /* the start time, as cli_now returns it */
    double seconds; /* the approximate limit of the time */
    struct cli_bench_device devices[CLI_MOST_TARGETS];
    size_t device_count;
    struct cli_bench_size sizes[CLI_BENCH_MOST_SIZES];
    size_t size_count; /* that are complete */
    bool is_interrupted;
};

static inline double cli_bench_bytes(const struct cli_bench_size *size)
{
    return (double)((uint64_t)1 << size->power) * sizeof(float);
}

#endif
