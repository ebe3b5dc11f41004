/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels without reductions, without parameters, and with every kind of parameter at once, over
 * ranges that one thread and that many threads run.
 */
#include "tests/conformance/combines.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/support/memory.h"

enum { BINS = 16 };

struct arrays {
    size_t count;
    uint32_t *x;
    double *y;
    uint64_t *z;
};

struct results {
    double sum;
    uint32_t chained, peak, latest[BINS];
    uint64_t peak_at, bins[BINS];
};

static void check_no_reduction(reap_queue *queue, const struct arrays *arrays, size_t threads)
{
    size_t wrong = 0;
    CHECK_LAUNCH(reap_parallel_for(queue, no_reduction, reap_range_1d(arrays->count),
                                   .x = arrays->x, .added = 5, .y = arrays->z),
                 queue);
    for (size_t i = 0; i < arrays->count; i++)
        wrong += arrays->z[i] != (uint64_t)arrays->x[i] + 5;
    check_comparisons++;
    CHECK_EQ(wrong, 0);
    CHECK_LAUNCH(reap_parallel_for(queue, nothing_at_all, reap_range_1d(arrays->count)), queue);
    if (wrong > 0)
        fprintf(stderr, "  %zu items, %zu threads\n", arrays->count, threads);
}

static void chain_reference(void *left, const void *right, size_t bytes)
{
    uint32_t *a = left;
    const uint32_t *b = right;
    (void)bytes;
    *a = 31 * *a + *b;
}

static size_t word_values(void *context, size_t item, const void **first)
{
    *first = &((const struct arrays *)context)->x[item];
    return 1;
}

/* The sum of integers below 2^32 is exact in a double. */
static struct results expect(struct arrays *arrays)
{
    static const uint32_t seven = 7;
    static const struct reference_operator chain_operator = {
        "chain", sizeof(uint32_t), chain_reference, &seven, NULL, NULL};
    const struct reference_launch plain = {NULL, false};
    const struct reference_items items = {arrays->count, word_values, arrays};
    struct results expected = {.peak_at = UINT64_MAX};
    reference_reduce(&chain_operator, &items, &plain, &expected.chained);
    for (size_t i = 0; i < arrays->count; i++) {
        const uint32_t x = arrays->x[i];
        expected.sum += (double)x;
        expected.bins[x % BINS]++;
        if (x > expected.peak || expected.peak_at == UINT64_MAX) {
            expected.peak = x;
            expected.peak_at = i;
        }
    }
    return expected;
}

static void check_every_parameter(reap_queue *queue, struct arrays *arrays, size_t threads)
{
    const struct results expected = expect(arrays);
    const straight_line f = {2, 0.5};
    struct results results = {.peak_at = UINT64_MAX};
    size_t wrong = 0;
    for (size_t i = 0; i < arrays->count; i++)
        arrays->z[i] = 3 * i;
    CHECK_LAUNCH(reap_parallel_for(
                     queue, every_parameter, reap_range_1d(arrays->count), .x = arrays->x,
                     .y = arrays->y, .z = arrays->z, .f = f, .negated = true,
                     .sum = {.variable = &results.sum}, .chained = {.variable = &results.chained},
                     .peak = {.variable = &results.peak, .location = &results.peak_at},
                     .bins = {.variable = results.bins, .count = BINS},
                     .latest = {.variable = results.latest, .count = BINS}),
                 queue);
    for (size_t i = 0; i < arrays->count; i++)
        wrong += arrays->z[i] != 4 * i || arrays->y[i] != -(2 * (double)arrays->x[i] + 0.5);
    CHECK_EQ(wrong, 0);
    CHECK_BITS(&results.sum, &expected.sum, 8, "sum", arrays->count, threads);
    CHECK_BITS(&results.chained, &expected.chained, 4, "chained", arrays->count, threads);
    CHECK_BITS(&results.peak, &expected.peak, 4, "peak", arrays->count, threads);
    CHECK_BITS(&results.peak_at, &expected.peak_at, 8, "location", arrays->count, threads);
    CHECK_BITS(results.bins, expected.bins, sizeof results.bins, "bins", arrays->count, threads);
    for (uint32_t b = 0; b < BINS; b++)
        CHECK(expected.bins[b] == 0 || arrays->x[results.latest[b]] % BINS == b);
}

static int body(unsigned set, const void *context)
{
    static const size_t counts[] = {0, 1, 2, 3, 1000, 1024, 33000, 1000003};
    uint64_t random = *(const uint64_t *)context;
    reap_queue *queues[QUEUES];
    printf("%s\n", instruction_sets[set]);
    queues_open(queues);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        struct arrays arrays = {counts[c], test_allocate(4 * counts[c]),
                                test_allocate(8 * counts[c]), test_allocate(8 * counts[c])};
        input_fill(INPUT_BITS_32, 0, counts[c], &random, arrays.x);
        for (size_t q = 0; q < queue_count; q++) {
            check_no_reduction(queues[q], &arrays, queue_threads[q]);
            check_every_parameter(queues[q], &arrays, queue_threads[q]);
        }
        free(arrays.x);
        free(arrays.y);
        free(arrays.z);
    }
    queues_close(queues);
    return check_finish();
}

int main(void)
{
    const uint64_t random = check_seed();
    CHECK_EQ(in_each_instruction_set(body, &random), 0);
    return check_finish();
}
