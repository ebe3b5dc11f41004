/* SPDX-License-Identifier: Apache-2.0
 *
 * Read bandwidth. The array is several times larger than the last cache, as far as a quarter of the
 * memory allows; its pages are written first, since pages that never were share one of zeros.
 */
#include "src/cli/rate.h"

#include "kernels/bandwidth.kernels.h"
#include "src/cli/message.h"

#include <errno.h>
#include <reap/reap.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LEAST_BYTES = 512 << 20,
    CACHES = 4,
    PASSES = 7,
    RUN_BYTES = READ_RUN_WORDS * 8,
};

double cli_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static size_t array_bytes(void)
{
    const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE), pages = sysconf(_SC_PHYS_PAGES);
    const size_t caches = cache > 0 ? CACHES * (size_t)cache : 0;
    const size_t bytes = caches > LEAST_BYTES ? caches : LEAST_BYTES;
    const size_t memory = pages > 0 ? (size_t)pages * (size_t)sysconf(_SC_PAGESIZE) : bytes;
    return (bytes < memory / 4 ? bytes : memory / 4) / RUN_BYTES * RUN_BYTES;
}

static reap_status time_pass(reap_queue *queue, const uint64_t *words, size_t bytes,
                             double *seconds)
{
    uint64_t bits = 0;
    const double begin = cli_now();
    reap_status status = reap_parallel_for(queue, read_words, reap_range_1d(bytes / RUN_BYTES),
                                           .words = words, .bits = {.variable = &bits});
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    *seconds = cli_now() - begin;
    return status;
}

/* The median time of a pass. */
static reap_status time_passes(reap_queue *queue, const uint64_t *words, size_t bytes,
                               double *median)
{
    double sorted[PASSES];
    for (int pass = 0; pass < PASSES; pass++) {
        double seconds;
        int at = pass;
        const reap_status status = time_pass(queue, words, bytes, &seconds);
        if (status != REAP_OK)
            return status;
        for (; at > 0 && sorted[at - 1] > seconds; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = seconds;
    }
    *median = sorted[PASSES / 2];
    return REAP_OK;
}

bool cli_measure_bandwidth(double *bandwidth)
{
    const size_t bytes = array_bytes();
    double seconds = 0;
    reap_queue *queue = NULL;
    uint64_t *words = aligned_alloc(RUN_BYTES, bytes);
    if (words == NULL) {
        cli_complain("read bandwidth", "%s", strerror(ENOMEM));
        return false;
    }
    memset(words, 1, bytes);
    reap_status status = reap_queue_create(NULL, NULL, &queue);
    if (status == REAP_OK)
        status = time_passes(queue, words, bytes, &seconds);
    reap_queue_release(queue);
    free(words);
    if (status != REAP_OK)
        cli_complain("read bandwidth", "%s", reap_last_error());
    *bandwidth = (double)bytes / seconds;
    return status == REAP_OK;
}
