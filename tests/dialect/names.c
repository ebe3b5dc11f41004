/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of kernels, operators, parameters and types that could collide with others do not.
 * (names.sh tries every word of the headers as a user's macro, type and object.)
 */
#define _DEFAULT_SOURCE 1 /* y0, index */

#include "tests/support/check.h"

#include <math.h>
#include <reap/reap.h>
#include <strings.h>
#include <sys/param.h>
#include <sys/select.h>

#include "names.kernels.h"

enum { COUNT = 100 };

#define CHECK_SUMMING(q, k, x)                                                                     \
    do {                                                                                           \
        int sum = 0;                                                                               \
        CHECK(reap_parallel_for(q, k, reap_range_1d(COUNT), .x = 3, .sum = {.variable = &sum}) ==  \
              REAP_OK);                                                                            \
        CHECK(sum == 3 * COUNT && strcmp(reap_kernel_##k.name, #k) == 0);                          \
    } while (0)

static void check_kernels(reap_queue *commands)
{
    CHECK_SUMMING(commands, exp, log);
    CHECK_SUMMING(commands, log, exp);
    CHECK_SUMMING(commands, index, y0);
    CHECK_SUMMING(commands, y0, index);
    CHECK_SUMMING(commands, new, class);
    CHECK_SUMMING(commands, class, new);
    CHECK_SUMMING(commands, global, step);
    CHECK_SUMMING(commands, step, global);
    CHECK_SUMMING(commands, dot, clamp);
    CHECK_SUMMING(commands, clamp, dot);
    CHECK_SUMMING(commands, select, kernel);
    CHECK_SUMMING(commands, kernel, select);
    CHECK_SUMMING(commands, plus, plus_);
    CHECK_SUMMING(commands, main_, in);
    CHECK_SUMMING(commands, printf, reduce);
    CHECK_SUMMING(commands, queue, value);
    CHECK_SUMMING(commands, name, plain);
    CHECK_SUMMING(commands, _1, __);
    CHECK(exp(0.0) == 1.0 && log(1.0) == 0.0 && y0(1.0) > 0.0 && index("ab", 'b') != NULL);
}

static void check_one_name(reap_queue *queue)
{
    int min[COUNT], max = 5;
    for (int i = 0; i < COUNT; i++)
        min[i] = i * 7 % COUNT;
    CHECK(reap_parallel_for(queue, max, reap_range_1d(COUNT), .min = min,
                            .max = {.variable = &max}) == REAP_OK);
    CHECK_EQ(max, 99);
}

static void check_values(reap_queue *queue)
{
    const int at[1] = {1};
    int ones[COUNT], width = 0;
    CHECK(reap_parallel_for(queue, of_values, reap_range_1d(COUNT), .rows = 1, .lanes = 1,
                            .count = 1, .first = 1, .item = 1, .l = 1, .k = 1, .T = 1, .n = 1,
                            .op = 1, .kind = 1, .arguments = 1, .range = 1, .start = 1, .id = 1,
                            .values = 1, .set = 1, .span = 1, .spans = 1, .a = 1, .b = 1, .now = 1,
                            .result = 1, .into = 1, .from = 1, .isa = 1, .row = 1, .origin = 1,
                            .facet = 1, .p = 1, .m = 1, .c = 1, .x = 1, .text = 1, .number = 1,
                            .macro = 1, .class = 1, .Q = 1, .code = 1, .prefix = 1, .at = at,
                            .half = ones, .width = {.variable = &width}) == REAP_OK);
    CHECK(width == 41 * COUNT && ones[COUNT - 1] == 1);
}

static void check_reductions(reap_queue *queue)
{
    int sums[12] = {0}, spans[6] = {0}, places[4] = {1000, -1, 1000, -1000}, wrong = 0;
    uint64_t at[4] = {0, 0, 0, 0};
    CHECK(reap_parallel_for(queue, of_sums, reap_range_1d(COUNT), .rows = {.variable = &sums[0]},
                            .lanes = {.variable = &sums[1]}, .count = {.variable = &sums[2]},
                            .first = {.variable = &sums[3]}, .item = {.variable = &sums[4]},
                            .l = {.variable = &sums[5]}, .k = {.variable = &sums[6]},
                            .n = {.variable = &sums[7]}, .values = {.variable = &sums[8]},
                            .set = {.variable = &sums[9]}, .value = {.variable = &sums[10]},
                            .into = {.variable = &sums[11]}) == REAP_OK);
    CHECK(reap_parallel_for(
              queue, of_spans, reap_range_1d(COUNT), .span = {.variable = &spans[0], .count = 1},
              .spans = {.variable = &spans[1], .count = 1},
              .index = {.variable = &spans[2], .count = 1},
              .at = {.variable = &spans[3], .count = 1}, .set = {.variable = &spans[4], .count = 1},
              .v = {.variable = &spans[5], .count = 1}) == REAP_OK);
    CHECK(reap_parallel_for(queue, of_places, reap_range_1d(COUNT),
                            .row = {.variable = &places[0], .location = &at[0]},
                            .now = {.variable = &places[1], .location = &at[1]},
                            .place = {.variable = &places[2], .location = &at[2]},
                            .best = {.variable = &places[3], .location = &at[3]}) == REAP_OK);
    for (int i = 0; i < 12; i++)
        wrong += sums[i] != (i + 1) * COUNT;
    for (int i = 0; i < 6; i++)
        wrong += spans[i] != (i + 1) * COUNT;
    CHECK_EQ(wrong, 0);
    CHECK(places[0] == 0 && places[1] == 99 && places[2] == 1 && places[3] == 98);
    CHECK(at[0] == 0 && at[1] == 99 && at[2] == 0 && at[3] == 99);
}

#define CHECK_TYPE(queue, T)                                                                       \
    do {                                                                                           \
        const T x[3] = {{1}, {2}, {3}};                                                            \
        T total = {10}, totals[1] = {{0}};                                                         \
        CHECK(reap_parallel_for(queue, T##_kernel, reap_range_1d(3), .x = x,                       \
                                .total = {.variable = &total},                                     \
                                .totals = {.variable = totals, .count = 1}) == REAP_OK);           \
        CHECK(total.value == 16 && totals[0].value == 3);                                          \
    } while (0)

static void check_types(reap_queue *queue)
{
    CHECK_TYPE(queue, item);
    CHECK_TYPE(queue, half);
    CHECK_TYPE(queue, row);
    CHECK_TYPE(queue, value);
    CHECK_TYPE(queue, range);
    CHECK_TYPE(queue, place);
    CHECK_TYPE(queue, result);
    CHECK_TYPE(queue, lanes);
}

int main(void)
{
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    check_kernels(queue);
    check_one_name(queue);
    check_values(queue);
    check_reductions(queue);
    check_types(queue);
    reap_queue_release(queue);
    return check_finish();
}
