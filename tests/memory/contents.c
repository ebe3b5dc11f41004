/* SPDX-License-Identifier: Apache-2.0
 *
 * A buffer of reap_buffer_create holds nothing until a command or an access has written to it: who
 * reads it before is refused, on every device alike. What has written to it may be any of them.
 */
#include "tests/memory/memory.kernels.h"
#include "tests/support/check_status.h"

#include <reap/reap.h>

enum { ITEMS = 1000, BYTES = ITEMS * sizeof(uint32_t) };

static reap_queue *queue, *host_queue;

static reap_buffer *create(uint32_t **data)
{
    reap_buffer *buffer = NULL;
    CHECK_STATUS(reap_buffer_create(BYTES, &buffer), REAP_OK);
    *data = reap_buffer_data(buffer);
    return buffer;
}

static bool is_refused(reap_status status, const char *start)
{
    return status == REAP_ERROR_INVALID_ARGUMENT &&
           strncmp(reap_last_error(), start, strlen(start)) == 0 &&
           strstr(reap_last_error(), "nothing has been written") != NULL;
}

static void refuse_readers(void)
{
    static uint32_t filled[ITEMS];
    uint32_t *x, *y;
    uint64_t sum = 7;
    reap_event *none = NULL;
    reap_buffer *buffer = create(&x), *other = create(&y);
    CHECK(is_refused(reap_parallel_for(queue, add_up, reap_range_1d(ITEMS), .x = x,
                                       .sum = {.variable = &sum}, .launch = {.event = &none}),
                     "kernel 'add_up': argument 'x' "));
    CHECK(sum == 7 && none == NULL);
    CHECK(is_refused(reap_parallel_for(queue, add_one, reap_range_1d(ITEMS), .x = x + 1),
                     "kernel 'add_one': argument 'x' "));
    CHECK_STATUS(reap_parallel_for(queue, fill_up, reap_range_1d(ITEMS), .x = y, .with = 2),
                 REAP_OK);
    CHECK(is_refused(reap_parallel_for(queue, count, reap_range_1d(ITEMS), .x = y,
                                       .bins = {.variable = x, .count = 10}),
                     "kernel 'count': argument 'bins' "));
    CHECK(is_refused(reap_copy(queue, filled, x, BYTES, NULL), "reap_copy: argument 'from' "));
    CHECK(reap_queue_wait(queue) == REAP_OK && filled[0] == 0);
    CHECK(reap_buffer_release(buffer) == REAP_OK && reap_buffer_release(other) == REAP_OK);
}

static void refuse_later(void)
{
    uint32_t *x;
    uint64_t sum = 7;
    reap_queue *asynchronous;
    const reap_queue_options options = {.asynchronous = true};
    reap_buffer *buffer = create(&x);
    CHECK_STATUS(reap_queue_create(NULL, &options, &asynchronous), REAP_OK);
    CHECK(reap_parallel_for(asynchronous, add_up, reap_range_1d(ITEMS), .x = x,
                            .sum = {.variable = &sum}) == REAP_OK);
    CHECK(is_refused(reap_queue_wait(asynchronous), "kernel 'add_up': argument 'x' "));
    CHECK_STATUS(reap_parallel_for(asynchronous, fill_up, reap_range_1d(ITEMS), .x = x, .with = 2),
                 REAP_OK);
    CHECK(reap_parallel_for(asynchronous, add_up, reap_range_1d(ITEMS), .x = x,
                            .sum = {.variable = &sum}) == REAP_OK);
    CHECK(reap_queue_wait(asynchronous) == REAP_OK && sum == 7 + 2 * ITEMS);
    reap_queue_release(asynchronous);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

enum writer { BY_KERNEL, BY_KERNEL_OF_HOST, BY_COPY, BY_FILL, BY_ACCESS, WRITERS };

static void write_by(enum writer writer, reap_buffer *buffer, uint32_t *x)
{
    static uint32_t ones[ITEMS];
    const uint32_t one = 1;
    void *data = NULL;
    for (size_t i = 0; i < ITEMS; i++)
        ones[i] = one;
    reap_queue *const writing = writer == BY_KERNEL_OF_HOST ? host_queue : queue;
    if (writer == BY_KERNEL || writer == BY_KERNEL_OF_HOST)
        CHECK_STATUS(reap_parallel_for(writing, fill_up, reap_range_1d(ITEMS), .x = x, .with = 1),
                     REAP_OK);
    else if (writer == BY_COPY)
        CHECK_STATUS(reap_copy(queue, x, ones, BYTES, NULL), REAP_OK);
    else if (writer == BY_FILL)
        CHECK_STATUS(reap_fill(queue, x, &one, sizeof one, ITEMS, NULL), REAP_OK);
    else if (writer == BY_ACCESS) {
        CHECK_STATUS(reap_host_access_begin(buffer, REAP_WRITE, &data), REAP_OK);
        memcpy(data, ones, BYTES);
        CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    }
    CHECK_STATUS(reap_queue_wait(writing), REAP_OK);
}

static void read_after(enum writer writer, reap_queue *reading)
{
    uint32_t *x;
    uint64_t sum = 0;
    reap_buffer *buffer = create(&x);
    write_by(writer, buffer, x);
    CHECK(reap_parallel_for(reading, add_up, reap_range_1d(ITEMS), .x = x,
                            .sum = {.variable = &sum}) == REAP_OK);
    CHECK_STATUS(reap_queue_wait(reading), REAP_OK);
    CHECK_EQ(sum, ITEMS);
    check_comparisons++;
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

/* A span of one launch that initialises it: nothing is read then. */
static void read_after_span(reap_queue *reading)
{
    uint32_t *x, *y;
    uint64_t sum = 0;
    reap_buffer *buffer = create(&x), *other = create(&y);
    write_by(BY_FILL, other, y);
    CHECK(reap_parallel_for(
              queue, count, reap_range_1d(ITEMS), .x = y,
              .bins = {.variable = x, .count = ITEMS, .properties = REAP_INITIALIZE_TO_IDENTITY}) ==
          REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(reap_parallel_for(reading, add_up, reap_range_1d(ITEMS), .x = x,
                            .sum = {.variable = &sum}) == REAP_OK);
    CHECK(reap_queue_wait(reading) == REAP_OK && sum == ITEMS);
    CHECK(reap_buffer_release(buffer) == REAP_OK && reap_buffer_release(other) == REAP_OK);
}

/* A launch without work-items reads nothing, and a prefetch moves nothing. */
static void allow_what_reads_nothing(void)
{
    uint32_t *x;
    uint64_t sum = 7;
    reap_buffer *buffer = create(&x);
    CHECK(reap_parallel_for(queue, add_up, reap_range_1d(0), .x = x, .sum = {.variable = &sum}) ==
          REAP_OK);
    CHECK_STATUS(reap_prefetch(queue, x, BYTES, NULL), REAP_OK);
    CHECK(reap_queue_wait(queue) == REAP_OK && sum == 7);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

int main(void)
{
    const reap_device *const *devices = NULL;
    size_t count = 0;
    CHECK(reap_device_list(&devices, &count) == REAP_OK && count > 0);
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    CHECK_STATUS(reap_queue_create(devices[0], NULL, &host_queue), REAP_OK);
    refuse_readers();
    refuse_later();
    for (int writer = 0; writer < WRITERS; writer++) {
        read_after((enum writer)writer, queue);
        read_after((enum writer)writer, host_queue);
    }
    read_after_span(queue);
    read_after_span(host_queue);
    allow_what_reads_nothing();
    reap_queue_release(host_queue);
    reap_queue_release(queue);
    return check_finish();
}
