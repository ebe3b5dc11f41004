/* SPDX-License-Identifier: Apache-2.0
 *
 * What .result of a reduction means: the value that the memory held is not included. In memory of
 * the program's, in a buffer that was not written, and on an asynchronous queue, which keeps
 * the arguments. And that memory which runs out leaves all variables of a launch unchanged.
 */
#include "tests/conformance/results.kernels.h"

#include "tests/support/check_status.h"

#include "src/core/allocate.h"

#include <reap/reap.h>
#include <string.h>

enum { ITEMS = 5000, BINS = 5 };

static const uint32_t least_own = UINT32_MAX;

struct found {
    uint64_t least_at;
    uint32_t sum, largest, smallest, least, bins[BINS];
};

static struct found expect(const uint32_t *x, size_t items)
{
    struct found found = {.least_at = UINT64_MAX, .least = UINT32_MAX, .smallest = UINT32_MAX};
    for (size_t i = 0; i < items; i++) {
        found.sum += x[i];
        found.largest = x[i] > found.largest ? x[i] : found.largest;
        found.smallest = x[i] < found.smallest ? x[i] : found.smallest;
        if (x[i] < found.least) {
            found.least = x[i];
            found.least_at = i;
        }
        found.bins[x[i] % 4] += x[i];
    }
    return found;
}

static bool equal(const struct found *a, const struct found *b)
{
    bool is_equal = a->sum == b->sum && a->largest == b->largest && a->smallest == b->smallest &&
                    a->least == b->least && a->least_at == b->least_at;
    for (int bin = 0; bin < BINS; bin++)
        is_equal = is_equal && a->bins[bin] == b->bins[bin];
    return is_equal;
}

/* `own`: the identity of the location; NULL: none is given, and the result may stay on a device. */
static reap_status launch_with(reap_queue *queue, const uint32_t *x, size_t items,
                               struct found *found, const uint32_t *own)
{
    static const uint32_t identity = UINT32_MAX;
    return reap_parallel_for(
        queue, all_kinds, reap_range_1d(items), .x = x, .sum = {.result = &found->sum},
        .largest = {.result = &found->largest},
        .smallest = {.result = &found->smallest, .identity = &identity},
        .least = {.result = &found->least, .location = &found->least_at, .identity = own},
        .bins = {.result = found->bins, .count = BINS});
}

static reap_status launch(reap_queue *queue, const uint32_t *x, size_t items, struct found *found)
{
    return launch_with(queue, x, items, found, NULL);
}

static void check_items(reap_queue *queue, const uint32_t *x, size_t items)
{
    const struct found expected = expect(x, items);
    struct found found;
    memset(&found, 0xee, sizeof found);
    CHECK_STATUS(launch(queue, x, items, &found), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(equal(&found, &expected));
    CHECK_STATUS(launch(queue, x, items, &found), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(equal(&found, &expected));
}

/* A .variable in a buffer that is empty would be refused. */
static void check_empty_buffer(reap_queue *queue, const uint32_t *x, const uint32_t *own)
{
    const struct found expected = expect(x, ITEMS);
    reap_buffer *buffer;
    void *memory;
    CHECK_STATUS(reap_buffer_create(sizeof(struct found), &buffer), REAP_OK);
    struct found *found = reap_buffer_data(buffer);
    CHECK_STATUS(launch_with(queue, x, ITEMS, found, own), REAP_OK);
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ, &memory), REAP_OK);
    CHECK(equal(memory, &expected));
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

static void check_queue(reap_queue *queue)
{
    static uint32_t x[ITEMS];
    reap_buffer *buffer;
    for (uint32_t i = 0; i < ITEMS; i++)
        x[i] = i * 7919 % 5003 + 3;
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_OK);
    check_items(queue, x, 0);
    check_items(queue, x, 1);
    check_items(queue, x, ITEMS);
    check_empty_buffer(queue, x, NULL);
    check_empty_buffer(queue, x, &least_own);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

/* Each allocation of a launch and of its wait fails once; the first launch compiles the kernel. */
static void check_failing_allocations(void)
{
    static uint32_t x[ITEMS];
    reap_buffer *buffer = NULL;
    reap_queue *queue = NULL;
    double expected = 0;
    bool has_passed = false;
    for (uint32_t i = 0; i < ITEMS; i++) {
        x[i] = i * 7;
        expected += x[i] % 16;
    }
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_OK);
    for (unsigned long failing = 0; failing < 1000 && !has_passed; failing++) {
        float sum = -1, rest = -3;
        double total = -2;
        reap__fail_allocation(failing);
        reap_status status = reap_parallel_for(
            queue, sum_twice, reap_range_1d(ITEMS), .x = x, .sum = {.variable = &sum},
            .total = {.variable = &total}, .rest = {.variable = &rest});
        if (status == REAP_OK)
            status = reap_queue_wait(queue);
        has_passed = failing > 0 && reap__allocations_made() < failing;
        reap__fail_allocation(0);
        CHECK(status == REAP_OK || (failing > 0 && status == REAP_ERROR_OUT_OF_MEMORY));
        CHECK(status == REAP_OK
                  ? sum == expected - 1 && total == expected - 2 && rest == expected - 3
                  : sum == -1 && total == -2 && rest == -3);
    }
    CHECK(has_passed);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    reap_queue_release(queue);
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        const reap_queue_options options = {.asynchronous = i != 0};
        reap_queue *queue = NULL;
        CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
        if (queue == NULL)
            break;
        check_queue(queue);
        reap_queue_release(queue);
    }
    check_failing_allocations();
    return check_finish();
}
