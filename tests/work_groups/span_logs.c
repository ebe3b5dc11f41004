/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions whose order matters, in kernels with work-groups: on a device the bits are those
 * of one thread of the host, also where a device has to begin again, since an item combines more
 * often than it was ready for. Arrays then hold what one run has written.
 */
#include "tests/work_groups/span_logs.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/shapes.h"

enum { MOST_LENGTH = 5000 };

/* More values than a log has room for as long as several groups share it. */
#ifdef REAP_TESTS_FEW_ITEMS
enum { CROWD = 701, MANY = 3 };
#else
enum { CROWD = 20001, MANY = 50 };
#endif

static reap_queue *host;

/* ---- Piles ------------------------------------------------------------------------------------*/

struct piles {
    const struct shape *shape;
    size_t length;
    uint32_t many;
    float *x;
};

struct pile_results {
    float sums[MOST_LENGTH];
    trace traces[MOST_LENGTH];
    uint64_t total;
    float largest;
};

static void launch_piles(reap_queue *queue, const struct reap_kernel *kernel,
                         const struct piles *piles, uint32_t *visits, struct pile_results *results)
{
    const size_t length = piles->length;
    const struct reap_arguments_pile_items arguments = {
        shape_range(piles->shape),
        .x = piles->x,
        .visits = visits,
        .many = piles->many,
        .length = length,
        .sums = {.variable = results->sums, .count = length},
        .traces = {.variable = results->traces, .count = length},
        .total = {.variable = &results->total},
        .largest = {.variable = &results->largest},
        .shared = shape_group_items(piles->shape)};
    memset(results, 0, sizeof *results);
    for (size_t i = 0; i < length; i++) {
        results->sums[i] = 0.5f;
        results->traces[i] = (trace){.hash = i};
    }
    results->total = 7;
    for (size_t i = 0; i < shape_items(piles->shape); i++)
        visits[i] = (uint32_t)i % 5;
    CHECK_LAUNCH(reap_launch(queue, kernel, &arguments), queue);
}

static void check_pile(reap_queue *const *queues, const struct reap_kernel *kernel,
                       const struct piles *piles)
{
    const size_t items = shape_items(piles->shape), bytes = items * sizeof(uint32_t);
    uint32_t *visits = test_allocate(bytes);
    struct pile_results *results = test_allocate(sizeof *results);
    struct pile_results *expected = test_allocate(sizeof *expected);
    launch_piles(host, kernel, piles, visits, expected);
    for (size_t q = 0; q < queue_count; q++) {
        launch_piles(queues[q], kernel, piles, visits, results);
        const size_t threads = queue_threads[q], length = piles->length;
        const unsigned long failed = check_failures;
        CHECK_BITS(results->sums, expected->sums, length * sizeof(float), "sums", items, threads);
        CHECK_BITS(results->traces, expected->traces, length * sizeof(trace), "traces", items,
                   threads);
        CHECK_BITS(&results->total, &expected->total, sizeof results->total, "total", items,
                   threads);
        CHECK_BITS(&results->largest, &expected->largest, sizeof(float), "largest", items, threads);
        size_t once = 0;
        for (size_t i = 0; i < items; i++)
            once += visits[i] == (uint32_t)i % 5 * 3 + 1;
        CHECK_EQ(once, items);
        if (check_failures > failed)
            shape_tell(piles->shape);
    }
    free(visits);
    free(results);
    free(expected);
}

static void check_piles(reap_queue *const *queues, const struct shape *shape, size_t length,
                        uint32_t many, uint64_t *random)
{
    const size_t items = shape_items(shape);
    const struct piles piles = {shape, length, many, test_allocate(items * sizeof(float))};
    input_fill(INPUT_FLOAT, 0, items, random, piles.x);
    check_pile(queues, &reap_kernel_pile_items, &piles);
    check_pile(queues, &reap_kernel_pile_in_phases, &piles);
    free(piles.x);
}

/* ---- Kinds ------------------------------------------------------------------------------------*/

struct kind_inputs {
    const struct shape *shape;
    size_t length;
    uint32_t *where;
    float *x;
};

struct kinds {
    float floats[MOST_LENGTH], least[MOST_LENGTH];
    double doubles[MOST_LENGTH];
    reap_half halves[MOST_LENGTH];
    uint8_t bytes[MOST_LENGTH];
    int16_t shorts[MOST_LENGTH];
    bool flags[MOST_LENGTH];
    uint64_t wide[MOST_LENGTH], appended[MOST_LENGTH];
    trace traces[MOST_LENGTH];
};

static void begin_kinds(struct kinds *kinds)
{
    memset(kinds, 0, sizeof *kinds);
    for (size_t i = 0; i < MOST_LENGTH; i++) {
        kinds->floats[i] = 0.25f;
        kinds->least[i] = 1;
        kinds->doubles[i] = 3;
        kinds->bytes[i] = 1;
        kinds->flags[i] = true;
    }
}

/* The launch gives an identity of its own, and one span starts from its operator's. */
static void launch_kinds(reap_queue *queue, const struct reap_kernel *kernel,
                         const struct kind_inputs *inputs, struct kinds *kinds)
{
    const size_t length = inputs->length;
    static const float minus_zero = -0.0f;
    const uint64_t nothing = 0;
    const struct reap_arguments_all_kinds arguments = {
        shape_range(inputs->shape),
        .where = inputs->where,
        .x = inputs->x,
        .floats = {.variable = kinds->floats, .count = length, .identity = &minus_zero},
        .doubles = {.variable = kinds->doubles,
                    .count = length,
                    .properties = REAP_INITIALIZE_TO_IDENTITY},
        .halves = {.variable = kinds->halves, .count = length},
        .least = {.variable = kinds->least, .count = length},
        .bytes = {.variable = kinds->bytes, .count = length},
        .shorts = {.variable = kinds->shorts, .count = length},
        .flags = {.variable = kinds->flags, .count = length},
        .wide = {.variable = kinds->wide, .count = length},
        .appended = {.variable = kinds->appended,
                     .count = length,
                     .identity = length % 2 == 0 ? &nothing : NULL},
        .traces = {.variable = kinds->traces, .count = length}};
    begin_kinds(kinds);
    CHECK_LAUNCH(reap_launch(queue, kernel, &arguments), queue);
}

static void check_kinds(reap_queue *const *queues, const struct reap_kernel *kernel,
                        const struct shape *shape, size_t length, uint64_t *random)
{
    const size_t items = shape_items(shape);
    const struct kind_inputs inputs = {shape, length, test_allocate(items * sizeof(uint32_t)),
                                       test_allocate(items * sizeof(float))};
    struct kinds *kinds = test_allocate(sizeof *kinds);
    struct kinds *expected = test_allocate(sizeof *expected);
    for (size_t i = 0; i < items; i++)
        inputs.where[i] = (uint32_t)(check_random(random) % length);
    input_fill(INPUT_FLOAT, 0, items, random, inputs.x);
    launch_kinds(host, kernel, &inputs, expected);
#define COMPARE(name)                                                                              \
    CHECK_BITS(kinds->name, expected->name, length * sizeof *kinds->name, #name, items,            \
               queue_threads[q])
    for (size_t q = 0; q < queue_count; q++) {
        launch_kinds(queues[q], kernel, &inputs, kinds);
        COMPARE(floats);
        COMPARE(least);
        COMPARE(doubles);
        COMPARE(halves);
        COMPARE(bytes);
        COMPARE(shorts);
        COMPARE(flags);
        COMPARE(wide);
        COMPARE(appended);
        COMPARE(traces);
    }
#undef COMPARE
    free(inputs.where);
    free(inputs.x);
    free(kinds);
    free(expected);
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
    static const struct shape solid = {3, {2, 3, 4}, {3, 2, 2}}, crowd = SHAPE_1D(CROWD, 1);
    static const struct shape row = SHAPE_1D(301, 7), plane = {2, {4, 16, 1}, {3, 5, 1}};
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    host = queue_of_the_host();
    check_piles(queues, &solid, 11, 0, &random);
    check_piles(queues, &solid, 11, 5000, &random);
    check_piles(queues, &row, 3, 20, &random);
    check_piles(queues, &plane, MOST_LENGTH, 300, &random);
    check_piles(queues, &crowd, 1000, MANY, &random);
    for (size_t length = 1; length <= MOST_LENGTH && has_doubles(); length = length * 8 + 2) {
        check_kinds(queues, &reap_kernel_all_kinds, &solid, length, &random);
        check_kinds(queues, &reap_kernel_all_kinds, &row, length, &random);
        check_kinds(queues, &reap_kernel_all_kinds_in_phases, &plane, length, &random);
    }
    queues_close(queues);
    reap_queue_release(host);
    return check_finish();
}
