/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions whose order matters: bits are those of one thread of the host, for items with no
 * value, one or many; all values into one element, skewed and spread; more elements than items; in
 * one launch or in several, as if memory were short; into buffers and into plain memory. Arrays
 * hold what one run has written, and an index outside changes no variable.
 */
#include "tests/conformance/span_order.kernels.h"

#include "src/accelerator/runtime/launch.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

#include <string.h>

enum { MOST_LENGTH = 40000 };

/* Of several chunks of 2^15 items. */
static size_t many_items(void)
{
    return test_few() ? 33001 : 140001;
}

static reap_queue *host;

/* How many values items have. */
enum times { NONE, ONE, SOME, UNEVEN, KINDS_OF_TIMES };

struct input {
    size_t items, length;
    uint32_t spread;
    uint64_t faulty_item;
    uint8_t *times;
    uint32_t *visits;
};

/* In an order without padding between members. */
struct results {
    trail traces[MOST_LENGTH];
    double sums[MOST_LENGTH];
    double total;
    float products[MOST_LENGTH], rounded;
    uint32_t counts[MOST_LENGTH];
    reap_half halves[MOST_LENGTH];
    reap_bfloat16 bfloat16s[MOST_LENGTH];
};

static struct input draw_input(size_t items, size_t length, uint32_t spread, enum times times,
                               uint64_t *random)
{
    struct input input = {items,
                          length,
                          spread,
                          UINT64_MAX,
                          test_allocate(items),
                          test_allocate(items * sizeof(uint32_t))};
    for (size_t i = 0; i < items; i++) {
        const uint64_t drawn = check_random(random);
        input.times[i] = (uint8_t)(times == SOME     ? drawn % 4
                                   : times == UNEVEN ? (drawn % 5000 == 0 ? 200 : 0)
                                                     : times);
    }
    if (times == UNEVEN && items > 0)
        input.times[items / 3] = 255;
    return input;
}

static void free_input(struct input *input)
{
    free(input->times);
    free(input->visits);
}

static void begin(const struct input *input, struct results *results)
{
    memset(results, 0, sizeof *results);
    for (size_t e = 0; e < MOST_LENGTH; e++) {
        results->traces[e] = (trail){.hash = e};
        results->products[e] = e % 3 == 0 ? -0.0f : 1.5f;
        results->sums[e] = 0.25;
        results->halves[e] = reap_half_from_float(0.5f);
        results->bfloat16s[e] = reap_bfloat16_from_float(0.75f);
    }
    for (size_t i = 0; i < input->items; i++)
        input->visits[i] = (uint32_t)i % 5;
}

static reap_status launch_range(reap_queue *queue, const struct input *input,
                                struct results *results)
{
    const size_t length = input->length;
    return reap_parallel_for(
        queue, trails, reap_range_1d(input->items), .times = input->times, .spread = input->spread,
        .length = length, .faulty_item = input->faulty_item, .visits = input->visits,
        .traces = {.variable = results->traces, .count = length},
        .products = {.variable = results->products, .count = length},
        .sums = {.variable = results->sums, .count = length},
        .counts = {.variable = results->counts, .count = length},
        .total = {.variable = &results->total}, .rounded = {.variable = &results->rounded});
}

/* Groups of 7, of which chunks are not multiples. */
static reap_status launch_groups(reap_queue *queue, const struct input *input,
                                 struct results *results)
{
    const size_t length = input->length;
    return reap_parallel_for(queue, trails_of_groups, reap_nd_range_1d(input->items / 7 * 7, 7),
                             .times = input->times, .spread = input->spread, .length = length,
                             .visits = input->visits,
                             .traces = {.variable = results->traces, .count = length},
                             .halves = {.variable = results->halves, .count = length},
                             .bfloat16s = {.variable = results->bfloat16s, .count = length},
                             .total = {.variable = &results->total});
}

typedef reap_status launch_function(reap_queue *queue, const struct input *input,
                                    struct results *results);

static void check_once(const struct input *input, size_t items)
{
    size_t once = 0;
    for (size_t i = 0; i < items; i++)
        once += input->visits[i] == (uint32_t)i % 5 * 3 + 1;
    CHECK_EQ(once, items);
}

static void check_results(const struct results *results, const struct results *expected,
                          const struct input *input, size_t threads)
{
    const size_t length = input->length, items = input->items;
    const unsigned long failed = check_failures;
    CHECK_BITS(results->traces, expected->traces, length * sizeof(trail), "traces", items, threads);
    CHECK_BITS(results->products, expected->products, length * sizeof(float), "products", items,
               threads);
    CHECK_BITS(results->sums, expected->sums, length * sizeof(double), "sums", items, threads);
    CHECK_BITS(results->counts, expected->counts, length * sizeof(uint32_t), "counts", items,
               threads);
    CHECK_BITS(results->halves, expected->halves, length * sizeof(reap_half), "halves", items,
               threads);
    CHECK_BITS(results->bfloat16s, expected->bfloat16s, length * sizeof(reap_bfloat16), "bfloat16s",
               items, threads);
    CHECK_BITS(&results->rounded, &expected->rounded, sizeof(float), "rounded", items, threads);
    CHECK_BITS(&results->total, &expected->total, sizeof(double), "total", items, threads);
    if (check_failures > failed && check_failures < 20)
        fprintf(stderr, "  %zu elements, spread %u, at most %zu bytes\n", length,
                (unsigned)input->spread, reap__most_log_bytes);
}

static void check_launch_of(launch_function *launch, reap_queue *const *queues, size_t group,
                            const struct input *input)
{
    static struct results results, expected;
    const size_t items = input->items / group * group;
    begin(input, &expected);
    CHECK_LAUNCH(launch(host, input, &expected), host);
    for (size_t q = 0; q < queue_count; q++) {
        begin(input, &results);
        CHECK_LAUNCH(launch(queues[q], input, &results), queues[q]);
        check_once(input, items);
        check_results(&results, &expected, input, queue_threads[q]);
    }
}

static void check_times(reap_queue *const *queues, size_t items, size_t length, uint32_t spread,
                        uint64_t *random)
{
    for (enum times times = NONE; times < KINDS_OF_TIMES; times++) {
        if (test_few() && times != (items + spread) % KINDS_OF_TIMES)
            continue;
        struct input input = draw_input(items, length, spread, times, random);
        check_launch_of(launch_range, queues, 1, &input);
        check_launch_of(launch_groups, queues, 7, &input);
        free_input(&input);
    }
}

/* Of many chunks, each has a launch of its own. */
static void check_short_memory(reap_queue *const *queues, uint64_t *random)
{
    for (size_t most = 1; most <= 3000000; most = most * 2000000) {
        reap__most_log_bytes = most;
        for (enum times times = SOME; times < KINDS_OF_TIMES; times++) {
            if (test_few() && (most > 1 || times == SOME))
                continue;
            struct input input = draw_input(many_items(), 300, 2, times, random);
            if (!test_draws_large()) /* then groups alone, whose launches are split as well */
                check_launch_of(launch_range, queues, 1, &input);
            check_launch_of(launch_groups, queues, 7, &input);
            free_input(&input);
        }
    }
    reap__most_log_bytes = SIZE_MAX;
}

static void check_outside(reap_queue *const *queues, uint64_t *random)
{
    reap_queue *const queue = queues[0];
    static struct results results, before;
    struct input input = draw_input(1000, 10, 2, SOME, random);
    input.faulty_item = 400;
    input.times[400] = 2;
    begin(&input, &results);
    memcpy(&before, &results, sizeof before);
    const reap_status launched = launch_range(queue, &input, &results);
    CHECK(launched == REAP_ERROR_INDEX_OUT_OF_RANGE || launched == REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_HAS(reap_last_error(), "counts");
    CHECK(memcmp(&before, &results, sizeof before) == 0);
    input.faulty_item = UINT64_MAX;
    check_launch_of(launch_range, queues, 1, &input);
    free_input(&input);
}

/* Into buffers, launch after launch; some with an identity, some set elements to it. */
static void check_kept(reap_queue *queue)
{
    enum { COUNT = 50, ITEMS = 1000 };
    static const uint64_t nothing = 0;
    uint64_t words[COUNT] = {0};
    reap_half largest[COUNT] = {{0}};
    reap_bfloat16 smallest[COUNT] = {{0}};
    reap_buffer *kept_words, *kept_largest, *kept_smallest;
    if (!CHECK_STATUS(reap_buffer_create(sizeof words, &kept_words), REAP_OK) ||
        !CHECK_STATUS(reap_buffer_create(sizeof largest, &kept_largest), REAP_OK) ||
        !CHECK_STATUS(reap_buffer_create(sizeof smallest, &kept_smallest), REAP_OK))
        exit(check_finish());
    CHECK_STATUS(reap_fill(queue, reap_buffer_data(kept_words), "", 1, sizeof words, NULL),
                 REAP_OK);
    CHECK_STATUS(reap_fill(queue, reap_buffer_data(kept_largest), "", 1, sizeof largest, NULL),
                 REAP_OK);
    CHECK_STATUS(reap_fill(queue, reap_buffer_data(kept_smallest), "", 1, sizeof smallest, NULL),
                 REAP_OK);
    for (unsigned n = 0; n < 6; n++) {
        const unsigned properties = n == 3 ? REAP_INITIALIZE_TO_IDENTITY : 0;
        const size_t items = n == 4 ? 20 : ITEMS; /* then most elements have no value */
        const void *identity = n % 2 == 0 ? NULL : &nothing;
        const reap_range range = reap_range_1d(items);
        CHECK_LAUNCH(
            reap_parallel_for(
                host, words_in_order, range, .length = COUNT,
                .words = {.variable = words,
                          .count = COUNT,
                          .identity = identity,
                          .properties = properties},
                .largest = {.variable = largest, .count = COUNT, .properties = properties},
                .smallest = {.variable = smallest, .count = COUNT, .properties = properties}),
            host);
        CHECK_STATUS(reap_parallel_for(queue, words_in_order, range, .length = COUNT,
                                       .words = {.variable = reap_buffer_data(kept_words),
                                                 .count = COUNT,
                                                 .identity = identity,
                                                 .properties = properties},
                                       .largest = {.variable = reap_buffer_data(kept_largest),
                                                   .count = COUNT,
                                                   .properties = properties},
                                       .smallest = {.variable = reap_buffer_data(kept_smallest),
                                                    .count = COUNT,
                                                    .properties = properties}),
                     REAP_OK);
    }
    void *data;
    CHECK_STATUS(reap_host_access_begin(kept_words, REAP_READ, &data), REAP_OK);
    CHECK_BITS(data, words, sizeof words, "words", ITEMS, 1);
    CHECK_STATUS(reap_host_access_end(kept_words), REAP_OK);
    CHECK_STATUS(reap_host_access_begin(kept_largest, REAP_READ, &data), REAP_OK);
    CHECK_BITS(data, largest, sizeof largest, "largest", ITEMS, 1);
    CHECK_STATUS(reap_host_access_end(kept_largest), REAP_OK);
    CHECK_STATUS(reap_host_access_begin(kept_smallest, REAP_READ, &data), REAP_OK);
    CHECK_BITS(data, smallest, sizeof smallest, "smallest", ITEMS, 1);
    CHECK_STATUS(reap_host_access_end(kept_smallest), REAP_OK);
    reap_buffer_release(kept_words);
    reap_buffer_release(kept_largest);
    reap_buffer_release(kept_smallest);
}

static bool has_doubles(void)
{
    const reap_device *device;
    reap_device_info info;
    CHECK_STATUS(reap_device_default(&device), REAP_OK);
    CHECK_STATUS(reap_device_get_info(device, &info), REAP_OK);
    return strstr(info.limits, "double") == NULL;
}

int main(void)
{
    const struct {
        size_t items, length;
    } cases[] = {{0, 3},
                 {1, 1},
                 {100, MOST_LENGTH},
                 {5000, 1},
                 {many_items(), 300},
                 {many_items(), MOST_LENGTH}};
    const size_t count = test_few() ? 5 : 6;
    uint64_t random = check_seed();
    const uint32_t drawn = (uint32_t)(check_random(&random) % 3);
    reap_queue *queues[QUEUES];
    queues_open(queues);
    host = queue_of_the_host();
    if (has_doubles()) {
        for (size_t c = 0; c < count; c++)
            for (uint32_t spread = 0; spread < 3; spread++)
                if (spread == drawn || cases[c].items < many_items() || !test_draws_large())
                    check_times(queues, cases[c].items, cases[c].length, spread, &random);
        check_short_memory(queues, &random);
        check_outside(queues, &random);
    }
    check_kept(queues[0]);
    queues_close(queues);
    reap_queue_release(host);
    return check_finish();
}
