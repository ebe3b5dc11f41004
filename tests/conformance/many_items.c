/* SPDX-License-Identifier: Apache-2.0
 *
 * More work-items than 31 and 32 bits count, in one dimension and in three.
 */
#include "tests/conformance/many_items.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/conformance/reference.h"

#ifdef REAP_TESTS_SMALL
#define MANY ((uint64_t)1 << 24)
#else
#define MANY ((uint64_t)1 << 32)
#endif

/* One lane of node (k, j), a sum of ones. That of a full node is a power of two, and exact. */
static float lane_of_node(uint64_t items, uint64_t lane, unsigned k, uint64_t j)
{
    const uint64_t W = reference_lanes(sizeof(float)), leaf = reference_leaf_items(sizeof(float));
    const uint64_t first = (j << k) * leaf, left = items - first;
    if (left >= leaf << k)
        return (float)((leaf / W) << k);
    if (k == 0)
        return (float)(left > lane ? (left - lane - 1) / W + 1 : 0);
    const float sum = lane_of_node(items, lane, k - 1, 2 * j);
    const uint64_t middle = first + (leaf << (k - 1));
    return middle < items ? sum + lane_of_node(items, lane, k - 1, 2 * j + 1) : sum;
}

static float sum_of_ones(uint64_t items)
{
    float lanes[64];
    unsigned root = 0;
    while (reference_leaf_items(sizeof(float)) << root < items)
        root++;
    for (uint64_t l = 0; l < 64; l++)
        lanes[l] = lane_of_node(items, l, root, 0);
    for (size_t h = 32; h > 0; h /= 2)
        for (size_t l = 0; l < h; l++)
            lanes[l] += lanes[l + h];
    return lanes[0];
}

static void check_line(reap_queue *queue)
{
    const uint64_t items = MANY + 12345, far = MANY + 777;
    uint64_t count = 0, sum = 0, last = 0, at = UINT64_MAX;
    float ones = 0, place = -1;
    CHECK_LAUNCH(reap_parallel_for(queue, count_far, reap_range_1d(items), .far = far,
                                   .count = {.variable = &count}, .sum = {.variable = &sum},
                                   .last = {.variable = &last}, .ones = {.variable = &ones},
                                   .place = {.variable = &place, .location = &at}),
                 queue);
    const uint64_t expected_sum =
        items % 2 == 0 ? items / 2 * (items - 1) : (items - 1) / 2 * items;
    const float expected_ones = sum_of_ones(items);
    CHECK(check_same(&count, &items, sizeof count));
    CHECK(check_same(&sum, &expected_sum, sizeof sum));
    CHECK_EQ(last, items - 1);
    CHECK(check_same(&ones, &expected_ones, sizeof ones));
    CHECK(place == 1 && check_same(&at, &far, sizeof at));
}

enum { IDS = 1 << 18 };

static uint64_t count_wrong_ids(reap_buffer *buffer, uint64_t begin)
{
    void *data = NULL;
    uint64_t wrong = 0;
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ, &data), REAP_OK);
    const uint64_t *const ids = data;
    for (uint64_t i = 0; ids != NULL && i < IDS; i++)
        wrong += ids[i] != begin + i;
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    return wrong;
}

/* Around MANY / 2: 2^31, from where on ids do not fit into an int. The host runs other code from
 * 2^31 - 2^17 on. */
static void check_ids(reap_queue *queue)
{
    const uint64_t items = MANY / 2 + IDS, begin = MANY / 2 - IDS / 2;
    const uint64_t expected = items / 2 * (items - 1);
    const reap_range ranges[] = {reap_range_1d(items), reap_range_2d(1, items)};
    reap_buffer *buffer;
    CHECK_STATUS(reap_buffer_create(IDS * sizeof(uint64_t), &buffer), REAP_OK);
    for (int r = 0; r < 2; r++) {
        uint64_t sum = 0;
        CHECK_LAUNCH(reap_parallel_for(queue, sum_ids, ranges[r], .sum = {.variable = &sum}),
                     queue);
        CHECK(check_same(&sum, &expected, sizeof sum));
        CHECK_LAUNCH(reap_parallel_for(queue, write_ids, ranges[r], .begin = begin, .count = IDS,
                                       .ids = reap_buffer_data(buffer)),
                     queue);
        CHECK_EQ(count_wrong_ids(buffer, begin), 0);
    }
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

static void check_planes(reap_queue *queue)
{
    const uint64_t rows = MANY / 4096 + 1, columns = 1024;
    const uint64_t expected = rows * columns * 2 + 2 * (rows / 2 * columns);
    uint64_t sum = 0;
    uint32_t bins[3] = {0, 0, 0};
    CHECK_LAUNCH(reap_parallel_for(queue, count_planes, reap_range_3d(2, rows, columns),
                                   .sum = {.variable = &sum},
                                   .bins = {.variable = bins, .count = 3}),
                 queue);
    CHECK(check_same(&sum, &expected, sizeof sum));
    for (uint64_t b = 0; b < 3; b++)
        CHECK_EQ(bins[b], 2 * ((rows + 2 - b) / 3));
}

int main(void)
{
    reap_queue *queue;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    check_line(queue);
    check_ids(queue);
    check_planes(queue);
    reap_queue_release(queue);
    return check_finish();
}
