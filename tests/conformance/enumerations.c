/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions, group algorithms and atomic operations of enumerations and of wchar_t, against loops
 * on integers.
 */
#include "tests/conformance/enumerations.kernels.h"

#include "tests/conformance/queues.h"

enum { COUNT = 3001, GROUP = 96, SPANS = 3 };

static enum level levels[COUNT], reduced[GROUP], joint[GROUP], identity[1];
static enum side sides[COUNT], scanned[GROUP];
static int known[COUNT];
static wchar_t letters[COUNT], later[COUNT], wide_reduced[GROUP], wide_scanned[GROUP];

static void fill(void)
{
    static const enum level all_levels[] = {LOW, HIGH, NONE, LOW};
    static const enum side all_sides[] = {MIDDLE, RIGHT, LEFT};
    for (size_t i = 0; i < COUNT; i++) {
        levels[i] = all_levels[(i * 7 + i / 5) % 4];
        sides[i] = all_sides[i < 3 ? 0 : (i * 5 + i / 7) % 3];
    }
}

static void check_reductions(reap_queue *queue)
{
    unsigned sum = NONE, product = 1, bits = 0, sums[SPANS] = {1, 1, 1}, bad = 0;
    uint64_t first_highest = UINT64_MAX, first_left = UINT64_MAX, highest_at, leftmost_at;
    grade level_sum = NONE, level_product = LOW, highest = NONE;
    enum level level_bits = NONE, level_sums[SPANS] = {1, 1, 1};
    enum level lowest = HIGH, peak = NONE;
    enum side least = RIGHT, worst = RIGHT, leftmost = RIGHT, most[2] = {LEFT, LEFT};
    fill();
    for (size_t i = COUNT; i-- > 0;) {
        sum += (unsigned)levels[i] + HIGH;
        product *= (unsigned)levels[i] * 3;
        bits |= (unsigned)levels[i] | LOW;
        sums[i % SPANS] += (unsigned)levels[i];
        first_highest = levels[i] == HIGH ? i : first_highest;
        first_left = sides[i] == LEFT ? i : first_left;
    }
    CHECK_LAUNCH(reap_parallel_for(
                     queue, reduce_enumerations, reap_range_1d(COUNT), .levels = levels,
                     .sides = sides, .sum = {.variable = &level_sum},
                     .product = {.variable = &level_product}, .bits = {.variable = &level_bits},
                     .least = {.variable = &least}, .lowest = {.variable = &lowest},
                     .peak = {.variable = &peak}, .worst = {.variable = &worst},
                     .highest = {.variable = &highest, .location = &highest_at},
                     .leftmost = {.variable = &leftmost, .location = &leftmost_at},
                     .sums = {.variable = level_sums, .count = SPANS},
                     .most = {.variable = most, .count = 2}, .identities = identity,
                     .known = known),
                 queue);
    CHECK((unsigned)level_sum == sum && (unsigned)level_product == LOW * product);
    CHECK((unsigned)level_bits == bits && least == LEFT && worst == LEFT);
    CHECK(lowest == LOW && (unsigned)peak == 0x80000000u - 1000 + COUNT - 1);
    CHECK(highest == HIGH && highest_at == first_highest);
    CHECK(leftmost == LEFT && leftmost_at == first_left);
    CHECK(memcmp(level_sums, sums, sizeof sums) == 0 && most[0] == RIGHT && most[1] == RIGHT);
    CHECK_EQ((unsigned)identity[0], (unsigned)reap_known_identity(minimum, grade));
    for (size_t i = 0; i < COUNT; i++)
        bad += known[i] != 1;
    CHECK(bad == 0 || test_on_device()); /* OpenCL C knows none */
}

static void check_groups(reap_queue *queue)
{
    unsigned sum = NONE, seen[SPANS] = {0}, all = 0, wrong = 0;
    enum level level_sum = NONE, level_seen[SPANS] = {NONE, NONE, NONE};
    fill();
    CHECK_LAUNCH(reap_parallel_for(queue, group_enumerations, reap_nd_range_1d(GROUP, GROUP),
                                   .levels = levels, .sides = sides, .reduced = reduced,
                                   .scanned = scanned, .joint = joint,
                                   .sum = {.variable = &level_sum},
                                   .seen = {.variable = level_seen, .count = SPANS}),
                 queue);
    enum level given[GROUP];
    enum side least = RIGHT;
    memcpy(given, levels, sizeof given);
    const enum side first = sides[0];
    fill();
    for (size_t i = 0; i < GROUP; i++) {
        sum += (unsigned)levels[i];
        seen[i % SPANS] |= (unsigned)levels[i];
        all |= (unsigned)levels[i];
        least = sides[i] < least ? sides[i] : least;
        wrong += reduced[i] != HIGH || scanned[i] != least || (unsigned)joint[i] != sum;
    }
    CHECK(wrong == 0 && (unsigned)level_sum == sum && first == RIGHT);
    CHECK(memcmp(level_seen, seen, sizeof seen) == 0);
    CHECK_EQ((unsigned)given[1], all);
    CHECK_EQ((unsigned)given[0], (unsigned)levels[0] + LOW * (GROUP - 1));
}

static void fill_letters(void)
{
    for (size_t i = 0; i < COUNT; i++)
        letters[i] = i % 11 == 3 ? WCHAR_MAX : (wchar_t)(L'b' + (wchar_t)(i * 5 % 23));
}

static void check_letters(reap_queue *queue)
{
    unsigned expected = 7, seen[SPANS] = {0}, wrong = 0;
    uint64_t first = UINT64_MAX, at = 0;
    wchar_t sum = 7, least = WCHAR_MAX, last = WCHAR_MIN, all[SPANS] = {0};
    fill_letters();
    for (size_t i = COUNT; i-- > 0;) {
        expected += (unsigned)letters[i] + L'a' + 2;
        seen[i % SPANS] |= (unsigned)letters[i];
        first = letters[i] == WCHAR_MAX ? i : first;
    }
    CHECK_LAUNCH(reap_parallel_for(queue, reduce_letters, reap_range_1d(COUNT), .letters = letters,
                                   .later = later, .sum = {.variable = &sum},
                                   .least = {.variable = &least},
                                   .last = {.variable = &last, .location = &at},
                                   .seen = {.variable = all, .count = SPANS}),
                 queue);
    for (size_t i = 0; i < COUNT; i++) {
        const wchar_t larger = letters[i] > L'k' ? letters[i] : L'k';
        const wchar_t own =
            letters[i] == WCHAR_MAX ? (wchar_t)sizeof(wchar_t) : larger + (L"aeiou"[i % 5] - L'a');
        wrong += later[i] != own;
    }
    CHECK_EQ(wrong, 0);
    CHECK((unsigned)sum == expected && least == L'b' && last == WCHAR_MAX && at == first);
    CHECK(memcmp(all, seen, sizeof seen) == 0);
}

static void check_letters_of_group(reap_queue *queue)
{
    unsigned wrong = 0;
    fill_letters();
    CHECK_LAUNCH(reap_parallel_for(queue, group_letters, reap_nd_range_1d(GROUP, GROUP),
                                   .letters = letters, .reduced = wide_reduced,
                                   .scanned = wide_scanned),
                 queue);
    for (size_t i = 0; i < GROUP; i++)
        wrong += wide_reduced[i] != WCHAR_MAX || wide_scanned[i] != L'b';
    CHECK(wrong == 0 && letters[0] == WCHAR_MAX);
}

int main(void)
{
    reap_queue *queues[QUEUES];
    TEST_SHARE(levels);
    TEST_SHARE(sides);
    TEST_SHARE(reduced);
    TEST_SHARE(scanned);
    TEST_SHARE(joint);
    TEST_SHARE(identity);
    TEST_SHARE(known);
    TEST_SHARE(letters);
    TEST_SHARE(later);
    TEST_SHARE(wide_reduced);
    TEST_SHARE(wide_scanned);
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++) {
        check_reductions(queues[q]);
        check_groups(queues[q]);
        check_letters(queues[q]);
        check_letters_of_group(queues[q]);
    }
    queues_close(queues);
    return check_finish();
}
