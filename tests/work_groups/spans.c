/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions in nd_ranges. Integers are compared with a serial loop. Sums of floats have the
 * same bits for any number of threads and in each instruction set; with groups whose size is a
 * power of two in one dimension, those of the items in a range without groups.
 */
#include "tests/work_groups/narrow_spans.kernels.h"
#include "tests/work_groups/spans.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/support/memory.h"
#include "tests/work_groups/shapes.h"

enum { MOST_BINS = 40000, UNTOUCHED = 7 };

/* The inputs, and what becomes of the spans. */
struct data {
    const struct shape *shape;
    size_t bins;
    uint32_t *where;
    float *x;
};

static reap_queue *host;

struct results {
    uint32_t bins[MOST_BINS], latest[MOST_BINS];
    float sums[MOST_BINS];
    uint64_t items;
};

static void begin(struct results *results)
{
    for (size_t b = 0; b < MOST_BINS; b++) {
        results->bins[b] = UNTOUCHED;
        results->latest[b] = 0;
        results->sums[b] = 0.25f;
    }
    results->items = UNTOUCHED;
}

static void expect_integers(const struct data *data, struct results *expected)
{
    const size_t size = shape_group_items(data->shape), groups = shape_groups(data->shape);
    begin(expected);
    for (size_t group = 0; group < groups; group++)
        for (size_t l = 0; l < size; l++) {
            const size_t i = shape_item(data->shape, group, l);
            const uint32_t theirs = data->where[shape_item(data->shape, group, (l + 1) % size)];
            expected->bins[data->where[i]]++;
            expected->bins[theirs] += 100;
            if (expected->latest[theirs] < i)
                expected->latest[theirs] = (uint32_t)i;
        }
    expected->items = UNTOUCHED + size * groups;
}

static size_t hits(void *context, size_t item, const size_t **index, const void **first)
{
    static size_t at;
    const struct data *data = context;
    at = data->where[item];
    *index = &at;
    *first = &data->x[item];
    return 1;
}

/* docs/spans.md, for the items as they come in a range. */
static void expect_sums(struct data *data, struct results *expected)
{
    const struct reference_launch plain = {NULL, false};
    const struct reference_hits items = {shape_items(data->shape), hits, data};
    reference_reduce_span(&reference_float[REFERENCE_PLUS], &items, &plain, data->bins,
                          expected->sums, data->bins);
}

static bool is_power_of_two(size_t number)
{
    return (number & (number - 1)) == 0;
}

static void launch(reap_queue *queue, const struct reap_kernel *kernel, const struct data *data,
                   struct results *results)
{
    const struct reap_arguments_spread_items arguments = {
        shape_range(data->shape),
        .where = data->where,
        .x = data->x,
        .bins = {.variable = results->bins, .count = data->bins},
        .sums = {.variable = results->sums, .count = data->bins},
        .latest = {.variable = results->latest, .count = data->bins},
        .items = {.variable = &results->items},
        .shared = shape_group_items(data->shape)};
    begin(results);
    CHECK_LAUNCH(reap_launch(queue, kernel, &arguments), queue);
}

static void compare(const struct data *data, const struct results *results,
                    const struct results *expected, size_t threads)
{
    const size_t items = shape_items(data->shape), bytes = data->bins * sizeof(uint32_t);
    const unsigned long failed = check_failures;
    CHECK_BITS(results->bins, expected->bins, bytes, "bins", items, threads);
    CHECK_BITS(results->latest, expected->latest, bytes, "latest", items, threads);
    CHECK_BITS(results->sums, expected->sums, bytes, "sums", items, threads);
    CHECK_BITS(&results->items, &expected->items, sizeof(uint64_t), "items", items, threads);
    if (check_failures > failed) {
        fprintf(stderr, "  %zu bins\n", data->bins);
        shape_tell(data->shape);
    }
}

/* What no rule says of the sums is what one thread of the host has found. */
static void check_kernel(reap_queue *const *queues, const struct reap_kernel *kernel,
                         struct data *data, bool has_rule)
{
    struct results *results = test_allocate(sizeof *results);
    struct results *expected = test_allocate(sizeof *expected);
    expect_integers(data, expected);
    if (has_rule) {
        expect_sums(data, expected);
    } else {
        launch(host, kernel, data, results);
        memcpy(expected->sums, results->sums, sizeof expected->sums);
    }
    for (size_t q = 0; q < queue_count; q++) {
        launch(queues[q], kernel, data, results);
        compare(data, results, expected, queue_threads[q]);
    }
    free(results);
    free(expected);
}

static void check_counts(reap_queue *const *queues, const struct data *data)
{
    const size_t bytes = MOST_BINS * sizeof(uint32_t), items = shape_items(data->shape);
    uint32_t *bins = test_allocate(bytes), *expected = test_allocate(bytes);
    for (size_t i = 0; i < items; i++)
        expected[data->where[i]]++;
    for (size_t q = 0; q < queue_count; q++) {
        memset(bins, 0, bytes);
        CHECK_LAUNCH(reap_parallel_for(queues[q], count_in_phase, shape_range(data->shape),
                                       .where = data->where,
                                       .bins = {.variable = bins, .count = data->bins}),
                     queues[q]);
        CHECK_BITS(bins, expected, bytes, "counts", items, queue_threads[q]);
    }
    free(bins);
    free(expected);
}

static void check_odd_items(reap_queue *const *queues, const struct data *data)
{
    const size_t bytes = MOST_BINS * sizeof(uint32_t), size = shape_group_items(data->shape);
    const size_t groups = (shape_groups(data->shape) + 1) / 2, items = groups * size;
    uint32_t *bins = test_allocate(bytes), *expected = test_allocate(bytes);
    for (size_t group = 0; group < groups; group++)
        for (size_t l = 1; l < size; l += 2)
            expected[data->where[shape_item(data->shape, group, l)]]++;
    for (size_t q = 0; q < queue_count; q++) {
        memset(bins, 0, bytes);
        CHECK_LAUNCH(reap_parallel_for(queues[q], count_odd_items, shape_range(data->shape),
                                       .where = data->where, .groups = (uint32_t)groups,
                                       .bins = {.variable = bins, .count = data->bins}),
                     queues[q]);
        CHECK_BITS(bins, expected, bytes, "odd items", items, queue_threads[q]);
    }
    free(bins);
    free(expected);
}

struct narrow {
    uint8_t sums[MOST_BINS];
    int16_t products[MOST_BINS];
    int8_t least[MOST_BINS];
    uint16_t most[MOST_BINS];
    bool parities[MOST_BINS], all[MOST_BINS];
    reap_half lowest[MOST_BINS];
    reap_bfloat16 highest[MOST_BINS];
};

static void begin_narrow(struct narrow *narrow)
{
    memset(narrow, 0, sizeof *narrow);
    for (size_t b = 0; b < MOST_BINS; b++) {
        narrow->products[b] = UNTOUCHED;
        narrow->all[b] = true;
    }
}

static void expect_narrow(const struct data *data, struct narrow *expected)
{
    const size_t size = shape_group_items(data->shape), groups = shape_groups(data->shape);
    begin_narrow(expected);
    for (size_t item = 0; item < size * groups; item++) {
        const size_t group = item / size, l = item % size;
        const uint32_t first = data->where[shape_item(data->shape, group, l - l % 32)];
        const uint32_t b = data->where[shape_item(data->shape, group, l)], v = b * 40503u + first;
        const float x = (float)(v % 256) - 100.0f;
        expected->sums[b] = (uint8_t)(expected->sums[b] + v);
        expected->products[b] = (int16_t)((uint32_t)expected->products[b] * (v | 1));
        if ((int8_t)v < expected->least[b])
            expected->least[b] = (int8_t)v;
        if ((uint16_t)(v >> 2) > expected->most[b])
            expected->most[b] = (uint16_t)(v >> 2);
        expected->parities[b] ^= v % 2 == 1;
        expected->all[b] &= v % 16 != 3;
        if (x < reap_half_to_float(expected->lowest[b]))
            expected->lowest[b] = reap_half_from_float(x);
        if (x > reap_bfloat16_to_float(expected->highest[b]))
            expected->highest[b] = reap_bfloat16_from_float(x);
    }
}

static void check_narrow(reap_queue *const *queues, const struct data *data)
{
    const size_t items = shape_items(data->shape);
    struct narrow *narrow = test_allocate(sizeof *narrow);
    struct narrow *expected = test_allocate(sizeof *expected);
    expect_narrow(data, expected);
    for (size_t q = 0; q < queue_count; q++) {
        begin_narrow(narrow);
        CHECK_LAUNCH(reap_parallel_for(
                         queues[q], spread_narrow, shape_range(data->shape), .where = data->where,
                         .sums = {.variable = narrow->sums, .count = data->bins},
                         .products = {.variable = narrow->products, .count = data->bins},
                         .least = {.variable = narrow->least, .count = data->bins},
                         .most = {.variable = narrow->most, .count = data->bins},
                         .parities = {.variable = narrow->parities, .count = data->bins},
                         .all = {.variable = narrow->all, .count = data->bins},
                         .lowest = {.variable = narrow->lowest, .count = data->bins},
                         .highest = {.variable = narrow->highest, .count = data->bins}),
                     queues[q]);
        CHECK_BITS(narrow, expected, sizeof *narrow, "narrow", items, queue_threads[q]);
    }
    free(narrow);
    free(expected);
}

static void check_shape(reap_queue *const *queues, const struct shape *shape, size_t bins,
                        uint64_t *random)
{
    const size_t items = shape_items(shape);
    struct data data = {shape, bins, test_allocate(items * sizeof(uint32_t)),
                        test_allocate(items * sizeof(float))};
    const bool has_rule = shape->dimensions == 1 && is_power_of_two(shape->group[0]);
    input_fill(INPUT_FLOAT, 0, items, random, data.x);
    for (size_t i = 0; i < items; i++)
        data.where[i] = (uint32_t)(check_random(random) % bins);
    check_kernel(queues, &reap_kernel_spread_items, &data, has_rule);
    check_kernel(queues, &reap_kernel_spread_in_phases, &data, false);
    check_counts(queues, &data);
    check_odd_items(queues, &data);
    check_narrow(queues, &data);
    free(data.where);
    free(data.x);
}

/* An index outside a span. */
static void check_outside(reap_queue *queue)
{
    static const struct shape shape = SHAPE_1D(50, 7);
    uint32_t where[350] = {0}, bins[3] = {1, 2, 3};
    static const uint32_t kept[3] = {1, 2, 3};
    TEST_SHARE(where);
    where[200] = 3;
    const reap_status launched =
        reap_parallel_for(queue, count_in_phase, shape_range(&shape), .where = where,
                          .bins = {.variable = bins, .count = 3});
    CHECK(launched == REAP_ERROR_INDEX_OUT_OF_RANGE || (launched == REAP_OK && test_on_device()));
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK(strstr(reap_last_error(), "count_in_phase") && strstr(reap_last_error(), "bins"));
    CHECK(memcmp(bins, kept, sizeof bins) == 0);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
}

static int body(unsigned set, const void *context)
{
#ifdef REAP_TESTS_FEW_ITEMS
    static const struct shape large[] = {SHAPE_1D(20, 100), SHAPE_1D(20, 64)};
#else
    static const struct shape large[] = {SHAPE_1D(300, 1000), SHAPE_1D(300, 512)};
#endif
    static const size_t bins[] = {1, 2, 5, 300, MOST_BINS};
    uint64_t random = *(const uint64_t *)context;
    reap_queue *queues[QUEUES];
    printf("%s\n", instruction_sets[set]);
    queues_open(queues);
    host = queue_of_the_host();
    const size_t drawn = check_random(&random) % 3;
    for (size_t s = 0; (s = shape_next(s)) < SHAPES; s++)
        if (s % 3 == drawn || shape_items(&shapes[s]) < 1000 || !test_draws_large())
            check_shape(queues, &shapes[s], bins[s % 5], &random);
    for (size_t s = 0; s < sizeof large / sizeof *large; s++) {
        struct shape shape = large[s];
        if (test_draws_large())
            shape.groups[0] /= 15;
        check_shape(queues, &shape, 3, &random);
        check_shape(queues, &shape, MOST_BINS, &random);
    }
    const bool takes_first = check_random(&random) % 2 == 0;
    if (takes_first || !test_samples())
        check_shape(queues, &crowds[0], 300, &random);
    if (!takes_first || !test_samples())
        check_shape(queues, &crowds[3], 5, &random);
    check_outside(queues[0]);
    check_outside(queues[3]);
    queues_close(queues);
    reap_queue_release(host);
    return check_finish();
}

int main(void)
{
    const uint64_t random = check_seed();
    CHECK_EQ(in_each_instruction_set(body, &random), 0);
    return check_finish();
}
