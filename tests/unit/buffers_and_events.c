/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers know their extents; events tell how commands ended; a queue returns its first
 * asynchronous error once.
 */
#include "tests/support/check.h"
#include "tests/unit/unit.kernels.h"

#include "src/core/buffer.h"

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
        CHECK(reap_buffer_wrap(piece(i), BYTES, &buffers[i]) == REAP_OK);
    }
    for (size_t i = 0; i < BUFFERS; i++) {
        CHECK(reap__buffer_find(piece(i), 1, &extent) && extent.begin == piece(i));
        CHECK(reap__buffer_find(piece(i) + BYTES - 1, 1, &extent) && extent.begin == piece(i));
        CHECK(!reap__buffer_find(piece(i) + BYTES, BYTES, &extent));
        CHECK(reap_buffer_wrap(piece(i) + BYTES - 1, 2, &other) == REAP_ERROR_INVALID_ARGUMENT);
        CHECK(strstr(reap_last_error(), "overlaps") != NULL);
    }
    CHECK(reap__buffer_find(memory, sizeof memory, &extent) && extent.begin == piece(0));
    CHECK(reap__buffer_find(piece(7) + BYTES, (size_t)5 * BYTES, &extent) &&
          extent.begin == piece(8));
    for (size_t i = 0; i < BUFFERS; i += 2)
        CHECK(reap_buffer_release(buffers[i]) == REAP_OK);
    for (size_t i = 0; i < BUFFERS; i++)
        CHECK(reap__buffer_find(piece(i), BYTES, &extent) == (i % 2 == 1));
    for (size_t i = 1; i < BUFFERS; i += 2)
        CHECK(reap_buffer_release(buffers[i]) == REAP_OK);
    CHECK(!reap__buffer_find(memory, sizeof memory, &extent));
}

static void refuse_bad_memory(void)
{
    reap_buffer *buffer = NULL;
    CHECK(reap_buffer_wrap(NULL, 1, &buffer) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(reap_buffer_wrap(memory, 0, &buffer) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(reap_buffer_wrap(memory, 1, NULL) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(reap_buffer_wrap(memory, SIZE_MAX, &buffer) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(buffer == NULL);
    CHECK(reap_buffer_release(NULL) == REAP_OK);
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
    CHECK(reap_queue_create(NULL, &options, &queue) == REAP_OK);
    CHECK(launch_failing(queue, &failed) == REAP_OK);
    CHECK(reap_event_wait(failed) == REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK(strstr(reap_last_error(), "everything") && strstr(reap_last_error(), "bins") &&
          strstr(reap_last_error(), "index 2"));

    CHECK(reap_parallel_for(
              queue, count_items, reap_range_1d(10), .items = {.variable = &items},
              .launch = {.wait_for = &failed, .wait_for_count = 1, .event = &waiting}) == REAP_OK);
    CHECK(items == 0);
    CHECK(reap_event_wait(waiting) == REAP_ERROR_DEPENDENCY_FAILED);
    CHECK(strstr(reap_last_error(), "index 2") != NULL);

    CHECK(reap_queue_wait(queue) == REAP_ERROR_INDEX_OUT_OF_RANGE); /* the first, and once */
    CHECK(reap_queue_wait(queue) == REAP_OK);
    CHECK(reap_event_wait(failed) == REAP_ERROR_INDEX_OUT_OF_RANGE);

    CHECK(reap_parallel_for(queue, count_items, reap_range_1d(10), .items = {.variable = &items},
                            .launch = {.event = &fine}) == REAP_OK);
    CHECK(reap_event_wait(fine) == REAP_OK && items == 10);
    CHECK(reap_parallel_for(queue, count_items, reap_range_1d(1), .items = {.variable = &items},
                            .launch = {.wait_for = &none, .wait_for_count = 1}) ==
          REAP_ERROR_INVALID_ARGUMENT);
    CHECK(reap_parallel_for(queue, count_items, reap_range_1d(1), .items = {.variable = &items},
                            .launch = {.wait_for_count = 1}) == REAP_ERROR_INVALID_ARGUMENT);
    reap_event_release(failed);
    reap_event_release(waiting);
    reap_event_release(fine);
    reap_event_release(NULL);
    reap_queue_release(queue);
}

int main(void)
{
    wrap_and_find(check_seed());
    refuse_bad_memory();
    fail_asynchronously(false);
    fail_asynchronously(true);
    return check_finish();
}
