/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues of the host with different numbers of threads, which must all give the same bits; or of
 * the device that REAP_DEVICE names.
 */
#ifndef TESTS_CONFORMANCE_QUEUES_H
#define TESTS_CONFORMANCE_QUEUES_H

#include "tests/conformance/devices.h"
#include "tests/support/check.h"

#include <reap/reap.h>

enum { QUEUES = 4 };

static const size_t queue_threads[QUEUES] = {1, 2, 8, 17};

/* How many of them a test tries: one on a device, to which numbers of threads mean nothing. */
static size_t queue_count = QUEUES;

static inline void queues_open(reap_queue **queues)
{
    queue_count = test_on_device() ? 1 : QUEUES;
    for (size_t q = 0; q < QUEUES; q++) {
        const reap_queue_options options = {.max_threads = queue_threads[q]};
        const reap_status status = reap_queue_create(NULL, &options, &queues[q]);
        CHECK(status == REAP_OK);
        if (status != REAP_OK)
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
    CHECK(reap_device_list(&devices, &count) == REAP_OK);
    CHECK(reap_queue_create(devices[0], &options, &queue) == REAP_OK);
    if (queue == NULL)
        exit(check_finish());
    return queue;
}

/* Waits for a launch, and checks that it and the wait went well. */
static inline void check_launch(reap_status launched, reap_queue *queue)
{
    const reap_status status = launched == REAP_OK ? reap_queue_wait(queue) : launched;
    CHECK(status == REAP_OK);
    if (status != REAP_OK)
        fprintf(stderr, "  %s\n", reap_last_error());
}

/* Compares a result's bits with those expected, and tells what they are of. */
static inline void check_bits(const void *result, const void *expected, size_t bytes,
                              const char *what, size_t items, size_t threads)
{
    const bool same = check_same(result, expected, bytes);
    check_report(same, __FILE__, __LINE__, "the same bits");
    if (!same && check_failures <= 20)
        fprintf(stderr, "  %s, %zu items, %zu threads\n", what, items, threads);
}

#endif
