/* SPDX-License-Identifier: Apache-2.0
 *
 * Every allocation of a launch fails once: the k-th for k = 1, 2, ... until a launch passes. Each
 * time the launch says so, the variables keep their values, and nothing is leaked. A thread keeps
 * what it has allocated for its next launch, so each attempt has a thread of its own.
 */
#include "tests/support/check_status.h"
#include "tests/unit/unit.kernels.h"

#include "src/core/allocate.h"

#include <pthread.h>
#include <reap/reap.h>

#ifdef REAP_TESTS_SMALL
enum { MOST_ITEMS = 60000 };
#else
enum { MOST_ITEMS = 300000 };
#endif
enum { BINS = 100000 };

static float x[MOST_ITEMS], y[MOST_ITEMS];
static uint32_t bins[BINS];

struct attempt {
    void (*launch)(struct attempt *attempt, reap_queue *queue);
    size_t items;
    bool with_event;
    unsigned long failing;
    reap_status status;
};

static bool is_alike(const eight *all, double value)
{
    for (int i = 0; i < 8; i++)
        if (all->values[i] != value)
            return false;
    return true;
}

/* Launches, and checks that a failure changed nothing. */
static void launch(struct attempt *attempt, reap_queue *queue)
{
    eight all, few[3];
    float sum = 3, most = -7;
    uint64_t where = 11;
    reap_event *event = NULL;
    for (int i = 0; i < 8; i++)
        all.values[i] = few[0].values[i] = few[1].values[i] = few[2].values[i] = 5;
    memset(bins, 0, sizeof bins);

    reap__fail_allocation(attempt->failing);
    attempt->status = reap_parallel_for(
        queue, everything, reap_range_1d(attempt->items), .x = x, .y = y, .sum = {.variable = &sum},
        .most = {.variable = &most, .location = &where}, .all = {.variable = &all},
        .bins = {.variable = bins, .count = BINS}, .few = {.variable = few, .count = 3},
        .launch = {.event = attempt->with_event ? &event : NULL});
    reap__fail_allocation(0);

    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    if (attempt->status == REAP_OK) {
        CHECK_EQ(bins[0], (attempt->items + 99) / 100);
        CHECK(!attempt->with_event || event != NULL);
    } else {
        CHECK_STATUS(attempt->status, REAP_ERROR_OUT_OF_MEMORY);
        CHECK_GT(strlen(reap_last_error()), 0);
        CHECK(sum == 3 && most == -7 && where == 11 && bins[0] == 0 && event == NULL);
        CHECK(is_alike(&all, 5) && is_alike(&few[0], 5) && is_alike(&few[2], 5));
    }
    reap_event_release(event);
}

static void launch_row(struct attempt *attempt, reap_queue *queue)
{
    eight all = {{5, 5, 5, 5, 5, 5, 5, 5}};
    float sum = 3, most = -7;
    uint64_t where = 11;
    reap__fail_allocation(attempt->failing);
    attempt->status = reap_parallel_for(queue, reduce_few, reap_range_1d(attempt->items), .x = x,
                                        .sum = {.variable = &sum}, .all = {.variable = &all},
                                        .most = {.variable = &most, .location = &where});
    reap__fail_allocation(0);
    if (attempt->status == REAP_OK) {
        CHECK(most == 0 && where == 0 && all.values[1] == 5 + 2 * (double)attempt->items);
    } else {
        CHECK_STATUS(attempt->status, REAP_ERROR_OUT_OF_MEMORY);
        CHECK(sum == 3 && most == -7 && where == 11 && is_alike(&all, 5));
    }
}

static void launch_count(struct attempt *attempt, reap_queue *queue)
{
    memset(bins, 0, sizeof bins);
    reap__fail_allocation(attempt->failing);
    attempt->status = reap_parallel_for(queue, count_hundreds, reap_range_1d(attempt->items),
                                        .bins = {.variable = bins, .count = BINS});
    reap__fail_allocation(0);
    CHECK(attempt->status == REAP_OK || attempt->status == REAP_ERROR_OUT_OF_MEMORY);
    CHECK_EQ(bins[0], (attempt->status == REAP_OK ? (attempt->items + 99) / 100 : 0));
}

static void launch_ranges(struct attempt *attempt, reap_queue *queue)
{
    double sums[100];
    for (int i = 0; i < 100; i++)
        sums[i] = 5;
    reap__fail_allocation(attempt->failing);
    attempt->status = reap_parallel_for(queue, sum_ranges, reap_range_1d(attempt->items),
                                        .sums = {.variable = sums, .count = 100});
    reap__fail_allocation(0);
    CHECK(attempt->status == REAP_OK || attempt->status == REAP_ERROR_OUT_OF_MEMORY);
    for (int i = 0; i < 100; i++)
        CHECK_EQ(sums[i] == 5, attempt->status != REAP_OK);
}

/* `items` rows of 20 items, or 20 columns. */
static void launch_lines(struct attempt *attempt, reap_queue *queue, bool are_columns)
{
    enum { SHORT = 20 };
    static double all[MOST_ITEMS];
    static float other[MOST_ITEMS];
    const size_t count = are_columns ? SHORT : attempt->items;
    const reap_range range = reap_range_2d(attempt->items, SHORT);
    for (size_t i = 0; i < count; i++) {
        all[i] = 5;
        other[i] = 0;
    }
    reap__fail_allocation(attempt->failing);
    attempt->status = are_columns ? reap_parallel_for(queue, count_columns, range,
                                                      .all = {.variable = all, .count = count},
                                                      .exact = {.variable = other, .count = count})
                                  : reap_parallel_for(queue, count_rows, range,
                                                      .all = {.variable = all, .count = count},
                                                      .last = {.variable = other, .count = count});
    reap__fail_allocation(0);
    CHECK(attempt->status == REAP_OK || attempt->status == REAP_ERROR_OUT_OF_MEMORY);
    const double items = are_columns ? (double)attempt->items : SHORT;
    for (size_t i = 0; i < count; i++)
        CHECK_EQ(all[i], 5 + (attempt->status == REAP_OK ? items : 0));
    CHECK_EQ(other[count - 1] == 0, attempt->status != REAP_OK);
}

static void launch_rows(struct attempt *attempt, reap_queue *queue)
{
    launch_lines(attempt, queue, false);
}

static void launch_columns(struct attempt *attempt, reap_queue *queue)
{
    launch_lines(attempt, queue, true);
}

static void *run_attempt(void *memory)
{
    struct attempt *attempt = memory;
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        exit(1);
    attempt->launch(attempt, queue);
    reap_queue_release(queue);
    return NULL;
}

static void fail_each(void (*what)(struct attempt *attempt, reap_queue *queue), size_t items,
                      bool with_event)
{
    struct attempt attempt = {.launch = what, .items = items, .with_event = with_event};
    unsigned long failures = 0;
    do {
        const long alive = reap__allocations_alive();
        pthread_t thread;
        attempt.failing++;
        const int created = pthread_create(&thread, NULL, run_attempt, &attempt);
        pthread_join(thread, NULL);
        CHECK_EQ(created, 0);
        CHECK_EQ(reap__allocations_alive(), alive);
        failures += attempt.status != REAP_OK;
    } while (attempt.status != REAP_OK && attempt.failing < 1000);
    CHECK_STATUS(attempt.status, REAP_OK);
    CHECK(failures == attempt.failing - 1 && failures > 0);
    printf("%zu items%s: %lu allocations failed, one at a time\n", items,
           with_event ? ", with an event" : "", failures);
}

/* The objects that a program makes before it launches. */
static void fail_objects(void)
{
    const reap_device *device;
    CHECK_STATUS(reap_device_default(&device), REAP_OK); /* which is looked for once */
    const long alive = reap__allocations_alive();
    reap_queue *queue = NULL;
    reap_buffer *buffer = NULL;
    reap__fail_allocation(1);
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_ERROR_OUT_OF_MEMORY);
    reap__fail_allocation(1);
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_ERROR_OUT_OF_MEMORY);
    reap__fail_allocation(0);
    CHECK(queue == NULL && buffer == NULL);
    CHECK_EQ(reap__allocations_alive(), alive);
}

/* Once a thread's memory has grown, its launches allocate nothing. */
static void launch_twice(void)
{
    struct attempt attempt = {.items = MOST_ITEMS};
    reap_queue *queue;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    for (int i = 0; i < 3; i++)
        launch(&attempt, queue);
    reap__fail_allocation(1);
    uint64_t items = 0;
    CHECK(reap_parallel_for(queue, count_items, reap_range_1d(MOST_ITEMS),
                            .items = {.variable = &items}) == REAP_OK);
    CHECK(items == MOST_ITEMS && reap__allocations_made() == 0);
    reap__fail_allocation(0);
    reap_queue_release(queue);
}

int main(void)
{
    fail_objects();
    fail_each(launch, 10, false);
    fail_each(launch, 10, true);
    fail_each(launch, MOST_ITEMS, true);
    fail_each(launch_row, 2000, false); /* from which is known how short it is */
    fail_each(launch_row, 10, false);
    fail_each(launch_count, 10, false);
    fail_each(launch_count, MOST_ITEMS, false);
    fail_each(launch_ranges, 1000, false);
    fail_each(launch_ranges, MOST_ITEMS, false);
    fail_each(launch_rows, 100, false);
    fail_each(launch_rows, MOST_ITEMS, false);
    fail_each(launch_columns, 100, false);
    fail_each(launch_columns, MOST_ITEMS, false);
    launch_twice();
    return check_finish();
}
