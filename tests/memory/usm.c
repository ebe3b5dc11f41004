/* SPDX-License-Identifier: Apache-2.0
 *
 * What allocations are, reductions whose variables lie in them, and what is refused: before
 * anything runs, by a line that says what and where, with nothing changed.
 */
#include "tests/memory/memory.kernels.h"
#include "tests/support/check_status.h"

#include <reap/reap.h>

enum { ITEMS = 5000, BINS = 10 };

static const reap_device *device, *host;
static reap_queue *queue;
static bool is_on_host; /* the default device is the host */
static const char *name;

static reap_status allocate(reap_memory_kind kind, size_t bytes, void **memory)
{
    return kind == REAP_MEMORY_DEVICE ? reap_malloc_device(device, bytes, memory)
           : kind == REAP_MEMORY_HOST ? reap_malloc_host(device, bytes, memory)
                                      : reap_malloc_shared(device, bytes, memory);
}

static bool says(const char *word)
{
    const bool found = strstr(reap_last_error(), word) != NULL;
    if (!found)
        fprintf(stderr, "no '%s' in: %s\n", word, reap_last_error());
    return found;
}

/* ---- What a pointer is ------------------------------------------------------------------------*/

static void ask(reap_memory_kind kind)
{
    reap_pointer_info info;
    void *memory = NULL;
    const size_t bytes = 1000;
    CHECK_STATUS(allocate(kind, bytes, &memory), REAP_OK);
    char *begin = memory;
    CHECK_EQ((uintptr_t)memory % 64, 0);
    for (size_t at = 0; at < bytes; at += 333) {
        CHECK_STATUS(reap_pointer_get_info(begin + at, &info), REAP_OK);
        CHECK(info.kind == kind && info.device == device && info.base == memory &&
              info.bytes == bytes);
    }
    CHECK(reap_pointer_get_info(begin + bytes, &info) == REAP_OK && info.base != memory);
    CHECK(reap_free(begin + 1) == REAP_ERROR_INVALID_ARGUMENT && says("within"));
    CHECK_STATUS(reap_free(memory), REAP_OK);
    CHECK(reap_pointer_get_info(memory, &info) == REAP_OK && info.kind == REAP_MEMORY_UNKNOWN);
    CHECK(info.device == NULL && info.base == NULL && info.bytes == 0);
    CHECK_STATUS(reap_free(memory), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(allocate(kind, 0, &memory), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(allocate(kind, 1, NULL), REAP_ERROR_INVALID_ARGUMENT);
    void *none = &info;
    CHECK(allocate(kind, SIZE_MAX / 255, &none) == REAP_ERROR_OUT_OF_MEMORY && none == &info);
    CHECK(allocate(kind, SIZE_MAX, &none) == REAP_ERROR_OUT_OF_MEMORY && none == &info);
}

static void ask_about_buffers(void)
{
    static char bytes[64];
    reap_pointer_info info;
    reap_buffer *buffer = NULL, *other = NULL;
    void *memory = NULL;
    CHECK_STATUS(reap_buffer_wrap(bytes, sizeof bytes, &buffer), REAP_OK);
    CHECK_STATUS(reap_pointer_get_info(bytes + 63, &info), REAP_OK);
    CHECK(info.kind == REAP_MEMORY_BUFFER && info.device == NULL && info.base == bytes &&
          info.bytes == sizeof bytes && !info.is_unwritten);
    CHECK(reap_free(bytes) == REAP_ERROR_INVALID_ARGUMENT && says("buffer"));
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_create(sizeof bytes, &buffer), REAP_OK);
    memory = reap_buffer_data(buffer);
    CHECK(reap_pointer_get_info(memory, &info) == REAP_OK && info.is_unwritten);
    CHECK_STATUS(reap_fill(queue, memory, "", 1, 1, NULL), REAP_OK);
    CHECK(reap_pointer_get_info(memory, &info) == REAP_OK && !info.is_unwritten);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK_STATUS(reap_pointer_get_info(NULL, &info), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_pointer_get_info(bytes, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_free(NULL), REAP_OK);
    CHECK_STATUS(reap_malloc_shared(NULL, 64, &memory), REAP_OK); /* of the default device */
    CHECK(reap_pointer_get_info(memory, &info) == REAP_OK && info.device == device);
    CHECK(reap_buffer_wrap(memory, 64, &other) == REAP_ERROR_INVALID_ARGUMENT && other == NULL);
    CHECK_STATUS(reap_free(memory), REAP_OK);
}

/* ---- Reductions -------------------------------------------------------------------------------*/

/* All that reductions write, as one piece of memory. */
struct variables {
    double sum, weights[BINS];
    uint64_t where;
    uint32_t most, bins[BINS];
};

/* Into plain variables, or those in unified shared memory. `items` may be 0. */
static void reduce(const uint32_t *x, size_t items, struct variables *into,
                   const uint32_t *identity, reap_event **event)
{
    CHECK(reap_parallel_for(
              queue, measure, reap_range_1d(items), .x = x, .sum = {.variable = &into->sum},
              .most = {.variable = &into->most, .location = &into->where, .identity = identity},
              .launch = {.event = event}) == REAP_OK);
    CHECK(reap_parallel_for(queue, count, reap_range_1d(items), .x = x,
                            .bins = {.variable = into->bins, .count = BINS}) == REAP_OK);
    CHECK(reap_parallel_for(queue, weigh, reap_range_1d(items), .x = x,
                            .weights = {.variable = into->weights, .count = BINS}) == REAP_OK);
}

static void check_reductions(reap_memory_kind kind, bool with_identity, bool with_event)
{
    static uint32_t values[ITEMS];
    const uint32_t identity = 4;
    struct variables expected = {.sum = 1, .where = 77, .most = 3}, found;
    void *x = NULL, *into = NULL;
    reap_event *events[3] = {NULL};
    reap_buffer *buffer = NULL;
    for (uint32_t i = 0; i < ITEMS; i++)
        values[i] = i * 2654435761u % 10007;
    expected.weights[0] = 0.5, expected.bins[1] = 5;
    CHECK_STATUS(allocate(kind, sizeof values, &x), REAP_OK);
    CHECK_STATUS(allocate(kind, sizeof expected, &into), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(values, sizeof values, &buffer), REAP_OK);
    CHECK_STATUS(reap_copy(queue, x, values, sizeof values, NULL), REAP_OK);
    CHECK_STATUS(reap_copy(queue, into, &expected, sizeof expected, NULL), REAP_OK);
    for (int round = 0; round < 3; round++) {
        const size_t items = round == 1 ? 0 : ITEMS;
        reduce(values, items, &expected, with_identity ? &identity : NULL, NULL);
        reduce(x, items, into, with_identity ? &identity : NULL,
               with_event ? &events[round] : NULL);
    }
    CHECK_STATUS(reap_copy(queue, &found, into, sizeof found, NULL), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(check_same(&found, &expected, sizeof found));
    for (int round = 0; round < 3; round++)
        reap_event_release(events[round]);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK(reap_free(x) == REAP_OK && reap_free(into) == REAP_OK);
}

/* The array and what is made of it lie in one allocation. */
static void reduce_within(reap_memory_kind kind)
{
    void *memory = NULL;
    const uint32_t with = 3;
    uint32_t found[ITEMS + BINS];
    double weights[BINS] = {0}, seen[BINS];
    const size_t at = sizeof(uint32_t) * (ITEMS + BINS + ITEMS % 2);
    CHECK_STATUS(allocate(kind, at + sizeof weights, &memory), REAP_OK);
    uint32_t *x = memory;
    double *to = (double *)(void *)((char *)memory + at);
    CHECK_STATUS(reap_fill(queue, memory, &with, sizeof with, ITEMS + BINS, NULL), REAP_OK);
    CHECK_STATUS(reap_copy(queue, to, weights, sizeof weights, NULL), REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, add_one, reap_range_1d(ITEMS), .x = x), REAP_OK);
    CHECK(reap_parallel_for(queue, count, reap_range_1d(ITEMS), .x = x,
                            .bins = {.variable = x + ITEMS, .count = BINS}) == REAP_OK);
    CHECK(reap_parallel_for(queue, weigh, reap_range_1d(ITEMS), .x = x,
                            .weights = {.variable = to, .count = BINS}) == REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, add_one, reap_range_1d(ITEMS), .x = x), REAP_OK);
    CHECK_STATUS(reap_copy(queue, found, memory, sizeof found, NULL), REAP_OK);
    CHECK_STATUS(reap_copy(queue, seen, to, sizeof seen, NULL), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(found[i], with + 2);
    for (int b = 0; b < BINS; b++) {
        CHECK_EQ(found[ITEMS + b], with + (b == 4 ? ITEMS : 0));
        CHECK(b == 4 ? seen[b] > 0.39 * ITEMS && seen[b] < 0.41 * ITEMS : seen[b] == 0);
    }
    CHECK_STATUS(reap_free(memory), REAP_OK);
}

/* ---- Refusals ---------------------------------------------------------------------------------*/

/* Everything of a device that the host cannot reach. */
static void refuse_on_host(void)
{
    reap_queue *on_host = NULL;
    void *memory = NULL;
    uint64_t sum = 5, where = 6;
    uint32_t most = 7, x[4] = {0};
    double total = 0;
    CHECK_STATUS(reap_queue_create(host, NULL, &on_host), REAP_OK);
    CHECK_STATUS(reap_malloc_device(device, 64, &memory), REAP_OK);
    CHECK(reap_parallel_for(on_host, add_up, reap_range_1d(4), .x = memory,
                            .sum = {.variable = &sum}) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("'add_up'") && says("argument 'x'") && says(name) && says("'host'") &&
          says("reap_copy"));
    CHECK(reap_parallel_for(on_host, add_up, reap_range_1d(4), .x = x,
                            .sum = {.variable = memory}) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says(".variable") && says("'sum'") && says(name));
    CHECK(reap_parallel_for(on_host, measure, reap_range_1d(4), .x = x, .sum = {.variable = &total},
                            .most = {.variable = &most, .location = memory}) ==
          REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says(".location") && says("'most'"));
    CHECK(reap_parallel_for(on_host, add_up, reap_range_1d(4), .x = x,
                            .sum = {.variable = &sum, .identity = memory}) ==
          REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says(".identity"));
    CHECK(reap_copy(on_host, x, memory, 4, NULL) == REAP_ERROR_INVALID_ARGUMENT && says(name));
    CHECK_STATUS(reap_copy(on_host, memory, x, 4, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_fill(on_host, memory, x, 4, 4, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_fill(queue, memory, memory, 4, 4, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_prefetch(on_host, memory, 4, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(sum == 5 && where == 6 && most == 7 && total == 0);
    CHECK_STATUS(reap_queue_wait(on_host), REAP_OK);
    CHECK_STATUS(reap_free(memory), REAP_OK);
    reap_queue_release(on_host);
}

/* Memory of the host that the device cannot reach. */
static void refuse_on_device(void)
{
    void *memory = NULL;
    uint64_t sum = 5;
    uint32_t x[4] = {0};
    CHECK(reap_parallel_for(queue, add_up, reap_range_1d(4), .x = x, .sum = {.variable = &sum}) ==
          REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("'add_up'") && says("argument 'x'") && says(name) && says("reap_buffer_wrap"));
    CHECK_STATUS(reap_malloc_device(host, 64, &memory), REAP_OK);
    CHECK(reap_parallel_for(queue, add_up, reap_range_1d(4), .x = memory,
                            .sum = {.variable = &sum}) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("argument 'x'") && says(name) && says("'host'"));
    CHECK_STATUS(reap_copy(queue, memory, x, sizeof x, NULL), REAP_OK); /* since a copy can */
    CHECK(reap_queue_wait(queue) == REAP_OK && sum == 5);
    CHECK_STATUS(reap_free(memory), REAP_OK);
}

static void refuse_copies(void)
{
    char plain[100] = {0}, other[100];
    reap_event *event = NULL, *none = NULL;
    void *memory = NULL;
    const reap_launch_options no_array = {.wait_for_count = 1, .event = &event};
    const reap_launch_options no_event = {.wait_for = &none, .wait_for_count = 1, .event = &event};
    CHECK_STATUS(allocate(REAP_MEMORY_DEVICE, 100, &memory), REAP_OK);
    char *begin = memory;
    CHECK_STATUS(reap_copy(NULL, memory, plain, 1, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_copy(queue, NULL, plain, 1, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(reap_copy(queue, memory, NULL, 1, NULL) == REAP_ERROR_INVALID_ARGUMENT && says("NULL"));
    CHECK_STATUS(reap_copy(queue, begin + 1, plain, 100, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("reap_copy") && says("100 bytes"));
    CHECK_STATUS(reap_copy(queue, other, begin + 99, 2, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_copy(queue, memory, plain, SIZE_MAX, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_copy(queue, begin + 1, begin, 50, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("overlap"));
    CHECK_STATUS(reap_copy(queue, plain, plain + 50, 51, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_copy(queue, plain, plain, 1, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_copy(queue, plain, plain + 50, 50, NULL), REAP_OK);
    CHECK_STATUS(reap_copy(queue, NULL, NULL, 0, NULL), REAP_OK);
    CHECK_STATUS(reap_copy(queue, memory, plain, 1, &no_array), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_copy(queue, memory, plain, 1, &no_event), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(says("options->wait_for[0]") && event == NULL);
    CHECK_STATUS(reap_fill(queue, memory, NULL, 1, 1, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_fill(queue, memory, plain, 0, 1, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_fill(queue, memory, plain, 4097, 1, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_fill(queue, memory, plain, 2, SIZE_MAX / 2 + 1, NULL),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_fill(queue, memory, plain, 3, 34, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_fill(NULL, memory, plain, 3, 3, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_fill(queue, NULL, plain, 3, 3, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_prefetch(queue, begin + 50, 51, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_prefetch(NULL, memory, 1, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_STATUS(reap_free(memory), REAP_OK);
}

/* A command that waits for one that has failed does not run. */
static void depend_on_failure(void)
{
    uint32_t x[4] = {1, 1, 1, 1}, bins[1] = {0}, to = 5;
    reap_event *failed = NULL, *copied = NULL;
    reap_buffer *buffer = NULL;
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_OK);
    CHECK(reap_parallel_for(queue, count, reap_range_1d(4), .x = x,
                            .bins = {.variable = bins, .count = 1},
                            .launch = {.event = &failed}) == REAP_OK);
    const reap_launch_options options = {
        .wait_for = &failed, .wait_for_count = 1, .event = &copied};
    CHECK_STATUS(reap_copy(queue, &to, x, sizeof to, &options), REAP_OK);
    CHECK_STATUS(reap_event_wait(copied), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK(says("reap_copy did not run") && says("index 1"));
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK(reap_queue_wait(queue) == REAP_OK && to == 5);
    reap_event_release(failed);
    reap_event_release(copied);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

int main(void)
{
    const reap_device *const *devices = NULL;
    size_t number = 0;
    reap_device_info info;
    CHECK(reap_device_list(&devices, &number) == REAP_OK && number > 0);
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    host = devices[0];
    device = reap_queue_device(queue);
    is_on_host = host == device;
    CHECK_STATUS(reap_device_get_info(device, &info), REAP_OK);
    name = info.name;
    ask_about_buffers();
    for (reap_memory_kind kind = REAP_MEMORY_DEVICE; kind <= REAP_MEMORY_SHARED; kind++) {
        ask(kind);
        reduce_within(kind);
        for (int way = 0; way < 4; way++)
            check_reductions(kind, (way & 1) != 0, (way & 2) != 0);
    }
    refuse_copies();
    depend_on_failure();
    if (!is_on_host) {
        refuse_on_host();
        refuse_on_device();
    }
    reap_queue_release(queue);
    return check_finish();
}
