/* SPDX-License-Identifier: Apache-2.0
 *
 * More work-items than 31 and 32 bits count, in one dimension and in three.
 */
#include "tests/conformance/many_items.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"

#ifdef REAP_TESTS_SMALL
#define MANY ((uint64_t)1 << 24)
#else
#define MANY ((uint64_t)1 << 32)
#endif

/* The sum of a block of ones is exact. So the reference takes the blocks for items, which they are,
 * of the next level. */
struct blocks {
    uint64_t items;
    float sum;
};

static size_t block_values(void *context, size_t block, const void **first)
{
    struct blocks *blocks = context;
    const uint64_t size = reference_block_items(sizeof(float)), left = blocks->items - block * size;
    blocks->sum = (float)(left < size ? left : size);
    *first = &blocks->sum;
    return 1;
}

static float sum_of_ones(uint64_t items)
{
    const uint64_t size = reference_block_items(sizeof(float));
    const struct reference_launch plain = {NULL, false};
    struct blocks blocks = {items, 0};
    const struct reference_items next = {(items + size - 1) / size, block_values, &blocks};
    float sum = 0;
    reference_reduce(&reference_float[REFERENCE_PLUS], &next, &plain, &sum);
    return sum;
}

static void check_line(reap_queue *queue)
{
    const uint64_t items = MANY + 12345, far = MANY + 777;
    uint64_t count = 0, sum = 0, last = 0, at = UINT64_MAX;
    float ones = 0, place = -1;
    check_launch(reap_parallel_for(queue, count_far, reap_range_1d(items), .far = far,
                                   .count = {.variable = &count}, .sum = {.variable = &sum},
                                   .last = {.variable = &last}, .ones = {.variable = &ones},
                                   .place = {.variable = &place, .location = &at}),
                 queue);
    const uint64_t expected_sum =
        items % 2 == 0 ? items / 2 * (items - 1) : (items - 1) / 2 * items;
    const float expected_ones = sum_of_ones(items);
    CHECK(check_same(&count, &items, sizeof count));
    CHECK(check_same(&sum, &expected_sum, sizeof sum));
    CHECK(last == items - 1);
    CHECK(check_same(&ones, &expected_ones, sizeof ones));
    CHECK(place == 1 && check_same(&at, &far, sizeof at));
}

static void check_planes(reap_queue *queue)
{
    const uint64_t rows = MANY / 4096 + 1, columns = 1024;
    const uint64_t expected = rows * columns * 2 + 2 * (rows / 2 * columns);
    uint64_t sum = 0;
    uint32_t bins[3] = {0, 0, 0};
    check_launch(reap_parallel_for(queue, count_planes, reap_range_3d(2, rows, columns),
                                   .sum = {.variable = &sum},
                                   .bins = {.variable = bins, .count = 3}),
                 queue);
    CHECK(check_same(&sum, &expected, sizeof sum));
    for (uint64_t b = 0; b < 3; b++)
        CHECK(bins[b] == 2 * ((rows + 2 - b) / 3));
}

int main(void)
{
    reap_queue *queue;
    CHECK(reap_queue_create(NULL, NULL, &queue) == REAP_OK);
    check_line(queue);
    check_planes(queue);
    reap_queue_release(queue);
    return check_finish();
}
