/* SPDX-License-Identifier: Apache-2.0
 *
 * Helper functions take ids and reducers, and pass them on.
 */
#include "tests/support/check.h"

#include <reap/reap.h>

#include "helpers.kernels.h"

enum { COUNT = 3001 };

static void check_helpers(reap_queue *queue)
{
    static float x[COUNT], y[COUNT];
    float sum = 0.5f, least = 1e9f, most = -1e9f, expected = 0.5f;
    uint64_t least_at = 0, most_at = 0;
    int bins[4] = {0}, others[5] = {7, 0, 0, 0, 0}, last = -1, each[3] = {-1, -1, -1};
    int evens = 0, odds = 0, wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)(i * 37 % COUNT);
        expected += 2 * x[i] * weight((size_t)i);
    }
    CHECK(reap_parallel_for(
              queue, with_helpers, reap_range_1d(COUNT), .x = x, .y = y, .sum = {.variable = &sum},
              .least = {.variable = &least, .location = &least_at},
              .most = {.variable = &most, .location = &most_at},
              .bins = {.variable = bins, .count = 4}, .others = {.variable = others, .count = 5},
              .last = {.variable = &last}, .each = {.variable = each, .count = 3},
              .evens = {.variable = &evens}, .odds = {.variable = &odds}) == REAP_OK);
    CHECK(sum > 0.999f * expected && sum < 1.001f * expected);
    CHECK(least == 0 && least_at == 0 && most == COUNT - 1 && x[most_at] == COUNT - 1);
    CHECK(bins[0] == 751 && bins[3] == 750);
    CHECK(others[0] == 7 && others[1] == 751 && others[4] == 750);
    CHECK(last == 3000 && each[0] == 3000 && each[1] == 2998 && each[2] == 2999);
    CHECK(evens == 1501 && odds == 1500);
    for (int i = 0; i < COUNT; i++)
        wrong += y[COUNT - 1 - i] != x[i] + 10;
    CHECK_EQ(wrong, 0);
}

static void check_half_helper(reap_queue *queue)
{
    static float x[100];
    reap_half halves = {0};
    for (int i = 0; i < 100; i++)
        x[i] = (float)(i % 4);
    CHECK(reap_parallel_for(queue, with_half_helper, reap_range_1d(100), .x = x,
                            .halves = {.variable = &halves}) == REAP_OK);
    CHECK_EQ(reap_half_to_float(halves), 150.0f);
}

int main(void)
{
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    check_helpers(queue);
    check_half_helper(queue);
    reap_queue_release(queue);
    return check_finish();
}
