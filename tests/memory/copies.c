/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies, fills and kernels, drawn at random, between memory of all kinds, each beside a mirror in
 * plain memory that goes through the same. They run on the default device's queue and on one of the
 * host; the program waits where it changes between them, as it must for unified shared memory, and
 * looks at everything from time to time. Then what is refused, and that nothing is left behind.
 */
#include "tests/memory/memory.kernels.h"
#include "tests/support/check_status.h"

#include "src/core/allocate.h"

#include <reap/reap.h>

enum { BYTES = 20000, MOST_PATTERN = 40 };
#ifdef REAP_TESTS_SMALL
enum { STEPS = 300 };
#else
enum { STEPS = 1500 };
#endif

enum kind { PLAIN, WRAPPED, CREATED, ON_DEVICE, OF_HOST, SHARED, SECOND_SHARED, KINDS };

static unsigned char *memory[KINDS], mirror[KINDS][BYTES], plain[BYTES], wrapped[BYTES];
static reap_buffer *buffers[KINDS];
static reap_queue *device_queue, *host_queue;
static bool is_on_host; /* the default device is the host */

static const reap_device *find_host(void)
{
    const reap_device *const *devices = NULL;
    size_t count = 0;
    CHECK(reap_device_list(&devices, &count) == REAP_OK && count > 0);
    return devices[0];
}

static void make_all(void)
{
    const reap_device *device = reap_queue_device(device_queue);
    void *made[KINDS] = {NULL};
    memset(plain, 0, BYTES);
    memset(wrapped, 0, BYTES);
    CHECK_STATUS(reap_buffer_wrap(wrapped, BYTES, &buffers[WRAPPED]), REAP_OK);
    CHECK_STATUS(reap_buffer_create(BYTES, &buffers[CREATED]), REAP_OK);
    CHECK_STATUS(reap_malloc_device(device, BYTES, &made[ON_DEVICE]), REAP_OK);
    CHECK_STATUS(reap_malloc_host(device, BYTES, &made[OF_HOST]), REAP_OK);
    CHECK_STATUS(reap_malloc_shared(device, BYTES, &made[SHARED]), REAP_OK);
    CHECK_STATUS(reap_malloc_shared(device, BYTES, &made[SECOND_SHARED]), REAP_OK);
    made[PLAIN] = plain;
    made[WRAPPED] = wrapped;
    made[CREATED] = reap_buffer_data(buffers[CREATED]);
    for (int kind = 0; kind < KINDS; kind++) {
        memory[kind] = made[kind];
        memset(mirror[kind], 0, BYTES);
        if (kind != PLAIN)
            CHECK_STATUS(reap_fill(device_queue, made[kind], "", 1, BYTES, NULL), REAP_OK);
    }
}

static void release_all(void)
{
    CHECK_STATUS(reap_buffer_release(buffers[WRAPPED]), REAP_OK);
    CHECK(check_same(wrapped, mirror[WRAPPED], BYTES));
    CHECK_STATUS(reap_buffer_release(buffers[CREATED]), REAP_OK);
    for (int kind = ON_DEVICE; kind < KINDS; kind++)
        CHECK_STATUS(reap_free(memory[kind]), REAP_OK);
}

/* As a program looks at each kind. */
static void look_at(enum kind kind)
{
    static unsigned char seen[BYTES];
    void *data = memory[kind];
    if (buffers[kind] != NULL)
        CHECK_STATUS(reap_host_access_begin(buffers[kind], REAP_READ, &data), REAP_OK);
    if (kind == ON_DEVICE) {
        CHECK_STATUS(reap_copy(device_queue, seen, data, BYTES, NULL), REAP_OK);
        data = seen;
    }
    CHECK(check_same(data, mirror[kind], BYTES));
    if (buffers[kind] != NULL)
        CHECK_STATUS(reap_host_access_end(buffers[kind]), REAP_OK);
}

/* And changes them, where it may. */
static void write_to(enum kind kind, uint64_t *seed)
{
    const size_t at = check_random(seed) % BYTES;
    void *data = memory[kind];
    if (kind == ON_DEVICE)
        return;
    if (buffers[kind] != NULL)
        CHECK_STATUS(reap_host_access_begin(buffers[kind], REAP_READ | REAP_WRITE, &data), REAP_OK);
    ((unsigned char *)data)[at] = mirror[kind][at] = (unsigned char)check_random(seed);
    if (buffers[kind] != NULL)
        CHECK_STATUS(reap_host_access_end(buffers[kind]), REAP_OK);
}

static void wait_for(reap_queue *queue, bool with_event)
{
    reap_event *event = NULL;
    const reap_launch_options options = {.event = &event};
    if (!with_event) {
        CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
        return;
    }
    CHECK_STATUS(reap_copy(queue, NULL, NULL, 0, &options), REAP_OK); /* after all others */
    CHECK_STATUS(reap_event_wait(event), REAP_OK);
    reap_event_release(event);
}

static size_t draw(uint64_t *seed, size_t least, size_t most)
{
    return least + check_random(seed) % (most - least + 1);
}

static void copy_once(reap_queue *queue, uint64_t *seed, bool is_host)
{
    const enum kind to = (enum kind)draw(seed, 0, KINDS - 1);
    const enum kind from = (enum kind)draw(seed, 0, KINDS - 1);
    size_t bytes = draw(seed, 0, 3) == 0 ? BYTES : draw(seed, 0, BYTES / 3);
    size_t to_at = draw(seed, 0, BYTES - bytes), from_at = draw(seed, 0, BYTES - bytes);
    if (to == from) {
        bytes = bytes < BYTES / 3 ? bytes : BYTES / 3;
        to_at = draw(seed, 0, BYTES / 2 - bytes);
        from_at = BYTES / 2 + draw(seed, 0, BYTES / 2 - bytes);
    }
    if (is_host && !is_on_host && (to == ON_DEVICE || from == ON_DEVICE)) {
        CHECK_EQ(reap_copy(queue, memory[to] + to_at, memory[from] + from_at, bytes, NULL),
                 (bytes > 0 ? REAP_ERROR_INVALID_ARGUMENT : REAP_OK));
        return;
    }
    CHECK_STATUS(reap_copy(queue, memory[to] + to_at, memory[from] + from_at, bytes, NULL),
                 REAP_OK);
    memcpy(mirror[to] + to_at, mirror[from] + from_at, bytes);
}

static void fill_once(reap_queue *queue, uint64_t *seed, bool is_host)
{
    unsigned char pattern[MOST_PATTERN];
    const enum kind to = (enum kind)draw(seed, 0, KINDS - 1);
    const size_t size = draw(seed, 1, MOST_PATTERN), count = draw(seed, 0, BYTES / size);
    const size_t at = draw(seed, 0, BYTES - count * size);
    const bool is_one = draw(seed, 0, 2) == 0;
    if (is_host && !is_on_host && to == ON_DEVICE)
        return;
    for (size_t i = 0; i < size; i++)
        pattern[i] = (unsigned char)(is_one ? 0x5a : check_random(seed));
    CHECK_STATUS(reap_fill(queue, memory[to] + at, pattern, size, count, NULL), REAP_OK);
    for (size_t i = 0; i < count; i++)
        memcpy(mirror[to] + at + i * size, pattern, size);
}

static void launch_once(reap_queue *queue, uint64_t *seed, bool is_host)
{
    const enum kind kind =
        (enum kind)draw(seed, is_host || is_on_host ? PLAIN : WRAPPED, KINDS - 1);
    const size_t bytes = draw(seed, 0, BYTES), at = draw(seed, 0, BYTES - bytes);
    const uint32_t with = (uint32_t)check_random(seed);
    if (is_host && !is_on_host && kind == ON_DEVICE)
        return;
    CHECK_STATUS(reap_parallel_for(queue, change, reap_range_1d(bytes), .x = memory[kind] + at,
                                   .with = with),
                 REAP_OK);
    for (size_t i = at; i < at + bytes; i++)
        mirror[kind][i] = (unsigned char)(mirror[kind][i] * 3u + with);
}

static void prefetch_once(reap_queue *queue, uint64_t *seed, bool is_host)
{
    const enum kind kind = (enum kind)draw(seed, 0, KINDS - 1);
    const size_t bytes = draw(seed, 0, BYTES);
    if (!is_host || is_on_host || kind != ON_DEVICE)
        CHECK_STATUS(reap_prefetch(queue, memory[kind] + draw(seed, 0, BYTES - bytes), bytes, NULL),
                     REAP_OK);
}

static void run(uint64_t seed)
{
    bool is_host = false;
    make_all();
    for (int step = 0; step < STEPS; step++) {
        reap_queue *queue = is_host ? host_queue : device_queue;
        const size_t what = draw(&seed, 0, 13);
        if (what < 6)
            copy_once(queue, &seed, is_host);
        else if (what < 8)
            fill_once(queue, &seed, is_host);
        else if (what < 11)
            launch_once(queue, &seed, is_host);
        else if (what < 12)
            prefetch_once(queue, &seed, is_host);
        else {
            wait_for(queue, draw(&seed, 0, 1) == 0);
            for (int kind = 0; kind < KINDS; kind++)
                if (draw(&seed, 0, 1) == 0)
                    look_at((enum kind)kind);
            for (int kind = 0; kind < KINDS; kind++)
                if (draw(&seed, 0, 2) == 0)
                    write_to((enum kind)kind, &seed);
            CHECK_STATUS(reap_queue_wait(device_queue), REAP_OK); /* look_at has used it */
            is_host = draw(&seed, 0, 2) == 0;
        }
    }
    CHECK(reap_queue_wait(device_queue) == REAP_OK && reap_queue_wait(host_queue) == REAP_OK);
    for (int kind = 0; kind < KINDS; kind++)
        look_at((enum kind)kind);
    release_all();
}

/* A chain over two devices, ordered by events alone; the program writes at its end. */
static void chain(void)
{
    enum { ITEMS = 1000, ROUNDS = 5 };
    const reap_device *device = reap_queue_device(device_queue);
    void *shared = NULL, *host = NULL;
    CHECK_STATUS(reap_malloc_shared(device, ITEMS * sizeof(uint32_t), &shared), REAP_OK);
    CHECK_STATUS(reap_malloc_host(device, ITEMS * sizeof(uint32_t), &host), REAP_OK);
    uint32_t *x = shared;
    const uint32_t *seen = host;
    for (uint32_t i = 0; i < ITEMS; i++)
        x[i] = i;
    for (int round = 0; round < ROUNDS; round++) {
        reap_event *events[3] = {NULL};
        CHECK(reap_parallel_for(device_queue, add_one, reap_range_1d(ITEMS), .x = x,
                                .launch = {.event = &events[0]}) == REAP_OK);
        CHECK(reap_parallel_for(
                  host_queue, add_one, reap_range_1d(ITEMS), .x = x,
                  .launch = {.wait_for = events, .wait_for_count = 1, .event = &events[1]}) ==
              REAP_OK);
        const reap_launch_options options = {
            .wait_for = &events[1], .wait_for_count = 1, .event = &events[2]};
        CHECK_STATUS(reap_copy(device_queue, host, x, ITEMS * sizeof *x, &options), REAP_OK);
        CHECK_STATUS(reap_event_wait(events[2]), REAP_OK);
        for (uint32_t i = 0; i < ITEMS; i++) {
            CHECK(x[i] == i + 3 * (uint32_t)round + 2 && seen[i] == x[i]);
            x[i]++;
        }
        for (int e = 0; e < 3; e++)
            reap_event_release(events[e]);
    }
    CHECK(reap_free(shared) == REAP_OK && reap_free(host) == REAP_OK);
}

/* The program has waited for a command of the host alone, which waits for one of the device. */
static void wait_by_way_of_the_host(void)
{
    enum { ITEMS = 1000 };
    void *shared = NULL;
    uint32_t other[1] = {0};
    CHECK_STATUS(
        reap_malloc_shared(reap_queue_device(device_queue), ITEMS * sizeof(uint32_t), &shared),
        REAP_OK);
    uint32_t *x = shared;
    for (uint32_t round = 1; round <= 3; round++) {
        reap_event *events[2] = {NULL};
        uint64_t sum = 0;
        for (uint32_t i = 0; i < ITEMS; i++)
            x[i] = round;
        CHECK(reap_parallel_for(device_queue, add_up, reap_range_1d(ITEMS), .x = x,
                                .sum = {.variable = &sum},
                                .launch = {.event = &events[0]}) == REAP_OK);
        CHECK(reap_parallel_for(
                  host_queue, add_one, reap_range_1d(1), .x = other,
                  .launch = {.wait_for = events, .wait_for_count = 1, .event = &events[1]}) ==
              REAP_OK);
        CHECK_STATUS(reap_event_wait(events[1]), REAP_OK);
        CHECK(sum == (uint64_t)ITEMS * round && other[0] == round);
        reap_event_release(events[0]);
        reap_event_release(events[1]);
    }
    CHECK(reap_queue_wait(device_queue) == REAP_OK && reap_free(shared) == REAP_OK);
}

int main(void)
{
    uint64_t seed = check_seed();
    CHECK_STATUS(reap_queue_create(NULL, NULL, &device_queue), REAP_OK);
    CHECK_STATUS(reap_queue_create(find_host(), NULL, &host_queue), REAP_OK);
    is_on_host = find_host() == reap_queue_device(device_queue);
    run(check_random(&seed));
    chain();
    wait_by_way_of_the_host();
    const long alive = reap__allocations_alive();
    run(check_random(&seed));
    chain();
    wait_by_way_of_the_host();
    CHECK_EQ(reap__allocations_alive(), alive);
    reap_queue_release(device_queue);
    reap_queue_release(host_queue);
    return check_finish();
}
