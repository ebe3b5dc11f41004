/* SPDX-License-Identifier: Apache-2.0
 *
 * Read bandwidth. The array is several times larger than the last caches, limited to a quarter of
 * the memory. Its pages are written first, since pages that were never written share one page of
 * zeros.
 */
#include "tools/rate.h"

#include "tools/kernels/bandwidth.kernels.h"
#include "tools/message.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LEAST_BYTES = 128 << 20,
    DEVICE_BYTES = 512 << 20,
    FAST_TIMES = 8,
    CACHES = 4,
    PASSES = 7,
    MOST_PASSES = 201,
    RUN_BYTES = READ_RUN_WORDS * 8,
};

static const double fast_pass = 1e-3; /* seconds */

struct cli_reading {
    reap_queue *queue;
    uint64_t *words;
    size_t bytes;
    bool by_words; /* the order in which work-items read */
    double sorted[MOST_PASSES];
    size_t passes;
};

double cli_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Reads a property of a cache of the first processor from sysfs: a number, or the number of bits in
 * a hexadecimal mask. 0: unknown. */
static unsigned long read_of_cache(int index, const char *name, bool is_mask)
{
    char text[1024] = "";
    unsigned long number = 0;
    snprintf(text, sizeof text, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    FILE *file = fopen(text, "r");
    if (file == NULL)
        return 0;
    if (fgets(text, sizeof text, file) == NULL)
        text[0] = '\0';
    fclose(file);
    if (!is_mask)
        return strtoul(text, NULL, 10);
    for (const char *digit = text; *digit != '\0'; digit++)
        if (isxdigit((unsigned char)*digit))
            for (unsigned long bits = strtoul((char[]){*digit, '\0'}, NULL, 16); bits; bits /= 2)
                number += bits & 1;
    return number;
}

/* From sysfs, since sysconf returns a size that is several times too large on some machines. */
size_t cli_last_caches_bytes(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN), known = sysconf(_SC_LEVEL3_CACHE_SIZE);
    for (int index = 3; index >= 2; index--) { /* 0 and 1 are the first level's */
        const size_t kib = read_of_cache(index, "size", false);
        const size_t sharers = read_of_cache(index, "shared_cpu_map", true);
        if (kib > 0 && sharers > 0 && processors > 0)
            return kib * 1024 * (((size_t)processors + sharers - 1) / sharers);
    }
    return known > 0 ? (size_t)known : 0;
}

/* The sizes of devices' caches are not known; DEVICE_BYTES is larger. */
static size_t array_bytes(uint64_t memory, bool is_host)
{
    const size_t caches = is_host ? CACHES * cli_last_caches_bytes() : DEVICE_BYTES;
    const size_t bytes = caches > LEAST_BYTES ? caches : LEAST_BYTES;
    return (memory == 0 || bytes < memory / 4 ? bytes : memory / 4) / RUN_BYTES * RUN_BYTES;
}

static reap_status read_array(const struct cli_reading *reading)
{
    uint64_t bits = 0;
    const reap_status status =
        reading->by_words ? reap_parallel_for(reading->queue, read_each_word,
                                              reap_range_1d(reading->bytes / sizeof(uint64_t)),
                                              .words = reading->words, .bits = {.variable = &bits})
                          : reap_parallel_for(reading->queue, read_words,
                                              reap_range_1d(reading->bytes / RUN_BYTES),
                                              .words = reading->words, .bits = {.variable = &bits});
    return status == REAP_OK ? reap_queue_wait(reading->queue) : status;
}

static reap_status time_passes(struct cli_reading *reading, size_t count)
{
    for (size_t pass = 0; pass < count && reading->passes < MOST_PASSES; pass++) {
        size_t at = reading->passes;
        const double begin = cli_now();
        const reap_status status = read_array(reading);
        const double seconds = cli_now() - begin;
        if (status != REAP_OK)
            return status;
        for (; at > 0 && reading->sorted[at - 1] > seconds; at--)
            reading->sorted[at] = reading->sorted[at - 1];
        reading->sorted[at] = seconds;
        reading->passes++;
    }
    return REAP_OK;
}

/* The first passes also determine which order is faster; on the host that is known. */
static reap_status begin_reading(struct cli_reading *reading, bool is_host)
{
    reap_status status =
        reap_parallel_for(reading->queue, write_words, reap_range_1d(reading->bytes / RUN_BYTES),
                          .words = reading->words);
    if (status == REAP_OK)
        status = time_passes(reading, PASSES);
    if (status != REAP_OK || is_host)
        return status;
    const struct cli_reading by_runs = *reading;
    reading->by_words = true;
    reading->passes = 0;
    status = time_passes(reading, PASSES);
    if (cli_reading_bandwidth(&by_runs) > cli_reading_bandwidth(reading))
        *reading = by_runs;
    return status;
}

/* Enlarges the array if a pass is so fast that the time of the launch matters. */
static reap_status enlarge(struct cli_reading *reading, const reap_device *device, uint64_t memory)
{
    const size_t larger = FAST_TIMES * reading->bytes;
    void *words = NULL;
    if (reading->sorted[reading->passes / 2] > fast_pass || memory / 4 < larger)
        return REAP_OK;
    reap_status status = reap_malloc_device(device, larger, &words);
    if (status != REAP_OK)
        return REAP_OK; /* not an error: the smaller array is used */
    reap_free(reading->words);
    reading->words = words;
    reading->bytes = larger;
    reading->passes = 0;
    status = reap_parallel_for(reading->queue, write_words, reap_range_1d(larger / RUN_BYTES),
                               .words = reading->words);
    return status == REAP_OK ? time_passes(reading, PASSES) : status;
}

struct cli_reading *cli_reading_open(const reap_device *device)
{
    reap_device_info info = {.backend = ""};
    void *memory = NULL;
    struct cli_reading *reading = calloc(1, sizeof *reading);
    if (reading == NULL) {
        cli_complain("read bandwidth", "%s", strerror(ENOMEM));
        return NULL;
    }
    reap_status status = reap_queue_create(device, NULL, &reading->queue);
    if (status == REAP_OK)
        status = reap_device_get_info(reap_queue_device(reading->queue), &info);
    const bool is_host = strcmp(info.backend, "host") == 0;
    reading->bytes = array_bytes(info.global_memory_bytes, is_host);
    if (status == REAP_OK)
        status = reap_malloc_device(device, reading->bytes, &memory);
    reading->words = memory;
    if (status == REAP_OK)
        status = begin_reading(reading, is_host);
    if (status == REAP_OK && !is_host)
        status = enlarge(reading, device, info.global_memory_bytes);
    if (status == REAP_OK)
        return reading;
    cli_complain("read bandwidth", "%s", reap_last_error());
    cli_reading_close(reading);
    return NULL;
}

bool cli_reading_pass(struct cli_reading *reading)
{
    if (time_passes(reading, 1) == REAP_OK)
        return true;
    cli_complain("read bandwidth", "%s", reap_last_error());
    return false;
}

double cli_reading_bandwidth(const struct cli_reading *reading)
{
    return (double)reading->bytes / reading->sorted[reading->passes / 2];
}

void cli_reading_close(struct cli_reading *reading)
{
    if (reading == NULL)
        return;
    reap_queue_release(reading->queue);
    reap_free(reading->words);
    free(reading);
}

bool cli_measure_bandwidth(double *bandwidth)
{
    struct cli_reading *reading = cli_reading_open(NULL);
    if (reading != NULL)
        *bandwidth = cli_reading_bandwidth(reading);
    cli_reading_close(reading);
    return reading != NULL;
}
