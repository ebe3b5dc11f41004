/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges of one, two and three dimensions: every work-item has its ids, and a reduction has the
 * bits of the same items in a row.
 */
#include "tests/conformance/ranges.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/support/memory.h"

static void chain_reference(void *left, const void *right, size_t bytes)
{
    uint32_t *a = left;
    const uint32_t *b = right;
    (void)bytes;
    *a = 31 * *a + *b;
}

static const struct reference_operator chain_operator = {
    "chain", sizeof(uint32_t), chain_reference, NULL, NULL, NULL};

struct results {
    float sum, peak;
    double wide;
    uint32_t chained;
    uint64_t peak_at;
};

/* What an item of reduce_1d and the others combines. */
struct item_source {
    const float *x;
    union {
        double wide;
        uint32_t number;
    } value;
};

static size_t float_values(void *context, size_t item, const void **first)
{
    const struct item_source *source = context;
    *first = &source->x[item];
    return 1;
}

static size_t wide_values(void *context, size_t item, const void **first)
{
    struct item_source *source = context;
    source->value.wide = (double)source->x[item];
    *first = &source->value.wide;
    return 1;
}

static size_t number_values(void *context, size_t item, const void **first)
{
    struct item_source *source = context;
    source->value.number = (uint32_t)item;
    *first = &source->value.number;
    return 1;
}

static const struct results start = {1.5f, -INFINITY, 2.5, 99, UINT64_MAX};

static struct results expect(const float *x, size_t items)
{
    const struct reference_launch plain = {NULL, false};
    struct item_source source = {x, {0}};
    const struct reference_items floats = {items, float_values, &source};
    const struct reference_items wides = {items, wide_values, &source};
    const struct reference_items numbers = {items, number_values, &source};
    struct results expected = start;
    reference_reduce(&reference_float[REFERENCE_PLUS], &floats, &plain, &expected.sum);
    reference_reduce(&reference_double[REFERENCE_PLUS], &wides, &plain, &expected.wide);
    reference_reduce(&chain_operator, &numbers, &plain, &expected.chained);
    for (size_t i = 0; i < items; i++)
        if (x[i] > expected.peak) {
            expected.peak = x[i];
            expected.peak_at = i;
        }
    return expected;
}

static reap_status launch(reap_queue *queue, reap_range range, const float *x,
                          struct results *results)
{
#define RESULTS                                                                                    \
    .x = x, .sum = {.variable = &results->sum}, .wide = {.variable = &results->wide},              \
    .chained = {.variable = &results->chained}, .peak = {                                          \
        .variable = &results->peak,                                                                \
        .location = &results->peak_at                                                              \
    }
    if (range.dimensions == 1)
        return reap_parallel_for(queue, reduce_1d, range, RESULTS);
    if (range.dimensions == 2)
        return reap_parallel_for(queue, reduce_2d, range, RESULTS);
    return reap_parallel_for(queue, reduce_3d, range, RESULTS);
#undef RESULTS
}

static void check_reductions(reap_queue *const *queues, reap_range range, const float *x)
{
    const size_t items = range.size[0] * range.size[1] * range.size[2];
    const struct results expected = expect(x, items);
    for (size_t q = 0; q < queue_count; q++) {
        struct results results = start;
        CHECK_LAUNCH(launch(queues[q], range, x, &results), queues[q]);
        CHECK_BITS(&results.sum, &expected.sum, 4, "sum", items, queue_threads[q]);
        CHECK_BITS(&results.wide, &expected.wide, 8, "wide sum", items, queue_threads[q]);
        CHECK_BITS(&results.chained, &expected.chained, 4, "chain", items, queue_threads[q]);
        CHECK_BITS(&results.peak, &expected.peak, 4, "peak", items, queue_threads[q]);
        CHECK_BITS(&results.peak_at, &expected.peak_at, 8, "location", items, queue_threads[q]);
    }
}

static void check_sums(reap_queue *const *queues, reap_range range, const float *x)
{
    const size_t items = range.size[0] * range.size[1];
    const struct results expected = expect(x, items);
    for (size_t q = 0; q < queue_count; q++) {
        struct results results = start;
        float sum = start.sum;
        CHECK_LAUNCH(reap_parallel_for(queues[q], add_2d, range, .x = x,
                                       .sum = {.variable = &results.sum},
                                       .chained = {.variable = &results.chained}),
                     queues[q]);
        CHECK_LAUNCH(
            reap_parallel_for(queues[q], add_one_2d, range, .x = x, .sum = {.variable = &sum}),
            queues[q]);
        CHECK_BITS(&results.sum, &expected.sum, 4, "sum", items, queue_threads[q]);
        CHECK_BITS(&results.chained, &expected.chained, 4, "chain", items, queue_threads[q]);
        CHECK_BITS(&sum, &expected.sum, 4, "sum alone", items, queue_threads[q]);
    }
}

static void check_strips(reap_queue *const *queues, reap_range range, const float *x)
{
    const size_t items = range.size[0] * range.size[1];
    const double expected = expect(x, items).wide;
    for (size_t q = 0; q < queue_count; q++) {
        double s[9], t[5];
        counted all = {start.wide, 7};
        for (size_t r = 0; r < 9; r++)
            s[r] = t[r % 5] = start.wide;
        CHECK_LAUNCH(reap_parallel_for(queues[q], add_nine_2d, range, .x = x,
                                       .a = {.variable = &s[0]}, .b = {.variable = &s[1]},
                                       .c = {.variable = &s[2]}, .d = {.variable = &s[3]},
                                       .e = {.variable = &s[4]}, .f = {.variable = &s[5]},
                                       .g = {.variable = &s[6]}, .h = {.variable = &s[7]},
                                       .i = {.variable = &s[8]}),
                     queues[q]);
        CHECK_LAUNCH(reap_parallel_for(queues[q], add_five_2d, range, .x = x,
                                       .a = {.variable = &t[0]}, .b = {.variable = &t[1]},
                                       .c = {.variable = &t[2]}, .d = {.variable = &t[3]},
                                       .e = {.variable = &t[4]}),
                     queues[q]);
        CHECK_LAUNCH(reap_parallel_for(queues[q], count_2d, range, .x = x, .all = &all), queues[q]);
        for (size_t r = 0; r < 9; r++)
            CHECK_BITS(&s[r], &expected, 8, "one sum of nine", items, queue_threads[q]);
        for (size_t r = 0; r < 5; r++)
            CHECK_BITS(&t[r], &expected, 8, "one sum of five", items, queue_threads[q]);
        CHECK_BITS(&all.sum, &expected, 8, "counted sum", items, queue_threads[q]);
        CHECK_EQ(all.count, items + 7);
    }
}

static void chain_six_reference(void *left, const void *right, size_t bytes)
{
    for (size_t w = 0; w < 6; w++)
        chain_reference((uint32_t *)left + w, (const uint32_t *)right + w, bytes);
}

static const struct reference_operator chain_six_operator = {
    "chain of six", sizeof(six), chain_six_reference, NULL, NULL, NULL};

struct six_source {
    six value;
};

static size_t six_values(void *context, size_t item, const void **first)
{
    struct six_source *source = context;
    for (size_t w = 0; w < 6; w++)
        source->value.words[w] = (uint32_t)item;
    *first = &source->value;
    return 1;
}

static void check_six(reap_queue *const *queues, reap_range range, const float *x)
{
    const struct reference_launch plain = {NULL, false};
    const size_t items = range.size[0] * range.size[1];
    const struct results wanted = expect(x, items);
    struct six_source source;
    const struct reference_items numbers = {items, six_values, &source};
    const six begin = {{1, 2, 3, 4, 5, 6}};
    six expected = begin;
    reference_reduce(&chain_six_operator, &numbers, &plain, &expected);
    for (size_t q = 0; q < queue_count; q++) {
        six chained = begin;
        float sum = start.sum;
        CHECK_LAUNCH(reap_parallel_for(queues[q], chain_2d, range, .x = x,
                                       .chained = {.variable = &chained},
                                       .sum = {.variable = &sum}),
                     queues[q]);
        CHECK_BITS(&chained, &expected, sizeof chained, "chain of six", items, queue_threads[q]);
        CHECK_BITS(&sum, &wanted.sum, 4, "sum beside it", items, queue_threads[q]);
    }
}

/* More than caches hold: rows are read in another way. */
static void check_large(reap_queue *const *queues, uint64_t *random)
{
    enum { ROWS = 16800, COLUMNS = 1003, ITEMS = ROWS * COLUMNS };
    const struct reference_launch plain = {NULL, false};
    float *x = test_allocate(ITEMS * sizeof *x), expected = 1;
    struct item_source source = {x, {0}};
    const struct reference_items floats = {ITEMS, float_values, &source};
    input_fill(INPUT_FLOAT, 0, ITEMS, random, x);
    reference_reduce(&reference_float[REFERENCE_PLUS], &floats, &plain, &expected);
    for (size_t q = 0; q < queue_count; q += 2) {
        float line = 1, rows = 1;
        CHECK_LAUNCH(reap_parallel_for(queues[q], add_one_1d, reap_range_1d(ITEMS), .x = x,
                                       .sum = {.variable = &line}),
                     queues[q]);
        CHECK_LAUNCH(reap_parallel_for(queues[q], add_one_2d, reap_range_2d(ROWS, COLUMNS), .x = x,
                                       .sum = {.variable = &rows}),
                     queues[q]);
        CHECK_BITS(&line, &expected, 4, "sum of a large line", ITEMS, queue_threads[q]);
        CHECK_BITS(&rows, &expected, 4, "sum of large rows", ITEMS, queue_threads[q]);
    }
    free(x);
}

static void check_ids(reap_queue *const *queues, reap_range range)
{
    const size_t items = range.size[0] * range.size[1] * range.size[2], n = range.dimensions;
    uint64_t *ids = test_allocate(items * 2 * n * sizeof *ids);
    for (size_t q = 0; q < queue_count; q += 2) {
        size_t wrong = 0;
        memset(ids, 0xff, items * 2 * n * sizeof *ids);
        CHECK_LAUNCH(reap_parallel_for(queues[q], note_ids, range, .ids = ids, .dimensions = n),
                     queues[q]);
        for (size_t linear = 0; linear < items; linear++)
            for (size_t d = n, rest = linear; d-- > 0; rest /= range.size[d])
                wrong += ids[2 * n * linear + d] != rest % range.size[d] ||
                         ids[2 * n * linear + n + d] != range.size[d];
        check_comparisons++;
        CHECK_EQ(wrong, 0);
    }
    free(ids);
}

static void check_range(reap_queue *const *queues, reap_range range, const float *x)
{
    const unsigned long failed = check_failures;
    check_reductions(queues, range, x);
    if (range.dimensions == 2) {
        check_sums(queues, range, x);
        check_strips(queues, range, x);
        check_six(queues, range, x);
    }
    check_ids(queues, range);
    if (check_failures > failed)
        fprintf(stderr, "  range of %zu x %zu x %zu\n", range.size[0], range.size[1],
                range.size[2]);
}

/* The parser chooses the functions for a range whose text begins with its dimensions. */
static void check_texts(reap_queue *const *queues)
{
    enum { ITEMS = 12 };
    uint64_t *ids = test_allocate(2 * 2 * ITEMS * sizeof *ids);
    const bool is_short = queue_count > 0;
    for (size_t q = 0; q < queue_count; q += 2) {
        memset(ids, 0xff, 2 * 2 * ITEMS * sizeof *ids);
        CHECK_LAUNCH(reap_parallel_for(queues[q], note_ids, reap_range_1d(ITEMS), .ids = ids,
                                       .dimensions = 1),
                     queues[q]);
        CHECK_EQ(ids[2 * (ITEMS - 1)], ITEMS - 1);
        CHECK_LAUNCH(reap_parallel_for(queues[q], note_ids, reap_range_2d(3, 4), .ids = ids,
                                       .dimensions = 2),
                     queues[q]);
        CHECK_EQ(ids[4 * (ITEMS - 1)], 2);
        CHECK_EQ(ids[4 * (ITEMS - 1) + 1], 3);
        CHECK_LAUNCH(reap_parallel_for(queues[q], note_ids, (reap_range_2d(3, 4)), .ids = ids,
                                       .dimensions = 2),
                     queues[q]);
        CHECK_LAUNCH(reap_parallel_for(queues[q], note_ids,
                                       is_short ? reap_range_2d(4, 3) : reap_range_1d(ITEMS),
                                       .ids = ids, .dimensions = 2),
                     queues[q]);
        CHECK_EQ(ids[4 * (ITEMS - 1)], 3);
        CHECK_EQ(ids[4 * (ITEMS - 1) + 1], 2);
        CHECK_LAUNCH(reap_parallel_for(queues[q], note_ids,
                                       reap_range_1d(ITEMS).size[0] > 4 ? reap_range_1d(ITEMS)
                                                                        : reap_range_2d(3, 4),
                                       .ids = ids, .dimensions = 1),
                     queues[q]);
        CHECK_STATUS(reap_parallel_for(queues[q], note_ids,
                                       reap_range_1d(ITEMS).size[0] > 4 ? reap_range_2d(3, 4)
                                                                        : reap_range_1d(ITEMS),
                                       .ids = ids, .dimensions = 2),
                     REAP_ERROR_INVALID_ARGUMENT);
    }
    free(ids);
}

static int body(unsigned set, const void *context)
{
    /* Rows shorter than a vector, about as long as one, odd, as long as the lanes, and longer; some
     * end between chunks of 32 items. */
    static const size_t columns[] = {1,   2,   3,   7,    23,   24,   25,   32,   96,   100,
                                     260, 992, 999, 1000, 1023, 1024, 1025, 2048, 33000};
#ifdef REAP_TESTS_FEW_ITEMS
    static const size_t totals[] = {1, 2000, 70001};
#else
    static const size_t totals[] = {1, 2000, 70001, 150000};
#endif
    enum { LARGEST = 800000 }; /* 24 columns of 33000 are 792000 */
    uint64_t random = *(const uint64_t *)context;
    float *x = test_allocate(LARGEST * sizeof *x);
    reap_queue *queues[QUEUES];
    printf("%s\n", instruction_sets[set]);
    queues_open(queues);
    input_fill(INPUT_FLOAT, 0, LARGEST, &random, x);
    const size_t most = getenv("REAP_TESTS_MANY") != NULL ? sizeof totals / sizeof *totals : 3;
    for (size_t t = 0; t < (test_few() || test_samples() ? 2 : most); t++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            const size_t rows = totals[t] / columns[c] + 1;
            check_range(queues, reap_range_1d(rows * columns[c]), x);
            check_range(queues, reap_range_2d(rows, columns[c]), x);
            check_range(queues, reap_range_2d(columns[c], rows), x);
            check_range(queues, reap_range_3d(2, rows / 2 + 1, columns[c]), x);
            check_range(queues, reap_range_3d(rows / 3 + 1, 3, columns[c]), x);
            check_range(queues, reap_range_3d(rows / 24 + 1, columns[c], 24), x);
        }
#ifndef REAP_TESTS_FEW_ITEMS
    if (!test_few())
        check_large(queues, &random);
#endif
    check_range(queues, reap_range_2d(0, 5), x);
    check_range(queues, reap_range_2d(5, 0), x);
    check_range(queues, reap_range_3d(3, 0, 4), x);
    check_texts(queues);
    queues_close(queues);
    free(x);
    return check_finish();
}

int main(void)
{
    const uint64_t random = check_seed();
    CHECK_EQ(in_each_instruction_set(body, &random), 0);
    return check_finish();
}
