/* SPDX-License-Identifier: Apache-2.0
 *
 * What becomes of a buffer whose command has failed: those that use what it was to write do not
 * run, and say why, on every queue, device and thread, until the buffer is overwritten wholly, or
 * the failure has been reported. On the default device and on the host, in queues of every kind.
 */
#include "src/core/allocate.h"
#include "tests/memory/host.kernels.h"
#include "tests/memory/memory.kernels.h"
#include "tests/support/check_status.h"

#include <pthread.h>
#include <reap/reap.h>
#include <stdatomic.h>

enum { ITEMS = 100, MARKS = 5, OUTSIDE = 7, SEEN = 0x7777, READERS = 4, READS = 50 };

static uint32_t x[ITEMS], y[ITEMS], z[ITEMS], marks[MARKS];
static reap_buffer *x_buffer, *y_buffer, *z_buffer;

/* A queue, and what its handler has heard. */
struct line {
    reap_queue *queue;
    atomic_int failures, dependents;
};

static void hear(void *context, reap_status status, const char *text)
{
    struct line *line = context;
    atomic_fetch_add(&line->failures, 1);
    if (status == REAP_ERROR_DEPENDENCY_FAILED && strstr(text, "did not run, since") != NULL)
        atomic_fetch_add(&line->dependents, 1);
}

static void open_line(struct line *line, const reap_device *device, reap_queue_options options)
{
    *line = (struct line){.queue = NULL};
    options.on_error = hear;
    options.on_error_context = line;
    if (reap_queue_create(device, &options, &line->queue) != REAP_OK)
        exit(1);
}

static void open_buffers(void)
{
    for (uint32_t i = 0; i < ITEMS; i++)
        x[i] = i, y[i] = 2 * i, z[i] = 3 * i;
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &x_buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &y_buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(z, sizeof z, &z_buffer), REAP_OK);
}

static void close_buffers(void)
{
    CHECK_STATUS(reap_buffer_release(x_buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_release(y_buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_release(z_buffer), REAP_OK);
}

/* Writes `array`, and fails where OUTSIDE, not where 0. */
static reap_event *mark(struct line *line, uint32_t *array, size_t at)
{
    reap_event *event = NULL;
    CHECK(reap_parallel_for(line->queue, fill_and_mark, reap_range_1d(ITEMS), .x = array, .with = 9,
                            .at = at, .marks = {.variable = marks, .count = MARKS},
                            .launch = {.event = &event}) == REAP_OK);
    return event;
}

/* Whether a call without an event was taken, or says already that the command did not run. */
static bool is_taken(reap_status status)
{
    return status == REAP_OK || status == REAP_ERROR_DEPENDENCY_FAILED;
}

/* The same without an event. */
static void mark_alone(struct line *line, uint32_t *array, size_t at)
{
    const reap_status status =
        reap_parallel_for(line->queue, fill_and_mark, reap_range_1d(ITEMS), .x = array, .with = 9,
                          .at = at, .marks = {.variable = marks, .count = MARKS});
    CHECK(is_taken(status) || (at == OUTSIDE && status == REAP_ERROR_INDEX_OUT_OF_RANGE));
}

/* `who` "did not run", since `culprit` failed for that cause, and with it the buffer's contents. */
static bool is_about(const char *who, const void *buffer, const char *culprit, const char *cause)
{
    char begin[300];
    const int length =
        snprintf(begin, sizeof begin,
                 "%s, since %s, on which the contents of the buffer of %zu bytes at %p depend, "
                 "failed: ",
                 who, culprit, sizeof x, buffer);
    const char *line = reap_last_error();
    const bool is = strncmp(line, begin, (size_t)length) == 0 && strstr(line, cause) != NULL;
    if (!is)
        fprintf(stderr, "%s\n", line);
    return is;
}

static bool has_not_run(reap_event *event, const char *who, const void *buffer)
{
    return reap_event_wait(event) == REAP_ERROR_DEPENDENCY_FAILED &&
           is_about(who, buffer, "kernel 'fill_and_mark'",
                    "failed: kernel 'fill_and_mark': index 7 is outside");
}

/* Whether the array can be read, by a kernel. */
static reap_status read_by_kernel(struct line *line, const uint32_t *array)
{
    uint64_t sum = SEEN;
    reap_event *event = NULL;
    CHECK(reap_parallel_for(line->queue, add_up, reap_range_1d(ITEMS), .x = array,
                            .sum = {.variable = &sum}, .launch = {.event = &event}) == REAP_OK);
    const reap_status status = reap_event_wait(event);
    CHECK_EQ((status == REAP_OK), (sum != SEEN));
    reap_event_release(event);
    return status;
}

/* ---- Chains -----------------------------------------------------------------------------------*/

/* One fails, and with it those after it, whatever they do with the buffer; each is reported once.
 */
static void fail_those_behind(struct line *first, struct line *second)
{
    uint64_t sum = SEEN;
    uint32_t copied[ITEMS] = {SEEN};
    reap_event *events[6] = {NULL};
    void *data = NULL;
    open_buffers();
    events[0] = mark(first, x, OUTSIDE);
    CHECK(reap_parallel_for(second->queue, mix, reap_range_1d(ITEMS), .x = x, .y = y, .with = 1,
                            .launch = {.event = &events[1]}) == REAP_OK);
    CHECK(reap_parallel_for(first->queue, add_up, reap_range_1d(ITEMS), .x = y,
                            .sum = {.variable = &sum}, .launch = {.event = &events[2]}) == REAP_OK);
    CHECK(reap_copy(second->queue, copied, x, sizeof *x,
                    &(reap_launch_options){.event = &events[3]}) == REAP_OK);
    CHECK(reap_parallel_for(second->queue, fill_up, reap_range_1d(ITEMS), .x = x, .with = 1,
                            .launch = {.event = &events[4]}) == REAP_OK);
    CHECK(reap_parallel_for(second->queue, add_to, reap_range_1d(ITEMS), .x = z,
                            .sum = {.variable = &y[3]},
                            .launch = {.event = &events[5]}) == REAP_OK);
    CHECK_STATUS(reap_host_access_begin(y_buffer, REAP_READ, &data), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK(is_about("reap_host_access_begin: the buffer cannot be read", y, "kernel 'fill_and_mark'",
                   "index 7 is outside"));
    CHECK(data == NULL && reap_host_access_end(y_buffer) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_event_wait(events[0]), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK(has_not_run(events[1], "kernel 'mix' did not run", x));
    CHECK(has_not_run(events[2], "kernel 'add_up' did not run", y) && sum == SEEN);
    CHECK(has_not_run(events[3], "reap_copy did not run", x) && copied[0] == SEEN);
    CHECK(has_not_run(events[4], "kernel 'fill_up' did not run", x));
    CHECK(has_not_run(events[5], "kernel 'add_to' did not run", y));
    CHECK_STATUS(read_by_kernel(second, z), REAP_OK);
    CHECK_STATUS(reap_queue_wait(first->queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(read_by_kernel(first, y), REAP_ERROR_DEPENDENCY_FAILED); /* the second queue's */
    CHECK_STATUS(reap_queue_wait(first->queue), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK_STATUS(reap_queue_wait(second->queue), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK(reap_queue_wait(first->queue) == REAP_OK && reap_queue_wait(second->queue) == REAP_OK);
    CHECK(read_by_kernel(first, x) == REAP_OK && read_by_kernel(second, y) == REAP_OK);
    CHECK(atomic_load(&first->failures) == 3 && atomic_load(&first->dependents) == 2);
    CHECK(atomic_load(&second->failures) == 4 && atomic_load(&second->dependents) == 4);
    close_buffers();
    for (uint32_t i = 0; i < ITEMS; i++)
        CHECK_EQ(y[i], 2 * i);
    for (int e = 0; e < 6; e++)
        reap_event_release(events[e]);
}

/* A command that waits for another's event and so does not run has not written its buffer. */
static void fail_by_event(struct line *first, struct line *second)
{
    reap_event *failed, *behind = NULL;
    open_buffers();
    failed = mark(first, x, OUTSIDE);
    CHECK(reap_parallel_for(
              second->queue, fill_up, reap_range_1d(ITEMS), .x = y, .with = 1,
              .launch = {.wait_for = &failed, .wait_for_count = 1, .event = &behind}) == REAP_OK);
    CHECK_STATUS(reap_event_wait(behind), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK_STATUS(read_by_kernel(first, y), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK(is_about("kernel 'add_up' did not run", y, "kernel 'fill_up'", "index 7 is outside"));
    CHECK_STATUS(reap_queue_wait(first->queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(reap_queue_wait(second->queue), REAP_ERROR_DEPENDENCY_FAILED);
    reap_event_release(failed);
    reap_event_release(behind);
    close_buffers();
    CHECK_EQ(y[1], 2);
}

/* ---- The end of it ----------------------------------------------------------------------------*/

static void fail_and_expect(struct line *line)
{
    mark_alone(line, x, OUTSIDE);
    CHECK_STATUS(read_by_kernel(line, x), REAP_ERROR_DEPENDENCY_FAILED);
}

/* Who overwrites all makes it good; who overwrites less does not run. */
static void overwrite(struct line *first, struct line *second)
{
    const uint32_t pattern = 5;
    void *data = NULL;
    open_buffers();
    fail_and_expect(first);
    CHECK(is_taken(reap_fill(second->queue, x, &pattern, sizeof pattern, ITEMS - 1, NULL)));
    CHECK_STATUS(read_by_kernel(first, x), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK_STATUS(reap_fill(second->queue, x, &pattern, sizeof pattern, ITEMS, NULL), REAP_OK);
    CHECK_STATUS(read_by_kernel(first, x), REAP_OK);
    fail_and_expect(first);
    CHECK(is_taken(reap_copy(second->queue, x + 1, y, sizeof x - sizeof *x, NULL)));
    CHECK_STATUS(read_by_kernel(second, x), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK_STATUS(reap_copy(second->queue, x, y, sizeof x, NULL), REAP_OK);
    CHECK_STATUS(read_by_kernel(second, x), REAP_OK);
    fail_and_expect(second);
    CHECK_STATUS(reap_prefetch(first->queue, x, sizeof x, NULL), REAP_OK);
    CHECK_STATUS(reap_host_access_begin(x_buffer, REAP_READ | REAP_WRITE, &data),
                 REAP_ERROR_DEPENDENCY_FAILED);
    CHECK_STATUS(reap_host_access_begin(x_buffer, REAP_WRITE, &data), REAP_OK);
    for (uint32_t i = 0; i < ITEMS; i++)
        x[i] = 4 * i;
    CHECK_STATUS(reap_host_access_end(x_buffer), REAP_OK);
    CHECK_STATUS(read_by_kernel(first, x), REAP_OK);
    CHECK_STATUS(reap_queue_wait(first->queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(reap_queue_wait(second->queue), REAP_ERROR_DEPENDENCY_FAILED);
    close_buffers();
    CHECK_EQ(x[ITEMS - 1], 4 * (ITEMS - 1));
}

/* The failure has been reported, and the program goes on: the same once more. */
static void try_again(struct line *first, struct line *second)
{
    open_buffers();
    for (int round = 0; round < 3; round++) {
        fail_and_expect(first);
        CHECK_STATUS(reap_queue_wait(first->queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
        mark_alone(second, x, 0);
        CHECK_STATUS(read_by_kernel(first, x), REAP_OK);
    }
    CHECK(reap_queue_wait(first->queue) == REAP_OK && reap_queue_wait(second->queue) == REAP_OK);
    close_buffers();
    CHECK_EQ(x[ITEMS - 1], 9);
}

/* The record of failures does not grow, whether they are reported or not. */
static void fail_often(struct line *first, struct line *second)
{
    enum { ROUNDS = 100 };
    open_buffers();
    fail_and_expect(second);
    const long alive = reap__allocations_alive();
    for (int round = 0; round < ROUNDS; round++) {
        mark_alone(first, x, OUTSIDE);
        mark_alone(second, y, OUTSIDE);
        CHECK_NE(reap_queue_wait(second->queue), REAP_OK);
    }
    CHECK_NE(reap_queue_wait(first->queue), REAP_OK);
    CHECK_LE(reap__allocations_alive(), alive + 20);
    CHECK_EQ(atomic_load(&first->failures), ROUNDS);
    CHECK_EQ(atomic_load(&second->failures), ROUNDS + 2);
    close_buffers();
}

/* A release reports it where the program would go on with what is in its memory; nothing else does
 * when a queue has gone without a wait. */
static void release(const reap_device *device, const reap_queue_options *options)
{
    struct line line;
    reap_buffer *made = NULL;
    open_line(&line, device, *options);
    open_buffers();
    CHECK_STATUS(reap_buffer_create(sizeof x, &made), REAP_OK);
    mark_alone(&line, reap_buffer_data(made), OUTSIDE);
    mark_alone(&line, x, OUTSIDE);
    CHECK_STATUS(reap_buffer_release(made), REAP_OK);
    CHECK_STATUS(reap_buffer_release(x_buffer), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK(is_about("reap_buffer_release: the wrapped memory does not have the expected contents", x,
                   "kernel 'fill_and_mark'", "index 7 is outside"));
    mark_alone(&line, y, OUTSIDE);
    reap_queue_release(line.queue);
    CHECK_EQ(atomic_load(&line.failures), 3);
    CHECK_STATUS(reap_buffer_release(y_buffer), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK_STATUS(reap_buffer_release(z_buffer), REAP_OK);
}

/* ---- Reductions -------------------------------------------------------------------------------*/

static reap_status count_into(struct line *line, uint32_t *bins, size_t count)
{
    return reap_parallel_for(line->queue, count_twice, reap_range_1d(ITEMS), .x = z,
                             .bins = {.variable = bins, .count = count},
                             .others = {.variable = bins + 20, .count = 10});
}

/* What threads and devices keep for later launches depends on how many wait at a time: up to 16
 * were seen on a busy machine. A leak of each launch would be one for each round. */
static void check_kept(long kept, long rounds)
{
    if (kept > rounds / 4)
        fprintf(stderr, "  %ld allocations more than before\n", kept);
    CHECK_LE(kept, rounds / 4);
}

/* What fails leaves variables as they were: others reduce into them, and commands that read them
 * fail. */
static void reduce_on(struct line *first, struct line *second)
{
    enum { ROUNDS = 200 }; /* more than are noted without a wait */
    const long alive = reap__allocations_alive();
    open_buffers();
    for (int round = 0; round < ROUNDS; round++)
        CHECK_STATUS(count_into(round % 2 == 0 ? first : second, y, 10), REAP_OK);
    CHECK_STATUS(read_by_kernel(second, y), REAP_OK);
    const reap_status failing = count_into(first, y, 3);
    CHECK(failing == REAP_OK || failing == REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(count_into(second, y, 10), REAP_OK);
    CHECK_STATUS(read_by_kernel(second, y), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK_HAS(reap_last_error(), "which has 3 elements");
    CHECK_STATUS(count_into(second, y, 10), REAP_OK);
    CHECK_STATUS(reap_queue_wait(second->queue), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK_EQ(atomic_load(&second->failures), 1);
    CHECK_STATUS(reap_queue_wait(first->queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(read_by_kernel(second, y), REAP_OK);
    close_buffers();
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_EQ(y[i], 2 * i + (ROUNDS + 2) * (ITEMS / 10));
        CHECK_EQ(y[20 + i], 2 * (20 + i) + (ROUNDS + 2) * (ITEMS / 10));
    }
    check_kept(reap__allocations_alive() - alive, ROUNDS);
}

/* ---- Threads ----------------------------------------------------------------------------------*/

static uint32_t flag;

/* A command that was launched before the failure was reported fails, though it runs afterwards; one
 * that is launched then does not. */
static void tell_between(struct line *first, const reap_device *host)
{
    struct line holding, later;
    reap_event *held = NULL, *before = NULL, *after = NULL;
    open_line(&holding, host, (reap_queue_options){.asynchronous = true});
    open_line(&later, NULL, (reap_queue_options){.asynchronous = true});
    open_buffers();
    __atomic_store_n(&flag, 0, __ATOMIC_RELEASE);
    mark_alone(first, x, OUTSIDE);
    CHECK(reap_parallel_for(holding.queue, hold, reap_range_1d(1), .flag = &flag,
                            .launch = {.event = &held}) == REAP_OK);
    CHECK(reap_parallel_for(later.queue, mix, reap_range_1d(ITEMS), .x = x, .y = y,
                            .launch = {.wait_for = &held, .wait_for_count = 1, .event = &before}) ==
          REAP_OK);
    CHECK_STATUS(reap_queue_wait(first->queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK(reap_parallel_for(later.queue, mix, reap_range_1d(ITEMS), .x = x, .y = z,
                            .launch = {.event = &after}) == REAP_OK);
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    CHECK(has_not_run(before, "kernel 'mix' did not run", x));
    CHECK_STATUS(reap_event_wait(after), REAP_OK);
    CHECK_STATUS(reap_queue_wait(later.queue), REAP_ERROR_DEPENDENCY_FAILED);
    reap_event_release(held);
    reap_event_release(before);
    reap_event_release(after);
    close_buffers();
    reap_queue_release(later.queue);
    reap_queue_release(holding.queue);
}

static void *read_often(void *context)
{
    atomic_int *right = context;
    struct line line;
    open_line(&line, NULL, (reap_queue_options){.out_of_order = true});
    for (int round = 0; round < READS; round++) {
        uint64_t sum = SEEN;
        if (is_taken(reap_parallel_for(line.queue, add_up, reap_range_1d(ITEMS), .x = x,
                                       .sum = {.variable = &sum})) &&
            reap_queue_wait(line.queue) == REAP_ERROR_DEPENDENCY_FAILED && sum == SEEN)
            atomic_fetch_add(right, 1);
    }
    if (atomic_load(&line.failures) == READS && atomic_load(&line.dependents) == READS)
        atomic_fetch_add(right, 1);
    reap_queue_release(line.queue);
    return NULL;
}

/* Several find out at the same time. */
static void read_in_threads(struct line *first)
{
    pthread_t threads[READERS];
    atomic_int right = 0;
    open_buffers();
    mark_alone(first, x, OUTSIDE);
    for (int t = 0; t < READERS; t++)
        if (pthread_create(&threads[t], NULL, read_often, &right) != 0)
            exit(1);
    for (int t = 0; t < READERS; t++)
        pthread_join(threads[t], NULL);
    CHECK_EQ(atomic_load(&right), READERS * (READS + 1));
    CHECK_STATUS(reap_queue_wait(first->queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    close_buffers();
}

/* ---- Other failures ---------------------------------------------------------------------------*/

static void diverge_on(const reap_device *host)
{
    struct line line;
    reap_event *event = NULL;
    open_line(&line, host, (reap_queue_options){.out_of_order = true});
    open_buffers();
    CHECK(reap_parallel_for(line.queue, diverge, reap_nd_range_1d(ITEMS, 10), .x = x,
                            .launch = {.event = &event}) == REAP_OK);
    CHECK_STATUS(reap_event_wait(event), REAP_ERROR_DIVERGENT_BARRIER);
    CHECK_STATUS(read_by_kernel(&line, x), REAP_ERROR_DEPENDENCY_FAILED);
    CHECK(is_about("kernel 'add_up' did not run", x, "kernel 'diverge'", "kernel 'diverge'"));
    CHECK_STATUS(reap_queue_wait(line.queue), REAP_ERROR_DIVERGENT_BARRIER);
    reap_event_release(event);
    close_buffers();
    reap_queue_release(line.queue);
}

/* Once the program has received the failures, commands use the buffers as they are. */
static void use_after_wait(reap_queue *queue)
{
    void *data = NULL;
    reap_queue_wait(queue);
    CHECK_STATUS(reap_parallel_for(queue, add_one, reap_range_1d(ITEMS), .x = x), REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, fill_and_mark, reap_range_1d(ITEMS), .x = x, .with = SEEN,
                                   .at = 0, .marks = {.variable = marks, .count = MARKS}),
                 REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_STATUS(reap_host_access_begin(x_buffer, REAP_READ, &data), REAP_OK);
    CHECK_STATUS(reap_host_access_end(x_buffer), REAP_OK);
}

/* Each allocation fails, twice in a row, since the first launches may allocate what they can do
 * without: whatever it was for, no command reads what was not written. */
static void have_no_memory(const reap_device *device, const reap_queue_options *options, size_t at)
{
    unsigned long failures = 0;
    for (unsigned long n = 2; n < 80; n++) {
        struct line line;
        reap_event *event = NULL;
        void *data = NULL;
        open_line(&line, device, *options);
        open_buffers();
        const long alive = reap__allocations_alive();
        reap__fail_allocation(n / 2);
        const reap_status marked =
            reap_parallel_for(line.queue, fill_and_mark, reap_range_1d(ITEMS), .x = x, .with = SEEN,
                              .at = at, .marks = {.variable = marks, .count = MARKS});
        const reap_status added = reap_parallel_for(line.queue, add_one, reap_range_1d(ITEMS),
                                                    .x = x, .launch = {.event = &event});
        const reap_status ended = added == REAP_OK ? reap_event_wait(event) : added;
        reap__fail_allocation(0);
        failures += marked != REAP_OK || ended != REAP_OK;
        CHECK(marked == REAP_OK || marked == REAP_ERROR_OUT_OF_MEMORY ||
              (marked == REAP_ERROR_INDEX_OUT_OF_RANGE && at == OUTSIDE));
        CHECK(ended == REAP_OK || ended == REAP_ERROR_OUT_OF_MEMORY ||
              ended == REAP_ERROR_DEPENDENCY_FAILED);
        CHECK(ended != REAP_OK || marked != REAP_OK || at != OUTSIDE);
        const reap_status begun = reap_host_access_begin(x_buffer, REAP_READ, &data);
        if (begun == REAP_OK)
            CHECK_EQ(x[1], (marked == REAP_OK ? SEEN : 1u) + (ended == REAP_OK));
        CHECK((begun == REAP_OK) == (ended == REAP_OK || added != REAP_OK) || at == OUTSIDE);
        if (begun == REAP_OK)
            CHECK_STATUS(reap_host_access_end(x_buffer), REAP_OK);
        CHECK_IN(use_after_wait(line.queue));
        CHECK_STATUS(reap_host_access_begin(x_buffer, REAP_WRITE, &data), REAP_OK);
        CHECK_STATUS(reap_buffer_release(x_buffer), REAP_OK);
        CHECK_STATUS(reap_buffer_release(y_buffer), REAP_OK);
        CHECK_STATUS(reap_buffer_release(z_buffer), REAP_OK);
        reap_event_release(event);
        reap_queue_wait(line.queue);
        CHECK_LE(reap__allocations_alive(), alive + 10); /* what is kept for launches */
        reap_queue_release(line.queue);
    }
    CHECK_GT(failures, 0);
}

/* ---- The whole --------------------------------------------------------------------------------*/

enum { WAYS = 3 };

static void run_on(const reap_device *first, const reap_device *second, const reap_device *host)
{
    static const reap_queue_options ways[WAYS] = {
        {.out_of_order = false},
        {.asynchronous = true},
        {.asynchronous = true, .out_of_order = true},
    };
    static void (*const cases[])(struct line *, struct line *) = {
        fail_those_behind, fail_by_event, overwrite, try_again, fail_often, reduce_on};
    for (int way = 0; way < WAYS * WAYS; way++) {
        struct line lines[2];
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            open_line(&lines[0], first, ways[way % WAYS]);
            open_line(&lines[1], second, ways[way / WAYS]);
            cases[c](&lines[0], &lines[1]);
            reap_queue_release(lines[0].queue);
            reap_queue_release(lines[1].queue);
        }
    }
    for (int way = 0; way < WAYS; way++) {
        struct line line;
        open_line(&line, first, ways[way]);
        read_in_threads(&line);
        tell_between(&line, host);
        reap_queue_release(line.queue);
        release(first, &ways[way]);
        have_no_memory(first, &ways[way], 0);
        have_no_memory(first, &ways[way], OUTSIDE);
    }
}

int main(void)
{
    const reap_device *const *devices = NULL, *device = NULL;
    size_t count = 0;
    CHECK(reap_device_list(&devices, &count) == REAP_OK && count > 0);
    CHECK_STATUS(reap_device_default(&device), REAP_OK);
    run_on(device, device, devices[0]);
    if (device != devices[0]) {
        run_on(device, devices[0], devices[0]);
        run_on(devices[0], device, devices[0]);
    }
    diverge_on(devices[0]);
    return check_finish();
}
