/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers know their extents; events have the status of commands; a queue returns its first
 * asynchronous error once.
 */
#include "tests/support/check_status.h"
#include "tests/unit/unit.kernels.h"

#include "src/memory/buffer.h"

#include <reap/reap.h>

enum { BUFFERS = 100, BYTES = 64 };

static unsigned char memory[BUFFERS * 2 * BYTES];

static unsigned char *piece(size_t i)
{
    return memory + i * 2 * BYTES;
}

static void wrap_and_find(uint64_t seed)
{
    reap_buffer *buffers[BUFFERS] = {NULL}, *other = NULL;
    struct reap__extent extent;
    for (size_t n = 0; n < BUFFERS; n++) {
        size_t i = check_random(&seed) % BUFFERS;
        while (buffers[i] != NULL)
            i = (i + 1) % BUFFERS;
        CHECK_STATUS(reap_buffer_wrap(piece(i), BYTES, &buffers[i]), REAP_OK);
    }
    for (size_t i = 0; i < BUFFERS; i++) {
        CHECK(reap__buffer_find(piece(i), 1, &extent) && extent.begin == piece(i));
        CHECK(reap__buffer_find(piece(i) + BYTES - 1, 1, &extent) && extent.begin == piece(i));
        CHECK(!reap__buffer_find(piece(i) + BYTES, BYTES, &extent));
        CHECK_STATUS(reap_buffer_wrap(piece(i) + BYTES - 1, 2, &other),
                     REAP_ERROR_INVALID_ARGUMENT);
        CHECK_HAS(reap_last_error(), "overlaps");
    }
    CHECK(reap__buffer_find(memory, sizeof memory, &extent) && extent.begin == piece(0));
    CHECK(reap__buffer_find(piece(7) + BYTES, (size_t)5 * BYTES, &extent) &&
          extent.begin == piece(8));
    for (size_t i = 0; i < BUFFERS; i += 2)
        CHECK_STATUS(reap_buffer_release(buffers[i]), REAP_OK);
    for (size_t i = 0; i < BUFFERS; i++)
        CHECK_EQ(reap__buffer_find(piece(i), BYTES, &extent), (i % 2 == 1));
    for (size_t i = 1; i < BUFFERS; i += 2)
        CHECK_STATUS(reap_buffer_release(buffers[i]), REAP_OK);
    CHECK(!reap__buffer_find(memory, sizeof memory, &extent));
}

static void refuse_bad_memory(void)
{
    reap_buffer *buffer = NULL;
    CHECK_STATUS(reap_buffer_wrap(NULL, 1, &buffer), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_buffer_wrap(memory, 0, &buffer), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_buffer_wrap(memory, 1, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_buffer_wrap(memory, SIZE_MAX, &buffer), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(buffer == NULL);
    CHECK_STATUS(reap_buffer_release(NULL), REAP_OK);
}

/* Buffers with memory of their own. */
static void create(uint64_t seed)
{
    reap_buffer *buffers[BUFFERS], *other = NULL;
    struct reap__extent extent;
    for (size_t i = 0; i < BUFFERS; i++) {
        const size_t bytes = 1 + check_random(&seed) % 5000;
        CHECK_STATUS(reap_buffer_create(bytes, &buffers[i]), REAP_OK);
        unsigned char *data = reap_buffer_data(buffers[i]);
        CHECK(data != NULL && (uintptr_t)data % 64 == 0);
        memset(data, (int)i, bytes);
        CHECK(reap__buffer_find(data, 1, &extent) && extent.begin == data);
        CHECK_EQ((size_t)(extent.end - extent.begin), bytes);
        CHECK_STATUS(reap_buffer_wrap(data + bytes / 2, 1, &other), REAP_ERROR_INVALID_ARGUMENT);
    }
    for (size_t i = 0; i < BUFFERS; i++) {
        const unsigned char *data = reap_buffer_data(buffers[i]);
        CHECK_EQ(data[0], (unsigned char)i);
        CHECK_STATUS(reap_buffer_release(buffers[i]), REAP_OK);
        CHECK(!reap__buffer_find(data, 1, &extent));
    }
    CHECK_STATUS(reap_buffer_create(0, &other), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_buffer_create(64, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_buffer_create(SIZE_MAX, &other), REAP_ERROR_OUT_OF_MEMORY);
    CHECK(other == NULL && reap_buffer_data(NULL) == NULL);
}

/* What the host writes between kernels, and reads after them; its accesses may overlap. */
static void access_from_host(void)
{
    enum { ITEMS = 1000 };
    reap_buffer *buffer;
    reap_queue *queue;
    void *data = NULL, *again = NULL, *none = &buffer;
    double sum = 0;
    float most = 0;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    CHECK_STATUS(reap_buffer_create(ITEMS * sizeof(float), &buffer), REAP_OK);
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_WRITE, &data), REAP_OK);
    CHECK_EQ(data, reap_buffer_data(buffer));
    for (int i = 0; i < ITEMS; i++)
        ((float *)data)[i] = (float)i;
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ | REAP_WRITE, &again), REAP_OK);
    CHECK_EQ(again, data);
    CHECK(reap_host_access_end(buffer) == REAP_OK && reap_host_access_end(buffer) == REAP_OK);
    CHECK(reap_parallel_for(queue, add_up, reap_range_1d(ITEMS), .x = reap_buffer_data(buffer),
                            .sum = {.variable = &sum}, .most = {.variable = &most}) == REAP_OK);
    CHECK(reap_queue_wait(queue) == REAP_OK && sum == 499500 && most == 999);

    CHECK_STATUS(reap_host_access_end(buffer), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_host_access_end(NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_host_access_begin(NULL, REAP_READ, &none), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_host_access_begin(buffer, 0, &none), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_host_access_begin(buffer, 4, &none), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_host_access_begin(buffer, 7, &none), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(none == &buffer);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    reap_queue_release(queue);
}

/* The first failure in the list's order is reported. */
static void wait_for_several(reap_event *failed, reap_event *waiting, reap_event *fine)
{
    reap_event *const events[] = {fine, waiting, failed}, *const incomplete[] = {fine, NULL};
    bool is_complete = false;
    CHECK_STATUS(reap_events_wait(events, 3), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK_STATUS(reap_events_wait(events + 2, 1), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_HAS(reap_last_error(), "outside");
    CHECK(reap_events_wait(events, 1) == REAP_OK && reap_events_wait(NULL, 0) == REAP_OK);
    CHECK_STATUS(reap_events_wait(NULL, 1), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_events_wait(incomplete, 2), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "events[1]");
    CHECK(reap_event_query(failed, &is_complete) == REAP_OK && is_complete);
    CHECK_STATUS(reap_event_query(NULL, &is_complete), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_event_query(fine, NULL), REAP_ERROR_INVALID_ARGUMENT);
}

/* A command that fails while it runs: an index outside its span. */
static reap_status launch_failing(reap_queue *queue, reap_event **event)
{
    static uint32_t bins[2];
    static float x[3], y[3];
    eight all = {{0}}, few[3] = {{{0}}};
    float sum = 0, most = 0;
    uint64_t where = 0;
    return reap_parallel_for(queue, everything, reap_range_1d(3), .x = x, .y = y,
                             .sum = {.variable = &sum},
                             .most = {.variable = &most, .location = &where},
                             .all = {.variable = &all}, .bins = {.variable = bins, .count = 2},
                             .few = {.variable = few, .count = 3}, .launch = {.event = event});
}

static void fail_asynchronously(bool out_of_order)
{
    const reap_queue_options options = {.out_of_order = out_of_order};
    reap_queue *queue;
    reap_event *failed, *waiting, *fine, *none = NULL;
    uint64_t items = 0;
    CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
    CHECK_STATUS(launch_failing(queue, &failed), REAP_OK);
    CHECK_STATUS(reap_event_wait(failed), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK(strstr(reap_last_error(), "everything") && strstr(reap_last_error(), "bins") &&
          strstr(reap_last_error(), "index 2"));

    CHECK(reap_parallel_for(
              queue, count_items, reap_range_1d(10), .items = {.variable = &items},
              .launch = {.wait_for = &failed, .wait_for_count = 1, .event = &waiting}) == REAP_OK);
    CHECK_EQ(items, 0);
    CHECK_STATUS(reap_event_wait(waiting), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK_HAS(reap_last_error(), "index 2");

    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE); /* the first, and once */
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_STATUS(reap_event_wait(failed), REAP_ERROR_INDEX_OUT_OF_RANGE);

    CHECK(reap_parallel_for(queue, count_items, reap_range_1d(10), .items = {.variable = &items},
                            .launch = {.event = &fine}) == REAP_OK);
    CHECK(reap_event_wait(fine) == REAP_OK && items == 10);
    CHECK(reap_parallel_for(queue, count_items, reap_range_1d(1), .items = {.variable = &items},
                            .launch = {.wait_for = &none, .wait_for_count = 1}) ==
          REAP_ERROR_INVALID_ARGUMENT);
    CHECK(reap_parallel_for(queue, count_items, reap_range_1d(1), .items = {.variable = &items},
                            .launch = {.wait_for_count = 1}) == REAP_ERROR_INVALID_ARGUMENT);
    wait_for_several(failed, waiting, fine);
    reap_event_release(failed);
    reap_event_release(waiting);
    reap_event_release(fine);
    reap_event_release(NULL);
    reap_queue_release(queue);
}

int main(void)
{
    const uint64_t seed = check_seed();
    wrap_and_find(seed);
    refuse_bad_memory();
    create(seed);
    access_from_host();
    fail_asynchronously(false);
    fail_asynchronously(true);
    return check_finish();
}
