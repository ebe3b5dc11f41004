/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands on one buffer are ordered by their access modes, whichever threads launch them on
 * whichever queues and devices: what is written is written by one at a time, and readers see it
 * whole. Accesses of the program and releases wait for the commands, and for no others.
 */
#include "tests/memory/memory.kernels.h"
#include "tests/support/check_status.h"

#include <pthread.h>
#include <reap/reap.h>
#include <stdatomic.h>
#include <time.h>

enum { WRITERS = 4, READERS = 2, ITEMS = 200000 };
#ifdef REAP_TESTS_SMALL
enum { ROUNDS = 20 };
#else
enum { ROUNDS = 60 };
#endif

static const reap_device *host;
static uint32_t x[ITEMS], y[ITEMS];
static reap_buffer *buffer;
static atomic_ulong wrong;
static pthread_barrier_t start;

static reap_queue *make_queue(const reap_device *device)
{
    reap_queue *queue = NULL;
    const reap_queue_options options = {.out_of_order = true, .max_threads = 1};
    if (reap_queue_create(device, &options, &queue) != REAP_OK)
        exit(1);
    return queue;
}

static void expect(bool right)
{
    if (!right)
        atomic_fetch_add(&wrong, 1);
}

/* Every other one works on the host, every other one on the default device. */
static void *write_often(void *number)
{
    reap_queue *queue = make_queue(number != NULL ? host : NULL);
    pthread_barrier_wait(&start);
    for (int round = 0; round < ROUNDS; round++)
        expect(reap_parallel_for(queue, add_one, reap_range_1d(ITEMS), .x = x) == REAP_OK);
    expect(reap_queue_wait(queue) == REAP_OK);
    reap_queue_release(queue);
    return NULL;
}

static void *read_often(void *number)
{
    reap_queue *queue = make_queue(number != NULL ? host : NULL);
    pthread_barrier_wait(&start);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t sum = 0;
        expect(reap_parallel_for(queue, add_up, reap_range_1d(ITEMS), .x = x,
                                 .sum = {.variable = &sum}) == REAP_OK);
        expect(reap_queue_wait(queue) == REAP_OK && sum % ITEMS == 0);
    }
    reap_queue_release(queue);
    return NULL;
}

/* And the program, between commands: copies and accesses. */
static void look_often(void)
{
    reap_queue *queue = make_queue(NULL);
    pthread_barrier_wait(&start);
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t ends[2] = {1, 2};
        void *data = NULL;
        expect(reap_copy(queue, &ends[0], x, sizeof *x, NULL) == REAP_OK);
        expect(reap_copy(queue, &ends[1], x + ITEMS - 1, sizeof *x, NULL) == REAP_OK);
        expect(ends[0] <= ends[1]); /* it only grows */
        expect(reap_host_access_begin(buffer, REAP_READ, &data) == REAP_OK && data == x);
        expect(reap_host_access_end(buffer) == REAP_OK);
    }
    reap_queue_release(queue);
}

static void run_threads(void)
{
    pthread_t threads[WRITERS + READERS];
    static char second;
    pthread_barrier_init(&start, NULL, WRITERS + READERS + 1);
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_OK);
    for (int t = 0; t < WRITERS + READERS; t++)
        if (pthread_create(&threads[t], NULL, t < WRITERS ? write_often : read_often,
                           t % 2 == 1 ? &second : NULL) != 0)
            exit(1);
    look_often();
    for (int t = 0; t < WRITERS + READERS; t++)
        pthread_join(threads[t], NULL);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(x[i], WRITERS * ROUNDS);
    CHECK_EQ(atomic_load(&wrong), 0);
}

/* ---- Releases ---------------------------------------------------------------------------------*/

struct writer {
    pthread_t thread;
    reap_queue *queue;
    uint32_t with;
};

static void *write_once(void *argument)
{
    const struct writer *writer = argument;
    expect(reap_parallel_for(writer->queue, fill_up, reap_range_1d(ITEMS), .x = y,
                             .with = writer->with) == REAP_OK);
    return NULL;
}

/* Right after a launch, without a wait for its queue: the data is there. */
static void release_at_once(void)
{
    reap_queue *queue = make_queue(NULL), *on_host = make_queue(host);
    for (uint32_t round = 1; round <= ROUNDS / 10; round++) {
        reap_buffer *wrapped = NULL;
        struct writer writer = {.queue = round % 2 == 0 ? queue : on_host, .with = round};
        uint32_t seen = 0;
        CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &wrapped), REAP_OK);
        if (pthread_create(&writer.thread, NULL, write_once, &writer) != 0)
            exit(1);
        while (seen != round) /* its launch has begun, or has returned */
            CHECK_STATUS(reap_copy(queue, &seen, y + ITEMS - 1, sizeof seen, NULL), REAP_OK);
        CHECK_STATUS(reap_buffer_release(wrapped), REAP_OK);
        for (int i = 0; i < ITEMS; i++)
            CHECK_EQ(y[i], round);
        pthread_join(writer.thread, NULL);
    }
    CHECK(reap_queue_wait(queue) == REAP_OK && reap_queue_wait(on_host) == REAP_OK);
    reap_queue_release(queue);
    reap_queue_release(on_host);
}

/* Commands on one buffer on two devices, one after the other, without a wait between them. */
static void take_turns(void)
{
    reap_queue *queue = make_queue(NULL), *on_host = make_queue(host);
    reap_buffer *wrapped = NULL;
    void *data = NULL;
    memset(y, 0, sizeof y);
    CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &wrapped), REAP_OK);
    for (int round = 0; round < 20; round++)
        CHECK_STATUS(reap_parallel_for(round % 3 == 0 ? on_host : queue, add_one,
                                       reap_range_1d(ITEMS), .x = y),
                     REAP_OK);
    CHECK_STATUS(reap_host_access_begin(wrapped, REAP_READ, &data), REAP_OK);
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(y[i], 20);
    CHECK_STATUS(reap_host_access_end(wrapped), REAP_OK);
    CHECK_STATUS(reap_buffer_release(wrapped), REAP_OK);
    reap_queue_release(queue);
    reap_queue_release(on_host);
}

/* ---- Allocations that come and go -------------------------------------------------------------*/

static void *allocate_often(void *unused)
{
    reap_queue *queue = make_queue(NULL);
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        void *memory = NULL;
        uint32_t *z;
        uint64_t sum = 0;
        expect(reap_malloc_shared(reap_queue_device(queue), 4000, &memory) == REAP_OK);
        z = memory;
        for (uint32_t i = 0; i < 1000; i++)
            z[i] = i;
        expect(reap_parallel_for(queue, add_up, reap_range_1d(1000), .x = z,
                                 .sum = {.variable = &sum}) == REAP_OK);
        expect(reap_queue_wait(queue) == REAP_OK && sum == 499500);
        expect(reap_free(memory) == REAP_OK);
    }
    reap_queue_release(queue);
    return NULL;
}

/* One thread's waits copy back what others free. */
static void run_allocators(void)
{
    pthread_t threads[WRITERS];
    for (int t = 0; t < WRITERS; t++)
        if (pthread_create(&threads[t], NULL, allocate_often, NULL) != 0)
            exit(1);
    for (int t = 0; t < WRITERS; t++)
        pthread_join(threads[t], NULL);
    CHECK_EQ(atomic_load(&wrong), 0);
}

/* ---- Asynchronous queues ----------------------------------------------------------------------*/

static reap_queue *make_asynchronous(const reap_device *device)
{
    reap_queue *queue = NULL;
    CHECK(reap_queue_create(device, &(reap_queue_options){.asynchronous = true}, &queue) ==
          REAP_OK);
    return queue;
}

/* Shared memory that goes to and fro, by events alone. */
static void share_by_events(void)
{
    reap_queue *queues[2] = {make_asynchronous(NULL), make_asynchronous(host)};
    reap_event *event = NULL;
    void *memory = NULL;
    CHECK_STATUS(reap_malloc_shared(reap_queue_device(queues[0]), 4000, &memory), REAP_OK);
    uint32_t *z = memory;
    memset(z, 0, 4000);
    for (int round = 0; round < 20; round++) {
        reap_event *next = NULL;
        CHECK(reap_parallel_for(
                  queues[round % 2], add_one, reap_range_1d(1000), .x = z,
                  .launch = {.wait_for = &event, .wait_for_count = round > 0, .event = &next}) ==
              REAP_OK);
        reap_event_release(event);
        event = next;
    }
    CHECK_STATUS(reap_event_wait(event), REAP_OK);
    CHECK(reap_queue_wait(queues[0]) == REAP_OK && reap_queue_wait(queues[1]) == REAP_OK);
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(z[i], 20);
    reap_event_release(event);
    CHECK_STATUS(reap_free(memory), REAP_OK);
    reap_queue_release(queues[0]);
    reap_queue_release(queues[1]);
}

static void count_failure(void *context, reap_status status, const char *line)
{
    *(int *)context += status == REAP_ERROR_INDEX_OUT_OF_RANGE && strstr(line, "outside") != NULL;
}

/* A failure is reported once, by the launch or by a wait. */
static void fail_once(bool asynchronous, bool in_buffer)
{
    static uint32_t digits[10], bins[5], others[5];
    int failures = 0;
    const reap_queue_options options = {
        .asynchronous = asynchronous, .on_error = count_failure, .on_error_context = &failures};
    reap_queue *queue = NULL;
    reap_event *event = NULL;
    reap_buffer *inputs = NULL, *counts = NULL;
    for (uint32_t i = 0; i < 10; i++)
        digits[i] = i;
    CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(digits, sizeof digits, &inputs), REAP_OK);
    if (in_buffer)
        CHECK_STATUS(reap_buffer_wrap(bins, sizeof bins, &counts), REAP_OK);
    CHECK(reap_parallel_for(queue, count_twice, reap_range_1d(10), .x = digits,
                            .bins = {.variable = bins, .count = 5},
                            .others = {.variable = others, .count = 5},
                            .launch = {.event = &event}) == REAP_OK);
    CHECK_STATUS(reap_event_wait(event), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK(reap_queue_wait(queue) == REAP_OK && failures == 1);
    CHECK(reap_buffer_release(inputs) == REAP_OK && reap_buffer_release(counts) == REAP_OK);
    reap_event_release(event);
    reap_queue_release(queue);
}

/* ---- Times ------------------------------------------------------------------------------------*/

static bool is_on_host(void)
{
    const reap_device *device = NULL;
    return reap_device_default(&device) == REAP_OK && device == host;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* What a device measures is brought to the host's clock, to some microseconds. A copy to
 * the program's memory begins after the command before it, though its call begins earlier. (For the
 * emulated card of tests/fake each command takes a millisecond.) */
static void time_commands(bool asynchronous)
{
    enum { COMMANDS = 6, SLACK = 1000000, LATE = 20 * SLACK, STEPS = 300 };
    const reap_queue_options options = {.asynchronous = asynchronous, .profiling = true};
    reap_event *events[COMMANDS] = {NULL}, *other = NULL;
    reap_event_times times[COMMANDS];
    reap_queue *queue = NULL, *plain = make_queue(NULL);
    reap_buffer *made = NULL;
    uint32_t copied = 0;
    CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
    CHECK_STATUS(reap_buffer_create(sizeof x, &made), REAP_OK);
    uint32_t *z = reap_buffer_data(made);
    CHECK(reap_parallel_for(queue, fill_up, reap_range_1d(ITEMS), .x = z, .with = 1,
                            .launch = {.event = &events[0]}) == REAP_OK);
    if (is_on_host() && !asynchronous) /* the launch itself has found that the command ended */
        CHECK_STATUS(reap_event_get_times(events[0], &times[0]), REAP_OK);
    CHECK(reap_parallel_for(queue, add_one, reap_range_1d(ITEMS), .x = z,
                            .launch = {.event = &events[1]}) == REAP_OK);
    CHECK(reap_copy(queue, z, z + ITEMS / 2, ITEMS, &(reap_launch_options){.event = &events[2]}) ==
          REAP_OK);
    CHECK(reap_parallel_for(queue, step, reap_range_1d(ITEMS), .x = z, .steps = STEPS,
                            .launch = {.event = &events[3]}) == REAP_OK);
    CHECK_STATUS(
        reap_copy(queue, &copied, z, sizeof *z, &(reap_launch_options){.event = &events[4]}),
        REAP_OK);
    CHECK(reap_fill(queue, z, &(uint32_t){7}, sizeof *z, ITEMS,
                    &(reap_launch_options){.event = &events[5]}) == REAP_OK);
    CHECK(reap_parallel_for(plain, add_one, reap_range_1d(ITEMS), .x = z,
                            .launch = {.event = &other}) == REAP_OK);
    CHECK(reap_events_wait(events, COMMANDS) == REAP_OK && reap_event_wait(other) == REAP_OK);
    const uint64_t after = now();
    for (int c = 0; c < COMMANDS; c++) {
        CHECK_STATUS(reap_event_get_times(events[c], &times[c]), REAP_OK);
        CHECK(times[c].submitted > 0 && times[c].submitted <= times[c].started + SLACK);
        CHECK_LE(times[c].started, times[c].ended);
        CHECK_LE(times[c].ended, after + LATE);
        CHECK(c == 0 || times[c - 1].submitted <= times[c].submitted);
        CHECK(c == 0 || times[c - 1].ended <= times[c].started + SLACK);
        reap_event_release(events[c]);
    }
    CHECK_STATUS(reap_event_get_times(other, &times[0]), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), ".profiling");
    CHECK_STATUS(reap_event_get_times(NULL, &times[0]), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_event_get_times(other, NULL), REAP_ERROR_INVALID_ARGUMENT);
    reap_event_release(other);
    CHECK_STATUS(reap_buffer_release(made), REAP_OK);
    reap_queue_release(queue);
    reap_queue_release(plain);
}

int main(void)
{
    const reap_device *const *devices = NULL;
    size_t count = 0;
    CHECK(reap_device_list(&devices, &count) == REAP_OK && count > 0);
    host = devices[0];
    take_turns();
    release_at_once();
    run_allocators();
    share_by_events();
    time_commands(false);
    time_commands(true);
    for (int way = 0; way < 4; way++)
        fail_once(way % 2 == 1, way / 2 == 1);
    run_threads();
    return check_finish();
}
