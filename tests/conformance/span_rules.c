/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of array reductions apart from their order: what is left alone, the property and the
 * launch's identity, and an index outside the span, which fails the command and changes no
 * variable.
 */
#include "tests/conformance/spans.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

#include <math.h>

enum { LENGTH = 5 };

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* An element without combined values keeps its bits, including a zero's sign and a NaN's payload.
 */
static void check_left_alone(reap_queue *queue)
{
    static const uint32_t kept[LENGTH] = {0x80000000, 0x7fc01234, 0xffffffff, 0x7fa00001, 1};
    static const uint32_t at[2] = {NOWHERE, 4};
    static const float x[2] = {1.0f, 1.0f};
    TEST_SHARE(at);
    TEST_SHARE(x);
    for (size_t items = 1; items <= 2; items++) {
        float sums[LENGTH], middles[LENGTH];
        int products[LENGTH] = {1, 2, 3, 4, 5};
        memcpy(sums, kept, sizeof sums);
        memcpy(middles, kept, sizeof middles);
        CHECK_LAUNCH(reap_parallel_for(queue, ruled_spans, reap_range_1d(items), .at = at, .x = x,
                                       .sums = {.variable = sums, .count = LENGTH},
                                       .products = {.variable = products, .count = LENGTH},
                                       .middles = {.variable = middles, .count = LENGTH}),
                     queue);
        for (size_t i = 0; i < 4; i++) {
            CHECK_EQ(bits_of(sums[i]), kept[i]);
            CHECK_EQ(bits_of(middles[i]), kept[i]);
            CHECK_EQ(products[i], (int)i + 1);
        }
        CHECK_EQ(products[4], (items == 1 ? 5 : 15));
        CHECK_EQ(sums[4], (items == 1 ? 0x1p-149f : 1.0f));
    }
}

/* A sum of negative zeros stays one: it starts from none. */
static void check_minus_zero(reap_queue *queue)
{
    static const uint32_t at[] = {0, 1, 1, 0};
    static const float x[] = {-0.0f, -0.0f, 0.0f, -0.0f};
    TEST_SHARE(at);
    TEST_SHARE(x);
    float sums[2] = {-0.0f, -0.0f}, middles[2] = {0, 0};
    int products[2] = {1, 1};
    CHECK_LAUNCH(reap_parallel_for(queue, ruled_spans, reap_range_1d(4), .at = at, .x = x,
                                   .sums = {.variable = sums, .count = 2},
                                   .products = {.variable = products, .count = 2},
                                   .middles = {.variable = middles, .count = 2}),
                 queue);
    CHECK_EQ(bits_of(sums[0]), 0x80000000);
    CHECK_EQ(bits_of(sums[1]), 0);
}

static void check_nans_in(reap_queue *queue, float *least, reap_half *most)
{
    static const float x[4] = {1, 2, 3, NAN};
    static const uint32_t expected[4] = {0xffc12345, 0x7fc00000, 0xffc12345, 0xffc12345};
    TEST_SHARE(x);
    for (size_t i = 0; i < 4; i++) {
        memcpy(&least[i], &expected[0], sizeof(float));
        most[i].bits = 0xfe12;
    }
    CHECK_LAUNCH(reap_parallel_for(queue, odd_extremes, reap_range_1d(4), .x = x,
                                   .least = {.variable = least, .count = 4},
                                   .most = {.variable = most, .count = 4}),
                 queue);
    for (size_t i = 0; i < 4; i++) {
        CHECK_EQ(bits_of(least[i]), expected[i]);
        CHECK_EQ(most[i].bits, i == 1 ? 0x7e00 : 0xfe12);
    }
}

/* A NaN becomes the canonical one if numbers are combined with it, also in the device's memory;
 * else it keeps its payload. */
static void check_nans(reap_queue *queue)
{
    float least[4];
    reap_half most[4];
    void *shared[2];
    check_nans_in(queue, least, most);
    for (size_t i = 0; i < 2; i++)
        CHECK_STATUS(reap_malloc_shared(reap_queue_device(queue), sizeof least, &shared[i]),
                     REAP_OK);
    check_nans_in(queue, shared[0], shared[1]);
    for (size_t i = 0; i < 2; i++)
        CHECK_STATUS(reap_free(shared[i]), REAP_OK);
}

static void check_properties(reap_queue *queue)
{
    static const uint32_t at[] = {0, 2, 2, NOWHERE};
    static const float x[] = {1, 2, 4, 8}, first_middle = 16;
    static const int unit = 1;
    float sums[3] = {5, 6, 7}, middles[3] = {1, 2, 3};
    int products[3] = {5, 6, 7};
    TEST_SHARE(at);
    TEST_SHARE(x);
    CHECK_LAUNCH(
        reap_parallel_for(
            queue, ruled_spans, reap_range_2d(2, 2), .at = at, .x = x,
            .sums = {.variable = sums, .count = 3, .properties = REAP_INITIALIZE_TO_IDENTITY},
            .products = {.variable = products,
                         .count = 3,
                         .identity = &unit,
                         .properties = REAP_INITIALIZE_TO_IDENTITY},
            .middles = {.variable = middles,
                        .count = 3,
                        .identity = &first_middle,
                        .properties = REAP_INITIALIZE_TO_IDENTITY}),
        queue);
    CHECK(sums[0] == 1 && sums[1] == 0 && sums[2] == 6);
    CHECK(products[0] == 3 && products[1] == 1 && products[2] == 9);
    CHECK_EQ(middles[1], 16);

    /* An empty range sets the elements too. */
    CHECK_LAUNCH(
        reap_parallel_for(
            queue, ruled_spans, reap_range_1d(0), .at = at, .x = x,
            .sums = {.variable = sums, .count = 3, .properties = REAP_INITIALIZE_TO_IDENTITY},
            .products = {.variable = products, .count = 3},
            .middles = {.variable = middles, .count = 3}),
        queue);
    CHECK(sums[0] == 0 && sums[1] == 0 && sums[2] == 0);
    CHECK(products[0] == 3 && products[1] == 1 && products[2] == 9);

    CHECK(reap_parallel_for(queue, ruled_spans, reap_range_1d(4), .at = at, .x = x,
                            .sums = {.variable = sums, .count = 3},
                            .products = {.variable = products, .count = 3},
                            .middles = {.variable = middles,
                                        .count = 3,
                                        .properties = REAP_INITIALIZE_TO_IDENTITY}) ==
          REAP_ERROR_INVALID_ARGUMENT);
    CHECK(sums[0] == 0 && products[0] == 3 && middles[1] == 16);
}

/* A launch with one index outside: of which item, of how many, and which index. */
static void check_outside(reap_queue *queue, size_t items, uint64_t item, size_t index)
{
    enum { BINS = 300 };
    uint32_t counts[BINS], *at = test_allocate(items * sizeof *at);
    float middle = 3, middles[BINS];
    uint64_t total = 77, wrong = 0;
    char number[32];
    snprintf(number, sizeof number, "index %td ", (ptrdiff_t)index); /* SIZE_MAX was -1 */
    for (size_t i = 0; i < items; i++)
        at[i] = (uint32_t)(i * 7 % BINS);
    for (uint32_t i = 0; i < BINS; i++) {
        counts[i] = i;
        middles[i] = (float)i;
    }
    const reap_status launched = reap_parallel_for(
        queue, outside, reap_range_1d(items), .at = at, .faulty_item = item, .faulty_index = index,
        .counts = {.variable = counts, .count = BINS}, .total = {.variable = &total},
        .middle = {.variable = &middle}, .middles = {.variable = middles, .count = BINS});
    CHECK(launched == REAP_ERROR_INDEX_OUT_OF_RANGE || (launched == REAP_OK && test_on_device()));
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_HAS(reap_last_error(), "outside");
    CHECK_HAS(reap_last_error(), "counts");
    CHECK_HAS(reap_last_error(), number);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    for (uint32_t i = 0; i < BINS; i++)
        wrong += counts[i] != i || middles[i] != (float)i;
    CHECK(wrong == 0 && total == 77 && middle == 3);

    /* The queue and its memory stay usable. */
    CHECK_LAUNCH(reap_parallel_for(queue, outside, reap_range_1d(items), .at = at,
                                   .faulty_item = UINT64_MAX,
                                   .counts = {.variable = counts, .count = BINS},
                                   .total = {.variable = &total}, .middle = {.variable = &middle},
                                   .middles = {.variable = middles, .count = BINS}),
                 queue);
    for (uint32_t i = 0; i < BINS; i++)
        wrong += counts[i] - i != items / BINS && counts[i] - i != items / BINS + 1;
    CHECK(wrong == 0 && total == 77 + items);
    free(at);
}

/* Spans of no elements: all of them, or one beside others. Items that combine nothing into them
 * leave what is in their place alone; any index is outside. */
static void check_empty_spans(reap_queue *queue, size_t items, unsigned empty, unsigned properties)
{
    const size_t counts[3] = {(empty & 1) != 0 ? 0 : 2, (empty & 2) != 0 ? 0 : 2,
                              (empty & 4) != 0 ? 0 : 2};
    float sums[2] = {5, 6}, middles[2] = {7, 8};
    int products[2] = {9, 10};
    uint32_t *at = test_allocate(items * sizeof *at);
    float *x = test_allocate(items * sizeof *x);
    const float kept[5] = {5, 7, 9, 6, 8};
    for (size_t i = 0; i < items; i++) {
        at[i] = NOWHERE;
        x[i] = 1;
    }
    for (int is_hit = 0; is_hit < 2; is_hit++) {
        at[items / 2] = is_hit ? 0 : NOWHERE;
        const reap_status launched =
            reap_parallel_for(queue, ruled_spans, reap_range_1d(items), .at = at, .x = x,
                              .sums = {.variable = sums,
                                       .count = counts[0],
                                       .properties = counts[0] == 0 ? properties : 0},
                              .products = {.variable = products, .count = counts[1]},
                              .middles = {.variable = middles, .count = counts[2]});
        if (!is_hit) {
            CHECK_LAUNCH(launched, queue);
        } else {
            CHECK(launched == REAP_ERROR_INDEX_OUT_OF_RANGE ||
                  (launched == REAP_OK && test_on_device()));
            CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
            CHECK_HAS(reap_last_error(), "index 0 ");
            CHECK_HAS(reap_last_error(), "which has 0 elements: .count is 0, or missing");
        }
        CHECK(sums[0] == kept[0] && middles[0] == kept[1] && products[0] == (int)kept[2]);
        CHECK(sums[1] == kept[3] && middles[1] == kept[4] && products[1] == 10);
    }
    free(at);
    free(x);
}

/* The only span, of integers, in memory of the program alone. */
static void check_one_empty_span(reap_queue *queue, size_t items)
{
    uint32_t kept = 7;
    uint32_t *at = test_allocate(items * sizeof *at);
    memset(at, 0, items * sizeof *at);
    const reap_status launched = reap_parallel_for(queue, count_at, reap_range_1d(items), .at = at,
                                                   .counts = {.result = &kept, .count = 0});
    CHECK(launched == REAP_ERROR_INDEX_OUT_OF_RANGE || (launched == REAP_OK && test_on_device()));
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_HAS(reap_last_error(), "which has 0 elements: .count is 0, or missing");
    CHECK_EQ(kept, 7);
    free(at);
}

static void check_event(reap_queue *queue)
{
    static const uint32_t at[] = {0};
    uint32_t counts[1] = {0};
    float middle = 0, middles[1] = {0};
    uint64_t total = 0;
    reap_event *event = NULL;
    TEST_SHARE(at);
    CHECK(reap_parallel_for(queue, outside, reap_range_1d(1), .at = at, .faulty_item = 0,
                            .faulty_index = 1, .counts = {.variable = counts, .count = 1},
                            .total = {.variable = &total}, .middle = {.variable = &middle},
                            .middles = {.variable = middles, .count = 1},
                            .launch = {.event = &event}) == REAP_OK);
    CHECK_STATUS(reap_event_wait(event), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(reap_event_wait(event), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    reap_event_release(event);
}

int main(void)
{
    static const size_t items[] = {1, 100, 40000, 500000};
    static const size_t indices[] = {300, 301, 1000000, UINT32_MAX, (size_t)1 << 32, SIZE_MAX};
    enum { INDICES = sizeof indices / sizeof *indices };
    uint64_t random = check_seed();
    const size_t drawn = (size_t)(check_random(&random) % INDICES);
    reap_queue *queues[QUEUES];
    setenv("REAP_NUM_THREADS", "17", 1);
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++) {
        check_left_alone(queues[q]);
        check_minus_zero(queues[q]);
        check_nans(queues[q]);
        check_properties(queues[q]);
        check_event(queues[q]);
        check_one_empty_span(queues[q], 1000);
        for (unsigned empty = 1; empty < 8; empty++)
            for (size_t n = 1; n <= 70000 && (empty == 3 || empty == 7 || !test_few());
                 n = n * 37 + 11)
                check_empty_spans(queues[q], n, empty, REAP_INITIALIZE_TO_IDENTITY);
        for (size_t n = 0; n < sizeof items / sizeof *items; n++)
            for (size_t k = 0; k < INDICES; k++)
                if (k == drawn || items[n] <= 100 || !test_samples())
                    check_outside(queues[q], items[n], items[n] * k / 6, indices[k]);
    }
    queues_close(queues);
    return check_finish();
}
