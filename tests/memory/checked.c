/* SPDX-License-Identifier: Apache-2.0
 *
 * REAP_CHECK=1 and memory: a work-item that uses an element outside of a buffer or an allocation is
 * found, on every device, and nothing is changed then; so is a program that uses a buffer's memory
 * outside of its accesses, or launches a command during one. Correct programs have the same results
 * as without.
 */
#define _XOPEN_SOURCE 700 /* setenv */
#include "tests/memory/checked.kernels.h"
#include "tests/memory/memory.kernels.h"
#include "tests/support/check_status.h"

#include <pthread.h>
#include <reap/reap.h>
#include <time.h>

static reap_queue *queue;

static bool says(const char *text)
{
    return strstr(reap_last_error(), text) != NULL;
}

/* The launch has run, or was found to be wrong before it could. */
static bool is_outside(reap_status launched, const char *text)
{
    const reap_status waited = reap_queue_wait(queue);
    return (launched == REAP_OK || launched == REAP_ERROR_INDEX_OUT_OF_RANGE) &&
           waited == REAP_ERROR_INDEX_OUT_OF_RANGE && says(text);
}

enum kind { WRAPPED, CREATED, ON_DEVICE, SHARED, OF_HOST, KINDS };

struct memory {
    enum kind kind;
    size_t bytes;
    reap_buffer *buffer;
    void *data, *wrapped;
};

static void make(struct memory *memory, enum kind kind, size_t bytes)
{
    const reap_device *device = reap_queue_device(queue);
    *memory = (struct memory){.kind = kind, .bytes = bytes};
    if (kind == WRAPPED) {
        memory->data = memory->wrapped = malloc(bytes);
        CHECK(memory->data != NULL);
        memset(memory->data, 0, bytes);
        CHECK_STATUS(reap_buffer_wrap(memory->data, bytes, &memory->buffer), REAP_OK);
    } else if (kind == CREATED) {
        CHECK_STATUS(reap_buffer_create(bytes, &memory->buffer), REAP_OK);
        memory->data = reap_buffer_data(memory->buffer);
    } else if (kind == ON_DEVICE) {
        CHECK_STATUS(reap_malloc_device(device, bytes, &memory->data), REAP_OK);
    } else if (kind == SHARED) {
        CHECK_STATUS(reap_malloc_shared(device, bytes, &memory->data), REAP_OK);
    } else {
        CHECK_STATUS(reap_malloc_host(device, bytes, &memory->data), REAP_OK);
    }
    CHECK_STATUS(reap_fill(queue, memory->data, "", 1, bytes, NULL), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
}

static void release(struct memory *memory)
{
    CHECK(memory->buffer != NULL ? reap_buffer_release(memory->buffer) == REAP_OK
                                 : reap_free(memory->data) == REAP_OK);
    free(memory->wrapped);
}

static size_t count_ones(const struct memory *memory, size_t size)
{
    static unsigned char seen[100000];
    size_t ones = 0;
    CHECK_LE(memory->bytes, sizeof seen);
    CHECK_STATUS(reap_copy(queue, seen, memory->data, memory->bytes, NULL), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    for (size_t at = 0; at < memory->bytes; at += size)
        ones += seen[at + size - 1] != 0;
    return ones;
}

static reap_status read_from(const int16_t *x, size_t items, ptrdiff_t offset, int64_t *sum)
{
    return reap_parallel_for(queue, read_at, reap_range_1d(items), .x = x, .offset = offset,
                             .sum = {.variable = sum});
}

static void check_reads(enum kind kind, size_t count)
{
    struct memory memory;
    int64_t sum = 5;
    char text[200];
    make(&memory, kind, count * sizeof(int16_t));
    CHECK(read_from(memory.data, count, 0, &sum) == REAP_OK && reap_queue_wait(queue) == REAP_OK);
    CHECK_EQ(sum, 5);
    snprintf(text, sizeof text, "kernel 'read_at': a work-item used element %zu of argument 'x'",
             count);
    CHECK(is_outside(read_from(memory.data, count, 1, &sum), text));
    snprintf(text, sizeof text, "elements 0 to %zu are inside", count - 1);
    CHECK(is_outside(read_from(memory.data, count + 1, 0, &sum), text));
    CHECK(is_outside(read_from((int16_t *)memory.data + 3, count, 0, &sum), "elements -3 to"));
    CHECK(is_outside(read_from(memory.data, count, 20000, &sum), "of argument 'x'"));
    CHECK(is_outside(read_from(memory.data, count, -40000, &sum), "of argument 'x'"));
    CHECK_EQ(sum, 5);
    CHECK_STATUS(read_from((int16_t *)memory.data + 3, count - 3, 0, &sum), REAP_OK);
    CHECK(reap_queue_wait(queue) == REAP_OK && sum == 5);
    release(&memory);
}

/* Before the first element, too, where it does not lie at a page's beginning. */
static void check_writes(enum kind kind, size_t count)
{
    struct memory memory;
    make(&memory, kind, count * sizeof(double));
    for (ptrdiff_t offset = -1; offset <= 1; offset += 2) {
        CHECK(is_outside(reap_parallel_for(queue, write_at, reap_range_1d(count), .x = memory.data,
                                           .offset = offset),
                         offset < 0 ? "element -1 of argument 'x'" : "of argument 'x'"));
        CHECK_EQ(count_ones(&memory, sizeof(double)), 0);
    }
    CHECK_STATUS(
        reap_parallel_for(queue, write_at, reap_range_1d(count), .x = memory.data, .offset = 0),
        REAP_OK);
    CHECK(reap_queue_wait(queue) == REAP_OK && count_ones(&memory, sizeof(double)) == count);
    release(&memory);
}

static void check_groups(enum kind kind)
{
    enum { COUNT = 320, GROUP = 32 };
    struct memory x, y;
    make(&x, kind, COUNT * sizeof(float));
    make(&y, kind, COUNT * sizeof(float));
    for (ptrdiff_t offset = 0; offset <= 1; offset++) {
        const reap_status status =
            reap_parallel_for(queue, read_in_groups, reap_nd_range_1d(COUNT, GROUP), .x = x.data,
                              .y = y.data, .offset = offset, .tile = GROUP);
        CHECK(offset == 0 ? status == REAP_OK && reap_queue_wait(queue) == REAP_OK
                          : is_outside(status, "element 320 of argument 'x'"));
    }
    release(&x);
    release(&y);
}

/* Everything that a right command writes comes back, from every kind of memory. */
static void check_results(enum kind kind, uint64_t seed)
{
    enum { COUNT = 1000 };
    static int32_t x[COUNT], y[COUNT], z[COUNT], seen[COUNT];
    struct memory arrays[3], variables;
    int32_t bins[10] = {0}, expected[10] = {0}, largest = -1, found[11];
    uint64_t where = 0, place = 0;
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = y[i] = z[i] = (int32_t)(check_random(&seed) % 1000000);
        expected[x[i] % 10]++;
        z[i] = 2 * x[i];
        where = x[i] > largest ? i : where;
        largest = x[i] > largest ? x[i] : largest;
    }
    for (int a = 0; a < 3; a++)
        make(&arrays[a], kind, sizeof x);
    make(&variables, kind, sizeof found);
    CHECK_STATUS(reap_copy(queue, arrays[0].data, x, sizeof x, NULL), REAP_OK);
    CHECK_STATUS(reap_copy(queue, arrays[2].data, x, sizeof x, NULL), REAP_OK);
    CHECK(reap_parallel_for(
              queue, copy_and_count, reap_range_1d(COUNT), .x = arrays[0].data, .y = arrays[1].data,
              .z = arrays[2].data,
              .most = {.variable = &((int32_t *)variables.data)[10], .location = &place},
              .bins = {.variable = variables.data, .count = 10}) == REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_STATUS(reap_copy(queue, seen, arrays[1].data, sizeof x, NULL), REAP_OK);
    CHECK(reap_queue_wait(queue) == REAP_OK && check_same(seen, y, sizeof y));
    CHECK_STATUS(reap_copy(queue, seen, arrays[2].data, sizeof x, NULL), REAP_OK);
    CHECK(reap_queue_wait(queue) == REAP_OK && check_same(seen, z, sizeof z));
    CHECK_STATUS(reap_copy(queue, found, variables.data, sizeof found, NULL), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    memcpy(bins, found, sizeof bins);
    CHECK(check_same(bins, expected, sizeof bins) && found[10] == largest && place == where);
    for (int a = 0; a < 3; a++)
        release(&arrays[a]);
    release(&variables);
}

/* ---- The program and its buffers --------------------------------------------------------------*/

enum { NUMBERS = 1000 };

static bool is_refused(reap_status status, const char *text)
{
    return status == REAP_ERROR_INVALID_ARGUMENT && says(text);
}

static reap_status add(const uint32_t *x, uint64_t *sum)
{
    *sum = 0;
    REAP_TRY(
        reap_parallel_for(queue, add_up, reap_range_1d(NUMBERS), .x = x, .sum = {.variable = sum}));
    return reap_queue_wait(queue);
}

/* What a kernel has written must not be looked at, and what it will read not be changed. */
static void check_created(void)
{
    reap_buffer *buffer;
    void *data = NULL;
    uint64_t sum = 0;
    CHECK_STATUS(reap_buffer_create(NUMBERS * sizeof(uint32_t), &buffer), REAP_OK);
    volatile uint32_t *x = reap_buffer_data(buffer);
    CHECK_STATUS(
        reap_parallel_for(queue, fill_up, reap_range_1d(NUMBERS), .x = (uint32_t *)x, .with = 3),
        REAP_OK);
    CHECK(reap_queue_wait(queue) == REAP_OK && add((uint32_t *)x, &sum) == REAP_OK);
    CHECK_EQ(sum, 3 * NUMBERS);
    CHECK_NE(x[7], 3);
    CHECK(is_refused(add((uint32_t *)x, &sum), "kernel 'add_up': the program has used byte 28 of"));
    CHECK(add((uint32_t *)x, &sum) == REAP_OK && sum == 3 * NUMBERS);
    x[0] = 100;
    CHECK(is_refused(reap_host_access_begin(buffer, REAP_READ, &data), "used byte 0 of"));
    CHECK(data == NULL);
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ | REAP_WRITE, &data), REAP_OK);
    CHECK(data == (void *)x && x[0] == 3 && x[NUMBERS - 1] == 3);
    x[0] = 100;
    CHECK(is_refused(add((uint32_t *)x, &sum), "has not called reap_host_access_end"));
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    CHECK(add((uint32_t *)x, &sum) == REAP_OK && sum == 3 * NUMBERS + 97);
    x[0] = 5;
    CHECK(is_refused(reap_buffer_release(buffer), "reap_buffer_release: the program has used"));
}

static void check_wrapped(void)
{
    static uint32_t numbers[NUMBERS];
    reap_buffer *buffer;
    void *data;
    uint64_t sum;
    for (size_t i = 0; i < NUMBERS; i++)
        numbers[i] = 1;
    CHECK_STATUS(reap_buffer_wrap(numbers, sizeof numbers, &buffer), REAP_OK);
    CHECK(add(numbers, &sum) == REAP_OK && sum == NUMBERS && numbers[5] == 1);
    numbers[5] = 2;
    CHECK(is_refused(add(numbers, &sum), "kernel 'add_up': the program has changed byte 20 of"));
    CHECK(numbers[5] == 1 && add(numbers, &sum) == REAP_OK && sum == NUMBERS);
    CHECK_STATUS(reap_parallel_for(queue, add_one, reap_range_1d(NUMBERS), .x = numbers), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_NE(numbers[5], 2);
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ | REAP_WRITE, &data), REAP_OK);
    CHECK(numbers[5] == 2 && numbers[NUMBERS - 1] == 2);
    numbers[6] = 4;
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    CHECK(add(numbers, &sum) == REAP_OK && sum == 2 * NUMBERS + 2);
    CHECK_STATUS(reap_parallel_for(queue, add_one, reap_range_1d(NUMBERS), .x = numbers), REAP_OK);
    CHECK(reap_buffer_release(buffer) == REAP_OK && numbers[6] == 5 && numbers[5] == 3);
}

static uint32_t overtaken[NUMBERS];

/* A command may run during an access that reads if it was launched before and reads, too. */
static void check_pending(void)
{
    static uint32_t numbers[NUMBERS], state[1];
    const reap_queue_options options = {.asynchronous = true};
    reap_queue *asynchronous;
    reap_buffer *buffer, *states;
    void *data;
    uint64_t sum = 0;
    for (size_t i = 0; i < NUMBERS; i++)
        numbers[i] = 2;
    CHECK_STATUS(reap_queue_create(NULL, &options, &asynchronous), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(numbers, sizeof numbers, &buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(state, sizeof state, &states), REAP_OK);
    CHECK_STATUS(
        reap_parallel_for(asynchronous, turn, reap_range_1d(1), .state = state, .turns = 20000000),
        REAP_OK);
    CHECK_STATUS(reap_parallel_for(asynchronous, add_up, reap_range_1d(NUMBERS), .x = numbers,
                                   .sum = {.variable = &sum}),
                 REAP_OK);
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ, &data), REAP_OK);
    CHECK_STATUS(reap_queue_wait(asynchronous), REAP_OK);
    CHECK(sum == 2 * NUMBERS && numbers[NUMBERS - 1] == 2);
    CHECK(is_refused(reap_parallel_for(asynchronous, add_up, reap_range_1d(NUMBERS), .x = numbers,
                                       .sum = {.variable = &sum}),
                     "kernel 'add_up': the program has begun to access the buffer"));
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    CHECK_STATUS(reap_queue_wait(asynchronous), REAP_OK);
    CHECK(add(numbers, &sum) == REAP_OK && sum == 2 * NUMBERS);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_release(states), REAP_OK);
    reap_queue_release(asynchronous);
}

struct overtaken {
    reap_event *event;
    reap_status status;
    bool is_right;
};

static void *set_after(void *argument)
{
    struct overtaken *const call = argument;
    reap_event *const events[] = {call->event};
    call->status = reap_parallel_for(queue, set_to, reap_range_1d(NUMBERS), .y = overtaken, .v = 7,
                                     .launch = {.wait_for = events, .wait_for_count = 1});
    call->is_right =
        call->status == REAP_OK ||
        is_refused(call->status,
                   "kernel 'set_to': the program has begun to access the buffer of 4000 bytes");
    return NULL;
}

/* A command that writes must not run during an access, even if the call that launches it has begun
 * before and waits for an event of `turns` turns meanwhile. Returns whether the command was
 * refused: it may run if the turns are over too early. */
static bool is_overtaken(reap_queue *asynchronous, uint32_t turns)
{
    static uint32_t state[1];
    struct overtaken call;
    reap_buffer *buffer;
    pthread_t thread;
    void *data;
    CHECK_STATUS(reap_buffer_wrap(overtaken, sizeof overtaken, &buffer), REAP_OK);
    CHECK_STATUS(reap_parallel_for(asynchronous, turn, reap_range_1d(1), .state = state,
                                   .turns = turns, .launch = {.event = &call.event}),
                 REAP_OK);
    CHECK_EQ(pthread_create(&thread, NULL, set_after, &call), 0);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ | REAP_WRITE, &data), REAP_OK);
    memset(data, 0, sizeof overtaken);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK(call.is_right);
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    CHECK_STATUS(reap_queue_wait(asynchronous), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK_EQ(overtaken[0], 0);
    reap_event_release(call.event);
    return call.status != REAP_OK;
}

static void check_overtaken(void)
{
    const reap_queue_options options = {.asynchronous = true};
    const reap_device *host;
    reap_queue *asynchronous;
    uint32_t turns = (uint32_t)1 << 26;
    CHECK_STATUS(reap_device_find("host", &host), REAP_OK);
    CHECK_STATUS(reap_queue_create(host, &options, &asynchronous), REAP_OK);
    while (!is_overtaken(asynchronous, turns) && turns < (uint32_t)1 << 30)
        turns *= 2;
    CHECK(turns < (uint32_t)1 << 30);
    reap_queue_release(asynchronous);
}

int main(void)
{
    const uint64_t seed = check_seed();
    setenv("REAP_CHECK", "1", 1);
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    for (int kind = 0; kind < KINDS; kind++) {
        check_reads((enum kind)kind, 1001);
        check_reads((enum kind)kind, 32768);
        check_writes((enum kind)kind, 5);
        check_writes((enum kind)kind, 8192);
        check_groups((enum kind)kind);
        check_results((enum kind)kind, seed);
    }
    check_created();
    check_wrapped();
    check_pending();
    check_overtaken();
    reap_queue_release(queue);
    return check_finish();
}
