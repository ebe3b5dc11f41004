/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges of many tiles on a device, and tiles of many leaves: whatever number of tiles it makes of
 * a range, the result is that of the reference. The host has no tiles.
 */
#include "tests/conformance/tiles.kernels.h"

#include "src/accelerator/codegen/layout.h"
#include "tests/conformance/inputs.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/support/memory.h"

#include <math.h>

enum { PERIOD = 4099 };

static float x[PERIOD];

static void mix(void *left, const void *right, size_t bytes)
{
    uint32_t *a = left;
    const uint32_t *b = right;
    for (size_t k = 0; k < bytes / sizeof *a; k++)
        a[k] = a[k] * 31u + b[k];
}

static const tiles_middle nothing;
static const struct reference_operator mix_words = {"mix", 4, mix, NULL, NULL, NULL};
static const struct reference_operator mix_middle = {
    "mix of 100 bytes", sizeof(tiles_middle), mix, &nothing, NULL, NULL};
static const struct reference_operator mix_wide = {
    "mix of 520 bytes", sizeof(tiles_wide), mix, NULL, NULL, NULL};

/* ---- What items combine -----------------------------------------------------------------------*/

static size_t float_values(void *context, size_t item, const void **first)
{
    (void)context;
    *first = &x[item % PERIOD];
    return 1;
}

static size_t square_values(void *context, size_t item, const void **first)
{
    double *square = context;
    *square = (double)x[item % PERIOD] * x[item % PERIOD];
    *first = square;
    return 1;
}

static size_t word_values(void *context, size_t item, const void **first)
{
    uint32_t *word = context;
    *word = (uint32_t)item;
    *first = word;
    return item % 5 == 3;
}

static size_t middle_values(void *context, size_t item, const void **first)
{
    tiles_middle *v = context;
    for (uint32_t k = 0; k < 25; k++)
        v->w[k] = (uint32_t)item + k;
    *first = v;
    return item % 3 == 1;
}

static size_t wide_values(void *context, size_t item, const void **first)
{
    tiles_wide *v = context;
    for (uint32_t k = 0; k < 130; k++)
        v->w[k] = (uint32_t)item * k;
    *first = v;
    return item % 7 == 2;
}

typedef size_t (*values_function)(void *context, size_t item, const void **first);

static void expect(const struct reference_operator *op, size_t count, values_function values,
                   void *variable)
{
    tiles_wide value;
    const struct reference_items items = {count, values, &value};
    const struct reference_launch plain = {NULL, false};
    reference_reduce(op, &items, &plain, variable);
}

/* ---- Launches ---------------------------------------------------------------------------------*/

struct results {
    float sum, peak;
    double squares;
    uint32_t mixed;
    uint64_t place;
    tiles_middle middle;
    tiles_wide wide;
};

static const struct results start = {.peak = -INFINITY, .place = UINT64_MAX, .mixed = 3};

static struct results expect_all(size_t count, bool unequal)
{
    struct results expected = start;
    expect(&reference_float[REFERENCE_PLUS], count, float_values, &expected.sum);
    if (unequal) {
        expect(&mix_middle, count, middle_values, &expected.middle);
        expect(&mix_wide, count, wide_values, &expected.wide);
        return expected;
    }
    expect(&reference_double[REFERENCE_PLUS], count, square_values, &expected.squares);
    expect(&mix_words, count, word_values, &expected.mixed);
    for (size_t i = 0; i < count && i < PERIOD; i++)
        if (x[i] > expected.peak) {
            expected.peak = x[i];
            expected.place = i;
        }
    return expected;
}

static void check_equal(reap_queue *queue, size_t count)
{
    static const size_t tiles[] = {1, 2, 3, 17, 100, REAP__MOST_TILES};
    const struct results expected = expect_all(count, false);
    for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++) {
        struct results found = start;
        reap__most_tiles = tiles[t];
        CHECK_LAUNCH(reap_parallel_for(queue, over_tiles, reap_range_1d(count), .x = x,
                                       .period = PERIOD, .sum = {.variable = &found.sum},
                                       .mixed = {.variable = &found.mixed},
                                       .squares = {.variable = &found.squares},
                                       .peak = {.variable = &found.peak, .location = &found.place}),
                     queue);
        CHECK_BITS(&found.sum, &expected.sum, sizeof found.sum, "sum", count, tiles[t]);
        CHECK_BITS(&found.mixed, &expected.mixed, sizeof found.mixed, "mixed", count, tiles[t]);
        CHECK_BITS(&found.squares, &expected.squares, sizeof found.squares, "squares", count,
                   tiles[t]);
        CHECK_BITS(&found.peak, &expected.peak, sizeof found.peak, "peak", count, tiles[t]);
        CHECK_BITS(&found.place, &expected.place, sizeof found.place, "place", count, tiles[t]);
    }
}

static void check_unequal(reap_queue *queue, size_t count)
{
    static const size_t tiles[] = {1, 5, REAP__MOST_TILES};
    const struct results expected = expect_all(count, true);
    for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++) {
        struct results found = start;
        reap__most_tiles = tiles[t];
        CHECK_LAUNCH(reap_parallel_for(queue, over_unequal_tiles, reap_range_1d(count), .x = x,
                                       .period = PERIOD, .sum = {.variable = &found.sum},
                                       .middle = {.variable = &found.middle},
                                       .wide = {.variable = &found.wide}),
                     queue);
        CHECK_BITS(&found.sum, &expected.sum, sizeof found.sum, "sum", count, tiles[t]);
        CHECK_BITS(&found.middle, &expected.middle, sizeof found.middle, "middle", count, tiles[t]);
        CHECK_BITS(&found.wide, &expected.wide, sizeof found.wide, "wide", count, tiles[t]);
    }
}

int main(void)
{
    static const size_t counts[] = {1,      2047,    2049,    32768,   32770,
                                    200001, 1048577, 2097155, 3000001, 4194307};
    static const size_t unequal_counts[] = {1, 129, 2100, 20000, 70007};
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    input_fill(INPUT_FLOAT, 0, PERIOD, &random, x);
    TEST_SHARE(x);
    queues_open(queues);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        check_equal(queues[0], counts[c]);
    for (size_t c = 0; c < sizeof unequal_counts / sizeof *unequal_counts; c++)
        check_unequal(queues[0], unequal_counts[c]);
    queues_close(queues);
    return check_finish();
}
