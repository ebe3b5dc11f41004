/* SPDX-License-Identifier: Apache-2.0
 *
 * Each work-item runs once and has the right ids, in ranges of one, two and three dimensions and
 * of every shape: long and short rows, rows longer and shorter than a block's, single rows and
 * columns. The dimensions that a range lacks have id 0 and size 1.
 */
#include "tests/support/check_status.h"

#include <reap/reap.h>

#include "ids.kernels.h"

enum { MOST = 1 << 18 };

static uint64_t numbers[MOST], expected[MOST];
static unsigned char visits[MOST];

static const reap_range shapes[] = {
    {{0, 1, 1}, {0, 0, 0}, 1},      {{1, 1, 1}, {0, 0, 0}, 1},      {{5, 1, 1}, {0, 0, 0}, 1},
    {{5000, 1, 1}, {0, 0, 0}, 1},   {{1023, 1, 1}, {0, 0, 0}, 1},   {{100000, 1, 1}, {0, 0, 0}, 1},
    {{1, 1, 1}, {0, 0, 0}, 2},      {{1, 5000, 1}, {0, 0, 0}, 2},   {{5000, 1, 1}, {0, 0, 0}, 2},
    {{7, 23, 1}, {0, 0, 0}, 2},     {{100, 24, 1}, {0, 0, 0}, 2},   {{100, 25, 1}, {0, 0, 0}, 2},
    {{100, 26, 1}, {0, 0, 0}, 2},   {{2, 1023, 1}, {0, 0, 0}, 2},   {{2, 1024, 1}, {0, 0, 0}, 2},
    {{2, 1025, 1}, {0, 0, 0}, 2},   {{33, 1024, 1}, {0, 0, 0}, 2},  {{3, 40000, 1}, {0, 0, 0}, 2},
    {{511, 513, 1}, {0, 0, 0}, 2},  {{2, 100003, 1}, {0, 0, 0}, 2}, {{90000, 2, 1}, {0, 0, 0}, 2},
    {{90000, 1, 1}, {0, 0, 0}, 2},  {{1, 100000, 1}, {0, 0, 0}, 2}, {{0, 5, 1}, {0, 0, 0}, 2},
    {{5, 0, 1}, {0, 0, 0}, 2},      {{1, 1, 1}, {0, 0, 0}, 3},      {{3, 5, 7}, {0, 0, 0}, 3},
    {{1, 1, 5000}, {0, 0, 0}, 3},   {{5000, 1, 1}, {0, 0, 0}, 3},   {{1, 5000, 1}, {0, 0, 0}, 3},
    {{2, 3, 2000}, {0, 0, 0}, 3},   {{40, 50, 60}, {0, 0, 0}, 3},   {{2, 40000, 1}, {0, 0, 0}, 3},
    {{40000, 1, 2}, {0, 0, 0}, 3},  {{2, 1, 40000}, {0, 0, 0}, 3},  {{1, 2, 40000}, {0, 0, 0}, 3},
    {{3, 0, 7}, {0, 0, 0}, 3},      {{0, 0, 0}, {0, 0, 0}, 3},      {{1, 1, 100000}, {0, 0, 0}, 3},
    {{100000, 1, 1}, {0, 0, 0}, 3}, {{17, 19, 23}, {0, 0, 0}, 3},   {{17, 19, 31}, {0, 0, 0}, 3},
    {{2, 2, 1024}, {0, 0, 0}, 3},   {{2, 2, 32768}, {0, 0, 0}, 3},
};

struct sums {
    uint64_t sum, bits, most, bins[10];
    four_sums each;
};

static size_t items_of(reap_range range)
{
    return range.size[0] * range.size[1] * range.size[2];
}

/* What a serial loop over the range gives. */
static struct sums walk(reap_range range)
{
    struct sums sums = {0};
    reap_item item = {.global_range_ = {range.size[0], range.size[1], range.size[2]}};
    for (size_t x = 0; x < range.size[0]; x++)
        for (size_t y = 0; y < range.size[1]; y++)
            for (size_t z = 0; z < range.size[2]; z++) {
                const size_t ids[4] = {x, y, z, item.global_linear_id_};
                memcpy(item.global_id_, ids, sizeof item.global_id_);
                const uint64_t number = mixed(item);
                expected[item.global_linear_id_++] = number;
                sums.sum += number;
                sums.bits ^= number;
                sums.most = number > sums.most ? number : sums.most;
                sums.bins[number % 10]++;
                for (int d = 0; d < 4; d++)
                    sums.each.sum[d] += ids[d];
            }
    return sums;
}

static void check_visits(reap_queue *queue, reap_range range)
{
    const size_t items = items_of(range);
    unsigned char wrong[1] = {0};
    memset(visits, 0, items);
    CHECK_STATUS(reap_parallel_for(queue, visit, range, .numbers = numbers, .visits = visits,
                                   .planes = range.size[0], .rows = range.size[1],
                                   .columns = range.size[2], .wrong = wrong),
                 REAP_OK);
    for (size_t i = 0; i < items && !wrong[0]; i++)
        wrong[0] = visits[i] != 1 || numbers[i] != expected[i];
    CHECK(!wrong[0]);
}

static void check_sums(reap_queue *queue, reap_range range, const struct sums *right)
{
    uint64_t sum = 0, bits = 0, most = 0, at = 0, bins[10] = {0};
    four_sums sums = add_four_identity();
    CHECK(reap_parallel_for(queue, sum_ids, range, .sum = {.variable = &sum},
                            .bits = {.variable = &bits}) == REAP_OK);
    CHECK(sum == right->sum && bits == right->bits);
    sum = 0;
    CHECK(reap_parallel_for(queue, sum_in_widths, range, .sum = {.variable = &sum},
                            .sums = {.variable = &sums},
                            .most = {.variable = &most, .location = &at}) == REAP_OK);
    CHECK(sum == right->sum && most == right->most);
    CHECK(most == 0 || expected[at] == most);
    CHECK(memcmp(&sums, &right->each, sizeof sums) == 0);
    sum = 0;
    CHECK(reap_parallel_for(queue, count_ids, range, .bins = {.variable = bins, .count = 10},
                            .sum = {.variable = &sum}) == REAP_OK);
    CHECK(sum == right->sum && memcmp(bins, right->bins, sizeof bins) == 0);
}

static void check_shape(reap_queue *queue, reap_range range)
{
    const unsigned long failures = check_failures;
    const struct sums right = walk(range);
    check_visits(queue, range);
    check_sums(queue, range, &right);
    if (check_failures != failures)
        printf("  in %zu x %zu x %zu, %u dimensions\n", range.size[0], range.size[1], range.size[2],
               range.dimensions);
}

static void check_random_shapes(reap_queue *queue)
{
    uint64_t state = check_seed();
    for (int i = 0; i < 60; i++) {
        const size_t a = check_random(&state) % 64 + 1, b = check_random(&state) % 64 + 1;
        const size_t c = check_random(&state) % 64 + 1;
        check_shape(queue, reap_range_3d(a, b, c));
        check_shape(queue, reap_range_2d(a, b * c));
        check_shape(queue, reap_range_1d(a * b * c));
    }
}

int main(void)
{
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        check_shape(queue, shapes[s]);
    check_random_shapes(queue);
    reap_queue_release(queue);
    return check_finish();
}
