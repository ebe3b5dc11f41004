/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels for ranges and nd_ranges, and kernels that read identities, are compiled at run time
 * where their first launch waits for that, and compute what is expected: of an identity that the
 * launch gives, too. Where the machine has no compiler, or the program is compiled in a way that
 * keeps kernels on fibers, the same is expected of fibers.
 */
#include "compiled_forms.kernels.h"
#include "tests/support/check.h"
#include "tests/support/check_status.h"

#include <math.h>
#include <reap/reap.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 960 };

static const reap_device *host;
static reap_queue *queue;
static uint32_t x[MOST_ITEMS], y[MOST_ITEMS], expected[MOST_ITEMS];

/* The last one has no groups. */
static const reap_range ranges[] = {{{960, 1, 1}, {32, 1, 1}, 1},
                                    {{333, 1, 1}, {111, 1, 1}, 1},
                                    {{12, 20, 1}, {1, 10, 1}, 2},
                                    {{4, 6, 10}, {1, 1, 5}, 3},
                                    {{24, 40, 1}, {0, 0, 0}, 2}};
enum { RANGES = sizeof ranges / sizeof *ranges, NO_GROUPS = RANGES - 1 };

static size_t items_of(const reap_range *range)
{
    return range->size[0] * range->size[1] * range->size[2];
}

static size_t group_of(const reap_range *range)
{
    return range->group[0] * range->group[1] * range->group[2];
}

/* After a launch over so many dimensions. */
static void check_code(const struct reap_kernel *kernel, unsigned dimensions)
{
    const char *name = getenv("REAP_HOST_COMPILER"), *check = getenv("REAP_CHECK");
    const bool may_compile =
        (kernel->build & ~(unsigned)REAP__BUILD_INSTRUCTIONS) == 0 &&
        (name == NULL || strcmp(name, "none") != 0) && (check == NULL || *check != '1') &&
        system("echo 'int x;' | cc -shared -fPIC -x c - -o /dev/null 2>/dev/null") == 0;
    const char *code = reap_kernel_code(host, kernel, dimensions);
    const char *wanted = may_compile ? "compiled at run time" : "fibers: ";
    if (!CHECK(strncmp(code, wanted, strlen(wanted)) == 0))
        printf("  %s: %s\n", kernel->name, code);
}

/* ---- For ranges and nd_ranges -----------------------------------------------------------------*/

struct outcome {
    uint64_t sum, at;
    uint32_t most;
};

static void add(struct outcome *outcome, size_t i, uint32_t v)
{
    outcome->sum += v;
    if (i == 0 || v > outcome->most) {
        outcome->most = v;
        outcome->at = i;
    }
}

static size_t second_id(const reap_range *range, size_t i)
{
    return range->dimensions == 1   ? 0
           : range->dimensions == 2 ? i % range->size[1]
                                    : i / range->size[2] % range->size[1];
}

static struct outcome expect_without_barrier(const reap_range *range, uint32_t factor)
{
    struct outcome outcome = {.sum = 5};
    for (size_t i = 0; i < items_of(range); i++) {
        uint32_t v = x[i];
        for (uint32_t k = 0; k < x[i] % 5; k++)
            v = v * factor + k;
        expected[i] = v + (uint32_t)second_id(range, i);
        add(&outcome, i, v);
    }
    return outcome;
}

/* Groups of these ranges are consecutive items. */
static struct outcome expect_with_barriers(const reap_range *range, uint32_t factor)
{
    struct outcome outcome = {.sum = 5};
    for (size_t i = 0; i < items_of(range); i++)
        expected[i] = x[i];
    for (uint32_t k = 0; k < factor; k++)
        for (size_t i = items_of(range); i-- > 0;)
            expected[i] = expected[i] * 31 + (i % group_of(range) > 0 ? expected[i - 1] : k);
    for (size_t i = 0; i < items_of(range); i++)
        add(&outcome, i, expected[i]);
    return outcome;
}

static void check_outcome(const reap_range *range, reap_status status,
                          const struct outcome *outcome, const struct outcome *wanted)
{
    CHECK_STATUS(status, REAP_OK);
    CHECK_EQ(outcome->sum, wanted->sum);
    CHECK_EQ(outcome->most, wanted->most);
    CHECK_EQ(outcome->at, wanted->at);
    CHECK(memcmp(y, expected, items_of(range) * sizeof *y) == 0);
}

#define LAUNCH_BOTH(kernel, range, outcome)                                                        \
    reap_parallel_for(queue, kernel, range, .x = x, .y = y, .factor = factor,                      \
                      .sum = {.variable = &(outcome).sum},                                         \
                      .most = {.variable = &(outcome).most, .location = &(outcome).at})

static void check_both(size_t r, uint32_t factor)
{
    const reap_range *range = &ranges[r];
    struct outcome outcome = {.sum = 5}, wanted = expect_without_barrier(range, factor);
    reap_status status = LAUNCH_BOTH(without_barrier, *range, outcome);
    check_outcome(range, status, &outcome, &wanted);
    check_code(&reap_kernel_without_barrier, range->dimensions);
    if (r == NO_GROUPS)
        return;
    outcome = (struct outcome){.sum = 5};
    wanted = expect_with_barriers(range, factor);
    status = LAUNCH_BOTH(with_barriers, *range, outcome);
    check_outcome(range, status, &outcome, &wanted);
    check_code(&reap_kernel_with_barriers, range->dimensions);
}

/* Over a range, a barrier fails as before. */
static void check_barrier_in_range(uint32_t factor)
{
    struct outcome outcome = {.sum = 5};
    CHECK_STATUS(LAUNCH_BOTH(with_barriers, reap_range_1d(10), outcome),
                 REAP_ERROR_DIVERGENT_BARRIER);
    CHECK_EQ(outcome.sum, 5);
}

/* ---- Identities -------------------------------------------------------------------------------*/

struct results {
    float sum;
    int32_t least;
    uint32_t largest;
    double most;
    uint64_t at;
};

/* What launches give; variables begin with what no item has. */
static const float of_sum = -0.0f;
static const int32_t of_least = 1000000;
static const uint32_t of_larger = 7;
static const double of_most = -1e9;
static const struct results begin = {.sum = 3, .least = 5000, .largest = 0, .most = -1e10};

#define LAUNCH(kernel, ...)                                                                        \
    reap_parallel_for(queue, kernel, *range, .x = x, .read = read,                                 \
                      .sum = {.variable = &r->sum, .identity = gives_all ? &of_sum : NULL},        \
                      .least = {.variable = &r->least, .identity = gives_all ? &of_least : NULL},  \
                      .largest = {.variable = &r->largest, .identity = &of_larger},                \
                      .most = {.variable = &r->most,                                               \
                               .identity = gives_all ? &of_most : NULL,                            \
                               .location = &r->at} __VA_ARGS__)

typedef reap_status launch(const reap_range *range, bool gives_all, identities_read *read,
                           struct results *r);

static reap_status launch_at_barriers(const reap_range *range, bool gives_all,
                                      identities_read *read, struct results *r)
{
    return LAUNCH(identities_at_barriers, , .shared = group_of(range));
}

static reap_status launch_both(const reap_range *range, bool gives_all, identities_read *read,
                               struct results *r)
{
    return LAUNCH(identities_of_both, );
}

static void check_read(const reap_range *range, bool gives_all, const identities_read *read,
                       bool reads_others)
{
    const size_t group = group_of(range);
    size_t right = 0;
    for (size_t i = 0; i < items_of(range); i++) {
        const uint32_t other = x[reads_others ? i / group * group + group - 1 - i % group : i];
        right += read[i].sum == 0 && !signbit(read[i].sum) == !gives_all &&
                 read[i].least == (gives_all ? of_least : INT32_MAX) &&
                 read[i].largest == (other > of_larger ? other : of_larger) &&
                 read[i].most == (gives_all ? of_most : (double)-INFINITY);
    }
    CHECK_EQ(right, items_of(range));
}

/* Sums of small whole numbers are exact in any order. */
static struct results expect_results(const reap_range *range)
{
    struct results r = begin;
    r.largest = of_larger;
    for (size_t i = 0; i < items_of(range); i += 3) {
        const int32_t least = (int32_t)(x[i] % 1000);
        const double most = (double)(x[i] % 1000) - 500;
        r.sum += (float)(x[i] % 64);
        r.least = least < r.least ? least : r.least;
        r.largest = x[i] > r.largest ? x[i] : r.largest;
        if (most > r.most) {
            r.most = most;
            r.at = i;
        }
    }
    return r;
}

static void check_identities(const struct reap_kernel *kernel, launch *launches, size_t range_count)
{
    static identities_read read[MOST_ITEMS];
    for (size_t r = 0; r < range_count; r++)
        for (unsigned gives_all = 0; gives_all < 2; gives_all++) {
            struct results results = begin;
            const struct results wanted = expect_results(&ranges[r]);
            memset(read, 0xff, sizeof read);
            CHECK_STATUS(launches(&ranges[r], gives_all != 0, read, &results), REAP_OK);
            check_read(&ranges[r], gives_all != 0, read, kernel->of_groups_ == NULL);
            CHECK(memcmp(&results.sum, &wanted.sum, sizeof wanted.sum) == 0);
            CHECK_EQ(results.least, wanted.least);
            CHECK_EQ(results.largest, wanted.largest);
            CHECK(memcmp(&results.most, &wanted.most, sizeof wanted.most) == 0);
            CHECK_EQ(results.at, wanted.at);
            check_code(kernel, ranges[r].dimensions);
        }
}

int main(void)
{
    uint64_t random = check_seed();
    setenv("REAP_HOST_COMPILER_AFTER", "0", 1);
    CHECK_STATUS(reap_device_find("host", &host), REAP_OK);
    CHECK_STATUS(reap_queue_create(host, NULL, &queue), REAP_OK);
    for (size_t i = 0; i < MOST_ITEMS; i++)
        x[i] = (uint32_t)check_random(&random) >> 3;
    for (size_t r = 0; r < RANGES; r++)
        check_both(r, (uint32_t)(check_random(&random) % 9) + 2);
    check_barrier_in_range(2);
    check_identities(&reap_kernel_identities_at_barriers, launch_at_barriers, NO_GROUPS);
    check_identities(&reap_kernel_identities_of_both, launch_both, RANGES);
    reap_queue_release(queue);
    return check_finish();
}
