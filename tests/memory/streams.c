/* SPDX-License-Identifier: Apache-2.0
 *
 * Chains of commands on unified shared memory, each on an array of its own, all mixed: copies from
 * and to the host's memory, kernels, fills, on queues of every kind. Only a queue's order, or an
 * event from one command to the next, orders a chain, whatever runs beside it. Copies are taken for
 * long ones from some bytes on, so that they are on streams of their own.
 */
#include "tests/memory/memory.kernels.h"
#include "tests/support/check_status.h"

#include "src/accelerator/runtime/streams.h"

#include <reap/reap.h>

enum { CHAINS = 6, LENGTH = 500, QUEUES = 3, STEPS = 40 };

enum kind { UPLOAD, MIX, FILL, ADD_ONE, DOWNLOAD, KINDS };

struct chain {
    reap_queue *queue;
    bool has_events; /* else its queue is in order */
    reap_event *last;
    uint32_t *array;                 /* the device's */
    uint32_t expected[LENGTH];       /* what it holds */
    uint32_t *up, *down[STEPS];      /* the host's: where copies are from, and to */
    uint32_t *results[STEPS];        /* what the latter must hold */
    size_t counts[STEPS], downloads; /* elements */
};

static uint64_t seed;
static uint32_t *others; /* the device's, which is only read */
static uint32_t other_values[LENGTH];

static size_t draw(size_t count)
{
    return check_random(&seed) % count;
}

static uint32_t *allocate(const reap_device *device, bool is_pinned)
{
    void *memory = NULL;
    if (is_pinned)
        CHECK_STATUS(reap_malloc_host(device, LENGTH * sizeof(uint32_t), &memory), REAP_OK);
    else
        memory = calloc(LENGTH, sizeof(uint32_t));
    if (memory == NULL)
        exit(1);
    return memory;
}

static void release(uint32_t *memory, bool is_pinned)
{
    if (is_pinned)
        CHECK_STATUS(reap_free(memory), REAP_OK);
    else
        free(memory);
}

/* ---- Steps ------------------------------------------------------------------------------------*/

/* Each time from other memory, which does not change before the chain's end. */
static reap_status upload(struct chain *chain, const reap_launch_options *options)
{
    const size_t at = draw(LENGTH), count = 1 + draw(LENGTH - at);
    memcpy(chain->expected + at, chain->up + at, count * sizeof *chain->up);
    return reap_copy(chain->queue, chain->array + at, chain->up + at, count * sizeof *chain->up,
                     options);
}

static reap_status download(struct chain *chain, const reap_launch_options *options, bool is_pinned)
{
    const size_t n = chain->downloads++, count = 1 + draw(LENGTH);
    chain->down[n] = allocate(reap_queue_device(chain->queue), is_pinned);
    chain->results[n] = allocate(NULL, false);
    chain->counts[n] = count;
    memcpy(chain->results[n], chain->expected, count * sizeof *chain->expected);
    return reap_copy(chain->queue, chain->down[n], chain->array, count * sizeof *chain->array,
                     options);
}

static reap_status take_step(struct chain *chain, const reap_launch_options *options,
                             bool is_pinned)
{
    const uint32_t with = (uint32_t)check_random(&seed);
    const size_t count = 1 + draw(LENGTH);
    switch ((enum kind)draw(KINDS)) {
    case UPLOAD:
        return upload(chain, options);
    case DOWNLOAD:
        return download(chain, options, is_pinned);
    case MIX:
        for (size_t i = 0; i < count; i++)
            chain->expected[i] = 31 * chain->expected[i] + other_values[i] + with;
        return reap_parallel_for(chain->queue, mix, reap_range_1d(count), .x = others,
                                 .y = chain->array, .with = with, .launch = *options);
    case FILL:
        for (size_t i = 0; i < count; i++)
            chain->expected[i] = with;
        return reap_fill(chain->queue, chain->array, &with, sizeof with, count, options);
    default:
        for (size_t i = 0; i < count; i++)
            chain->expected[i]++;
        return reap_parallel_for(chain->queue, add_one, reap_range_1d(count), .x = chain->array,
                                 .launch = *options);
    }
}

static void go_on(struct chain *chain, bool is_pinned)
{
    reap_event *event = NULL;
    reap_launch_options options = {.event = NULL};
    if (chain->has_events) {
        options.event = &event;
        options.wait_for = &chain->last;
        options.wait_for_count = chain->last != NULL;
    }
    CHECK_STATUS(take_step(chain, &options, is_pinned), REAP_OK);
    reap_event_release(chain->last);
    chain->last = event;
}

/* ---- Chains -----------------------------------------------------------------------------------*/

static void begin(struct chain *chain, reap_queue *queue, bool has_events, bool is_pinned)
{
    void *array = NULL;
    *chain = (struct chain){.queue = queue, .has_events = has_events};
    CHECK_STATUS(reap_malloc_device(reap_queue_device(queue), LENGTH * sizeof(uint32_t), &array),
                 REAP_OK);
    chain->array = array;
    chain->up = allocate(reap_queue_device(queue), is_pinned);
    for (size_t i = 0; i < LENGTH; i++)
        chain->up[i] = (uint32_t)check_random(&seed);
    reap_event *event = NULL;
    CHECK(reap_fill(queue, array, &(uint32_t){0}, sizeof(uint32_t), LENGTH,
                    &(reap_launch_options){.event = &event}) == REAP_OK);
    chain->last = event;
}

static void end(struct chain *chain, bool is_pinned)
{
    for (size_t n = 0; n < chain->downloads; n++) {
        CHECK(check_same(chain->down[n], chain->results[n], chain->counts[n] * sizeof(uint32_t)));
        release(chain->down[n], is_pinned);
        free(chain->results[n]);
    }
    reap_event_release(chain->last);
    CHECK_STATUS(reap_free(chain->array), REAP_OK);
    release(chain->up, is_pinned);
}

static void run(bool is_asynchronous, bool is_pinned)
{
    static struct chain chains[CHAINS];
    reap_queue *queues[QUEUES];
    for (size_t q = 0; q < QUEUES; q++)
        CHECK(reap_queue_create(
                  NULL,
                  &(reap_queue_options){.asynchronous = is_asynchronous, .out_of_order = q == 0},
                  &queues[q]) == REAP_OK);
    for (size_t c = 0; c < CHAINS; c++) {
        const size_t q = draw(QUEUES);
        begin(&chains[c], queues[q], q == 0, is_pinned);
    }
    for (size_t s = 0; s < CHAINS * STEPS / 2; s++) {
        struct chain *chain = &chains[draw(CHAINS)];
        if (chain->downloads < STEPS)
            go_on(chain, is_pinned);
    }
    for (size_t q = 0; q < QUEUES; q++)
        CHECK_STATUS(reap_queue_wait(queues[q]), REAP_OK);
    for (size_t c = 0; c < CHAINS; c++)
        end(&chains[c], is_pinned);
    for (size_t q = 0; q < QUEUES; q++)
        reap_queue_release(queues[q]);
}

/* A wait for a copy is a wait for what came before it, on other streams, too: variables
 * have their values, and events have ended. */
static void wait_for_copy(bool is_pinned, bool is_home, size_t bytes)
{
    const size_t size = LENGTH * sizeof(uint32_t);
    uint64_t sum = 5, expected = 5;
    void *there = NULL;
    reap_queue *queue = NULL;
    reap_event *event = NULL, *before = NULL, *after = NULL;
    reap_event_times times;
    CHECK(reap_queue_create(NULL, &(reap_queue_options){.profiling = true}, &queue) == REAP_OK);
    uint32_t *here = allocate(reap_queue_device(queue), is_pinned);
    CHECK_STATUS(reap_malloc_device(reap_queue_device(queue), size, &there), REAP_OK);
    for (size_t i = 0; i < LENGTH; i++)
        expected += other_values[i];
    CHECK(reap_fill(queue, there, &(uint32_t){3}, sizeof(uint32_t), LENGTH, NULL) == REAP_OK);
    for (int warm = 0; warm < 2; warm++) {
        sum = 5;
        CHECK(reap_parallel_for(queue, add_up, reap_range_1d(LENGTH), .x = others,
                                .sum = {.variable = &sum},
                                .launch = {.event = &before}) == REAP_OK);
        CHECK(reap_copy(queue, is_home ? (void *)here : there, is_home ? there : (void *)here,
                        bytes, &(reap_launch_options){.event = &event}) == REAP_OK);
        CHECK(reap_event_wait(event) == REAP_OK && sum == expected);
        CHECK_STATUS(reap_event_get_times(before, &times), REAP_OK);
        CHECK(reap_parallel_for(queue, add_one, reap_range_1d(LENGTH), .x = there,
                                .launch = {.event = &after}) == REAP_OK);
        CHECK_STATUS(reap_event_wait(after), REAP_OK);
        CHECK_STATUS(reap_event_get_times(event, &times), REAP_OK);
        reap_event_release(before);
        reap_event_release(event);
        reap_event_release(after);
    }
    CHECK_STATUS(reap_free(there), REAP_OK);
    reap_queue_release(queue);
    release(here, is_pinned);
}

int main(void)
{
    const reap_device *device;
    void *memory = NULL;
    seed = check_seed();
    CHECK_STATUS(reap_device_default(&device), REAP_OK);
    CHECK_STATUS(reap_malloc_device(device, sizeof other_values, &memory), REAP_OK);
    others = memory;
    for (size_t i = 0; i < LENGTH; i++)
        other_values[i] = (uint32_t)check_random(&seed);
    reap_queue *queue = NULL;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    CHECK_STATUS(reap_copy(queue, others, other_values, sizeof other_values, NULL), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    for (unsigned r = 0; r < (getenv("REAP_TESTS_FEW") != NULL ? 4 : 40); r++) {
        reap__least_async_copy_bytes = (size_t)1 << draw(12);
        run(r % 2 != 0, r % 4 > 1);
    }
    reap__least_async_copy_bytes = 1024;
    for (unsigned way = 0; way < 8; way++)
        wait_for_copy(way % 2 != 0, way / 2 % 2 != 0, way < 4 ? LENGTH * sizeof(uint32_t) : 100);
    reap_queue_release(queue);
    CHECK_STATUS(reap_free(others), REAP_OK);
    return check_finish();
}
