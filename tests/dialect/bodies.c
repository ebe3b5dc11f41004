/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels' bodies are C: each kernel of bodies.kernels.h against a loop that does the same.
 */
#include "tests/support/check_status.h"

#include <reap/reap.h>

#include "bodies.kernels.h"
#include "elsewhere.kernels.h"

enum { WIDTH = 70, COUNT = WIDTH * WIDTH };

int called_elsewhere(int value)
{
    return 10 * value;
}

static void check_loops(reap_queue *queue)
{
    static int times[COUNT];
    long total = 0, expected = 0;
    int most = 0, least = 1000;
    CHECK(reap_parallel_for(queue, escape_times, reap_range_1d(COUNT), .width = WIDTH, .most = 50,
                            .times = times, .total = {.variable = &total}) == REAP_OK);
    for (int i = 0; i < COUNT; i++) {
        expected += times[i];
        most = times[i] > most ? times[i] : most;
        least = times[i] < least ? times[i] : least;
    }
    CHECK(total == expected && most == 51 && least >= 1 && least <= 3);
}

static void check_branches(reap_queue *queue)
{
    static int shapes[COUNT];
    static float sizes[COUNT];
    float area = 0, expected_area = 0, widest = 0;
    int others = 0, expected_others = 0;
    for (int i = 0; i < COUNT; i++) {
        shapes[i] = i % 4;
        sizes[i] = (float)(i % 8 - 1);
        if (sizes[i] >= 0 && i % 4 < 2)
            expected_area += (i % 4 == CIRCLE ? 3.0f : 1.0f) * sizes[i] * sizes[i];
        expected_others += sizes[i] >= 0 && i % 4 == LINE;
    }
    CHECK(reap_parallel_for(queue, areas, reap_range_1d(COUNT), .shapes = shapes, .sizes = sizes,
                            .area = {.variable = &area}, .others = {.variable = &others},
                            .widest = {.variable = &widest}) == REAP_OK);
    CHECK(area == expected_area && others == expected_others && widest == 6);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void check_arrays(reap_queue *queue)
{
    static int x[COUNT], median[COUNT];
    int sum = 0, expected = 0, least = 1000, wrong = 0;
    for (int i = 0; i < COUNT; i++)
        x[i] = i * 7919 % 101;
    CHECK(reap_parallel_for(queue, medians, reap_range_1d(COUNT), .x = x, .count = COUNT,
                            .median = median, .sum = {.variable = &sum},
                            .least = {.variable = &least}) == REAP_OK);
    for (int i = 0; i < COUNT; i++) {
        int window[5], used = 0;
        for (int j = i - 2; j <= i + 2; j++)
            if (j >= 0 && j < COUNT)
                window[used++] = x[j];
        for (int j = 0; j < used; j++)
            expected += window[j];
        qsort(window, (size_t)used, sizeof *window, compare);
        wrong += median[i] != window[used / 2];
    }
    CHECK(wrong == 0 && sum == expected && least == 0);
}

static void check_chosen_elements(reap_queue *queue)
{
    static float x[COUNT], y[COUNT], lower[COUNT], upper[COUNT];
    static int a[COUNT], b[COUNT], found[COUNT];
    float sum = 0, expected = 0;
    two_largest largest = merge_two_identity();
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        a[i] = i * 7919 % 101;
        b[i] = i * 104729 % 97;
        x[i] = (float)a[i];
        y[i] = (float)b[i];
    }
    a[COUNT / 3] = 1000;
    a[COUNT / 2] = 999;
    CHECK(reap_parallel_for(queue, sorted_pairs, reap_range_1d(COUNT), .x = x, .y = y,
                            .lower = lower, .upper = upper, .sum = {.variable = &sum}) == REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, overwritten, reap_range_2d(WIDTH, WIDTH), .x = a, .y = b,
                                   .found = found, .columns = WIDTH),
                 REAP_OK);
    CHECK(reap_parallel_for(queue, find_two_largest, reap_range_1d(COUNT), .x = a,
                            .largest = {.variable = &largest}) == REAP_OK);
    for (int i = 0; i < COUNT; i++) {
        expected += x[i] < y[i] ? x[i] : y[i];
        wrong += lower[i] != (x[i] < y[i] ? x[i] : y[i]) || upper[i] != (x[i] < y[i] ? y[i] : x[i]);
        wrong += found[i] != ((a[i] & 7) == (b[i] & 7) ? b[i] : a[i]);
    }
    CHECK(wrong == 0 && sum == expected);
    CHECK(largest.values[0] == 1000 && largest.values[1] == 999);
}

static void check_calls(reap_queue *queue)
{
    static unsigned numbers[COUNT];
    unsigned lit = 0, expected = 0, bits = 0, expected_bits = 0;
    int called = 0, sum = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        numbers[i] = i * 2654435761u;
        expected_bits ^= numbers[i];
        for (unsigned v = numbers[i], more = 1; more; v /= 10, more = v > 0)
            expected += digits[v % 10];
    }
    CHECK(reap_parallel_for(queue, segments, reap_range_1d(COUNT), .numbers = numbers,
                            .lit = {.variable = &lit}, .bits = {.variable = &bits},
                            .called = {.variable = &called}) == REAP_OK);
    CHECK(lit == expected && bits == reversed(expected_bits) && called == 3 * COUNT);
    called = 0;
    CHECK(reap_parallel_for(queue, calls_elsewhere, reap_range_1d(2),
                            .called = {.variable = &called}) == REAP_OK);
    CHECK_EQ(called, called_elsewhere(0) + called_elsewhere(1));
    CHECK(reap_parallel_for(queue, squares, reap_range_1d(3), .x = (const int[]){1, 2, 3},
                            .sum = {.variable = &sum}) == REAP_OK);
    CHECK_EQ(sum, 14);
}

static void check_mathematics(reap_queue *queue)
{
    static double x[COUNT], y[COUNT];
    static float z[COUNT];
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        x[i] = i / 8.0;
    CHECK_STATUS(
        reap_parallel_for(queue, mathematics, reap_range_1d(COUNT), .x = x, .y = y, .z = z),
        REAP_OK);
    for (int i = 0; i < COUNT; i++) {
        const double expected =
            sqrt(x[i]) + x[i] + 1 + floor(x[i]) + (x[i] < 2 ? x[i] : 2) + x[i] * x[i];
        wrong += fabs(y[i] - expected) > 1e-9 * expected;
        wrong += z[i] != sqrtf((float)x[i]) + 1 + (float)x[i] + 2;
    }
    CHECK_EQ(wrong, 0);
}

/* In ascending order each item has a better value than those before it. */
static void check_signs(reap_queue *queue)
{
    static const uint32_t kinds[] = {0, 0x3f800000, 0x7f800000, 0x7fc00000, 1};
    static uint32_t x[COUNT];
    static uint64_t y[COUNT];
    static int are_set[COUNT];
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        x[i] = kinds[i % 5] | (i % 2 != 0 ? 1u << 31 : 0);
        y[i] = (uint64_t)kinds[i % 5] << 29 | (i % 3 != 0 ? UINT64_C(1) << 63 : 0);
    }
    CHECK_STATUS(
        reap_parallel_for(queue, signs, reap_range_1d(COUNT), .x = x, .y = y, .are_set = are_set),
        REAP_OK);
    for (int i = 0; i < COUNT; i++)
        wrong += are_set[i] != (i % 2 != 0) + 2 * (i % 3 != 0);
    CHECK_EQ(wrong, 0);
    CHECK(signbit(-0.0L) && !signbit(0.0L) && signbit(-wrong - 1.5));
}

static void check_runs(reap_queue *queue)
{
    enum { MANY = 1 << 19 };
    static float x[MANY];
    static int runs[MANY];
    static counted all[MANY];
    float most = 0;
    size_t at = 0;
    int wrong = 0;
    for (int i = 0; i < MANY; i++) {
        x[i] = (float)i;
        all[i] = (counted){x[i], runs + i};
    }
    CHECK_STATUS(reap_parallel_for(queue, counted_in_array, reap_range_1d(MANY), .x = x,
                                   .runs = runs, .most = {.variable = &most, .location = &at}),
                 REAP_OK);
    CHECK_EQ(at, MANY - 1);
    CHECK_STATUS(reap_parallel_for(queue, counted_by_value, reap_range_1d(MANY), .x = x,
                                   .runs = runs, .most = {.variable = &most, .location = &at}),
                 REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, counted_by_element, reap_range_1d(MANY), .all = all,
                                   .most = {.variable = &most, .location = &at}),
                 REAP_OK);
    for (int i = 0; i < MANY; i++)
        wrong += runs[i] != 3;
    CHECK_EQ(wrong, 0);
}

int main(void)
{
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    check_loops(queue);
    check_branches(queue);
    check_arrays(queue);
    check_chosen_elements(queue);
    check_calls(queue);
    check_mathematics(queue);
    check_runs(queue);
    check_signs(queue);
    reap_queue_release(queue);
    return check_finish();
}
