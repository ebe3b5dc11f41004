/* SPDX-License-Identifier: Apache-2.0
 *
 * Users' operators make reductions, inside and outside a kernel.
 */
#include "tests/support/check.h"

#include <reap/reap.h>

#include "operators.kernels.h"

enum { COUNT = 70001 };

static unsigned x[COUNT];

static void check_numbers(reap_queue *queue)
{
    unsigned divisor = 0, divisors[2] = {0, 0};
    double length = -1;
    unsigned char byte = 9;
    CHECK(reap_parallel_for(queue, with_numbers, reap_range_1d(COUNT), .x = x,
                            .divisor = {.variable = &divisor}, .length = {.variable = &length},
                            .byte = {.variable = &byte}) == REAP_OK);
    CHECK(divisor == 6 && length == 6.0 * COUNT && byte == 9);
    divisor = 0;
    CHECK(reap_parallel_for(queue, with_numbers_again, reap_range_1d(COUNT), .x = x,
                            .divisor = {.variable = &divisor},
                            .divisors = {.variable = divisors, .count = 2}) == REAP_OK);
    CHECK(divisor == 42 && divisors[0] == 6 && divisors[1] == 12);
}

static void check_structs(reap_queue *queue)
{
    const double n = COUNT;
    moments of_all = merge_identity();
    summary all = merge_all_identity();
    letters last = {{0}};
    CHECK(reap_parallel_for(queue, with_structs, reap_range_1d(COUNT), .x = x,
                            .of_all = {.variable = &of_all}, .all = {.variable = &all},
                            .last = {.variable = &last}) == REAP_OK);
    CHECK(of_all.count == n && fabs(of_all.mean - 3.0 * (n + 1)) < 1e-6 * n);
    CHECK_LT(fabs(of_all.squares / (36 * n * (n * n - 1) / 12) - 1), 1e-9);
    CHECK(of_all.count == all.of_all.count && of_all.mean == all.of_all.mean);
    CHECK_EQ(of_all.squares, all.of_all.squares);
    CHECK(all.divisor == 6 && all.tag == 0x55);
    CHECK(last.letters[0] == 98 && last.letters[1] == 'x' && last.letters[6] == 0);
}

static void check_large(reap_queue *queue)
{
    static wide sums, most, spread[3];
    static huge sum;
    int wrong = 0;
    float total = 0;
    for (int i = 0; i < 128; i++)
        most.values[i] = -1;
    CHECK(reap_parallel_for(queue, with_large, reap_range_1d(1000), .x = x,
                            .sums = {.variable = &sums}, .most = {.variable = &most},
                            .sum = {.variable = &sum},
                            .spread = {.variable = spread, .count = 3}) == REAP_OK);
    for (int i = 0; i < 128; i++) {
        float expected = 0, largest = 0, spread_sum = 0;
        for (int j = i; j < 1000; j += 128) {
            expected += (float)(x[j] % 16);
            largest = fmaxf(largest, (float)(x[j] % 16));
        }
        for (int part = 0; part < 3; part++)
            spread_sum += spread[part].values[i];
        wrong += sums.values[i] != expected || spread_sum != expected || most.values[i] != largest;
        total += expected;
    }
    for (int j = 0; j < 3000; j++)
        wrong += sum.values[j] != 40 * j + 780;
    CHECK(wrong == 0 && total > 0);
}

int main(void)
{
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    for (unsigned i = 0; i < COUNT; i++)
        x[i] = 6 * (i + 1);
    CHECK(reap_operate(gcd, 12, 18) == 6 && gcd_identity() == 0);
    CHECK_EQ(reap_operate(merge, merge_identity(), reap_value(moments, 1, 5, 0)).mean, 5);
    check_numbers(queue);
    check_structs(queue);
    check_large(queue);
    reap_queue_release(queue);
    return check_finish();
}
