/* SPDX-License-Identifier: Apache-2.0
 *
 * Local memory of two and three dimensions, against serial code; and what launches refuse.
 */
#include "tests/work_groups/local_memory.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

/* Groups of rows x columns items, in a range of tiles. */
struct tiles {
    size_t rows, columns, down, across;
};

static reap_range range_of(const struct tiles *tiles)
{
    return reap_nd_range_2d(tiles->down * tiles->rows, tiles->across * tiles->columns, tiles->rows,
                            tiles->columns);
}

static size_t items_of(const struct tiles *tiles)
{
    return tiles->down * tiles->rows * tiles->across * tiles->columns;
}

/* Tile number t, in which elements stand column by column. */
static void expect_tile(const struct tiles *tiles, size_t t, const float *x, float *y)
{
    const size_t width = tiles->across * tiles->columns;
    const size_t first =
        t / tiles->across * tiles->rows * width + t % tiles->across * tiles->columns;
    float *tile = y + t * tiles->rows * tiles->columns;
    for (size_t row = 0; row < tiles->rows; row++)
        for (size_t column = 0; column < tiles->columns; column++)
            tile[column * tiles->rows + row] = x[first + row * width + column];
}

static void check_transpose(reap_queue *queue, const struct tiles *tiles, uint64_t *random)
{
    const size_t items = items_of(tiles), more = check_random(random) % 3;
    float *x = test_allocate(items * sizeof *x), *y = test_allocate(items * sizeof *y);
    float *expected = test_allocate(items * sizeof *expected);
    for (size_t i = 0; i < items; i++)
        x[i] = (float)(check_random(random) % 100000);
    for (size_t t = 0; t < tiles->down * tiles->across; t++)
        expect_tile(tiles, t, x, expected);
    memset(y, 0xee, items * sizeof *y);
    CHECK_LAUNCH(reap_parallel_for(queue, transpose_tiles, range_of(tiles), .x = x, .y = y,
                                   .tile = {tiles->rows, tiles->columns + more}),
                 queue);
    CHECK_BITS(y, expected, items * sizeof *y, "items", items, 1);
    memset(y, 0xee, items * sizeof *y);
    CHECK_LAUNCH(reap_parallel_for(queue, transpose_in_phases, range_of(tiles), .x = x, .y = y,
                                   .tile = {tiles->rows + more, tiles->columns + 1},
                                   .counts = {2, tiles->rows, tiles->columns}),
                 queue);
    CHECK_BITS(y, expected, items * sizeof *y, "phases", items, 1);
    free(x);
    free(y);
    free(expected);
}

static void check_numbers(reap_queue *queue, const struct tiles *tiles, uint64_t *random)
{
    const size_t items = items_of(tiles), groups = tiles->down * tiles->across;
    const size_t size[3] = {check_random(random) % 6 + 1, check_random(random) % 7 + 1,
                            check_random(random) % 20 + 1};
    unsigned *wrong = test_allocate(items * sizeof *wrong);
    size_t *extents = test_allocate(3 * sizeof *extents);
    uint64_t sum = 0, expected = 0;
    const int seed = (int)(check_random(random) % 1000);
    memset(wrong, 0, items * sizeof *wrong);
    for (size_t i = 0; i < size[0]; i++)
        for (size_t j = 0; j < size[1]; j++)
            for (size_t k = 0; k < size[2]; k++)
                expected += groups * (uint64_t)(number(i, j, k) + seed);
    CHECK_LAUNCH(reap_parallel_for(queue, number_in_items, range_of(tiles),
                                   .block = {size[0], size[1], size[2]}, .seed = seed,
                                   .row = tiles->rows * tiles->columns, .plane = {3, size[2]},
                                   .wrong = wrong, .extents = extents, .sum = {.result = &sum}),
                 queue);
    CHECK_EQ(sum, expected);
    for (size_t i = 0; i < items; i++)
        CHECK_EQ(wrong[i], 0);
    CHECK(memcmp(extents, size, sizeof size) == 0);
    free(wrong);
    free(extents);
}

static void check_refused(reap_queue *queue, size_t rows, size_t columns, const char *why)
{
    const struct tiles tiles = {4, 4, 1, 1};
    float *x = test_allocate(16 * sizeof *x), *y = test_allocate(16 * sizeof *y);
    CHECK_STATUS(reap_parallel_for(queue, transpose_tiles, range_of(&tiles), .x = x, .y = y,
                                   .tile = {rows, columns}),
                 REAP_ERROR_INVALID_ARGUMENT);
    if (!CHECK(strstr(reap_last_error(), why) != NULL))
        fprintf(stderr, "  %s\n", reap_last_error());
    free(x);
    free(y);
}

/* A kernel whose items exchange nothing may have all that the device has; one byte more is refused.
 */
static void check_all(reap_queue *queue)
{
    enum { ITEMS = 64 };
    const reap_range range = reap_nd_range_1d(ITEMS, ITEMS);
    reap_device_info info;
    unsigned char *x = test_allocate(ITEMS), *y = test_allocate(ITEMS);
    CHECK_STATUS(reap_device_get_info(reap_queue_device(queue), &info), REAP_OK);
    const size_t bytes = info.local_memory_bytes;
    for (size_t i = 0; i < ITEMS; i++)
        x[i] = (unsigned char)(7 * i);
    CHECK_LAUNCH(reap_parallel_for(queue, reverse_at_ends, range, .x = x, .y = y, .all = bytes,
                                   .size = bytes),
                 queue);
    for (size_t i = 0; i < ITEMS; i++)
        CHECK_EQ(y[i], x[ITEMS - 1 - i]);
    CHECK_STATUS(reap_parallel_for(queue, reverse_at_ends, range, .x = x, .y = y, .all = bytes + 1,
                                   .size = bytes),
                 REAP_ERROR_INVALID_ARGUMENT);
    free(x);
    free(y);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (int repeat = 0; repeat < 20; repeat++) {
        const struct tiles tiles = {check_random(&random) % 12 + 1, check_random(&random) % 12 + 1,
                                    check_random(&random) % 5 + 1, check_random(&random) % 5 + 1};
        check_transpose(queues[(size_t)repeat % QUEUES], &tiles, &random);
        check_numbers(queues[(size_t)repeat % QUEUES], &tiles, &random);
    }
    check_refused(queues[0], 0, 4, "'tile' is local memory and has no elements");
    check_refused(queues[0], 4, 0, "'tile' is local memory and has no elements");
    check_refused(queues[0], 100000, 100000, ": 100000 x 100000 elements of local memory 'tile'");
    check_refused(queues[0], (size_t)1 << 63, 16,
                  ": 9223372036854775808 x 16 elements of local memory 'tile'");
    check_all(queues[0]);
    queues_close(queues);
    return check_finish();
}
