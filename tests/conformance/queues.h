/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues of the host with different numbers of threads, which must all give the same bits; or of
 * the device that REAP_DEVICE names.
 */
#ifndef TESTS_CONFORMANCE_QUEUES_H
#define TESTS_CONFORMANCE_QUEUES_H

#include "tests/conformance/devices.h"
#include "tests/support/check_status.h"

#include <reap/reap.h>

enum { QUEUES = 4 };

static const size_t queue_threads[QUEUES] = {1, 2, 17, 8};

/* How many of them a test tries: in `make check` (SHARE) all except the last; one on a device, to
 * which numbers of threads mean nothing. */
static size_t queue_count = QUEUES;

static inline void queues_open(reap_queue **queues)
{
    queue_count = test_on_device() ? 1 : test_samples() ? QUEUES - 1 : QUEUES;
    for (size_t q = 0; q < QUEUES; q++) {
        const reap_queue_options options = {.max_threads = queue_threads[q]};
        if (!CHECK_STATUS(reap_queue_create(NULL, &options, &queues[q]), REAP_OK))
            exit(check_finish());
    }
}

static inline void queues_close(reap_queue *const *queues)
{
    for (size_t q = 0; q < QUEUES; q++)
        reap_queue_release(queues[q]);
}

/* One of one thread of the host, whatever device the tests run on. */
static inline reap_queue *queue_of_the_host(void)
{
    const reap_queue_options options = {.max_threads = 1};
    const reap_device *const *devices;
    reap_queue *queue = NULL;
    size_t count;
    CHECK_STATUS(reap_device_list(&devices, &count), REAP_OK);
    CHECK_STATUS(reap_queue_create(devices[0], &options, &queue), REAP_OK);
    if (queue == NULL)
        exit(check_finish());
    return queue;
}

/* Waits for a launch, and checks that both succeed. */
static inline bool check_launch(reap_status launched, reap_queue *queue, const char *file, int line)
{
    const reap_status status = launched == REAP_OK ? reap_queue_wait(queue) : launched;
    return check_report(status == REAP_OK, file, line, "a launch: %s, last error: %s",
                        reap_status_name(status), reap_last_error());
}

#define CHECK_LAUNCH(launched, queue) check_launch(launched, queue, __FILE__, __LINE__)

/* What a result is of, and where it is checked. */
struct check_origin {
    const char *what;
    size_t items, threads;
    const char *file;
    int line;
};

/* Compares a result's bits with those expected; prints what they are of, and the first byte that
 * differs. */
static inline bool check_bits(const void *result, const void *expected, size_t bytes,
                              const struct check_origin *of)
{
    const unsigned char *got = result, *wanted = expected;
    size_t at = 0;
    if (check_same(result, expected, bytes))
        return check_report(true, of->file, of->line, "%s", of->what);
    while (got[at] == wanted[at])
        at++;
    return check_report(false, of->file, of->line,
                        "%s, %zu items, %zu threads: byte %zu of %zu is 0x%02x, expected 0x%02x",
                        of->what, of->items, of->threads, at, bytes, got[at], wanted[at]);
}

#define CHECK_BITS(result, expected, bytes, what, items, threads)                                  \
    check_bits(result, expected, bytes,                                                            \
               &(const struct check_origin){what, items, threads, __FILE__, __LINE__})

#endif
