/* SPDX-License-Identifier: Apache-2.0
 *
 * As allocation_failure.c, for kernels with work-groups. What is kept beside a thread's memory is
 * stacks, in sets as large as a group: each attempt has larger groups than any before it, so that
 * it needs new ones, and a set that it has made stays.
 */
#include "tests/support/check_status.h"
#include "tests/unit/unit.kernels.h"

#include "src/core/allocate.h"

#include <pthread.h>
#include <reap/reap.h>
#include <stdlib.h>

#ifdef REAP_TESTS_FEW_ITEMS
enum { GROUPS = 300 };
#else
enum { GROUPS = 3000 };
#endif
enum { MOST_ITEMS = 400000, BINS = 1000, THREADS = 4, FIRST_GROUP = 50 };

static float x[MOST_ITEMS];
static uint32_t bins[BINS];

struct attempt {
    const struct reap_kernel *kernel;
    size_t groups, group_items;
    unsigned long failing;
    reap_status status;
};

static bool is_alike(const eight *all)
{
    for (int i = 0; i < 8; i++)
        if (all->values[i] != 5)
            return false;
    return true;
}

/* Launches, and checks that a failure changed nothing. */
static void launch(struct attempt *attempt, reap_queue *queue)
{
    const size_t items = attempt->groups * attempt->group_items;
    eight all = {{5, 5, 5, 5, 5, 5, 5, 5}};
    float sum = 3, most = -7;
    uint64_t where = 11;
    const struct reap_arguments_everything_in_groups arguments = {
        reap_nd_range_1d(items, attempt->group_items),
        .x = x,
        .sum = {.variable = &sum},
        .most = {.variable = &most, .location = &where},
        .all = {.variable = &all},
        .bins = {.variable = bins, .count = BINS},
        .shared = attempt->group_items};
    memset(bins, 0, sizeof bins);
    reap__fail_allocation(attempt->failing);
    attempt->status = reap_launch(queue, attempt->kernel, &arguments);
    reap__fail_allocation(0);

    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    if (attempt->status == REAP_OK) {
        CHECK(bins[0] == (items + 99) / 100 && all.values[1] == 5 + 2 * (double)items);
    } else {
        CHECK_STATUS(attempt->status, REAP_ERROR_OUT_OF_MEMORY);
        CHECK_GT(strlen(reap_last_error()), 0);
        CHECK(sum == 3 && most == -7 && where == 11 && bins[0] == 0 && is_alike(&all));
    }
}

static void *run_attempt(void *memory)
{
    struct attempt *attempt = memory;
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        exit(1);
    launch(attempt, queue);
    reap_queue_release(queue);
    return NULL;
}

/* A span kernel has twice as many slots as threads, and each may keep a set of stacks, in place of
 * sets that are too small. */
static void fail_each(const struct reap_kernel *kernel, size_t groups, size_t *group_items)
{
    struct attempt attempt = {.kernel = kernel, .groups = groups};
    unsigned long failures = 0;
    do {
        const long alive = reap__allocations_alive();
        pthread_t thread;
        attempt.failing++;
        attempt.group_items = (*group_items)++;
        const int created = pthread_create(&thread, NULL, run_attempt, &attempt);
        pthread_join(thread, NULL);
        CHECK_EQ(created, 0);
        const long kept = reap__allocations_alive() - alive;
        const long most = kernel == &reap_kernel_everything_in_groups ? 2 * THREADS : 0;
        CHECK(kept >= -most && kept <= most);
        failures += attempt.status != REAP_OK;
    } while (attempt.status != REAP_OK && attempt.failing < 300);
    CHECK_STATUS(attempt.status, REAP_OK);
    CHECK(failures == attempt.failing - 1 && failures > 0);
    printf("%s, %zu groups: %lu allocations failed, one at a time\n",
           kernel == &reap_kernel_everything_in_groups ? "barriers" : "phases", groups, failures);
}

/* Once a thread's memory has grown, and there are stacks, launches allocate nothing. */
static void launch_twice(const struct reap_kernel *kernel)
{
    struct attempt attempt = {.kernel = kernel, .groups = GROUPS, .group_items = FIRST_GROUP};
    reap_queue *queue;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    for (int i = 0; i < 5; i++)
        launch(&attempt, queue);
    attempt.failing = 1;
    launch(&attempt, queue);
    CHECK_STATUS(attempt.status, REAP_OK);
    reap_queue_release(queue);
}

int main(void)
{
    setenv("REAP_HOST_COMPILER", "none", 1); /* its thread allocates, too */
    size_t group_items = FIRST_GROUP;
    fail_each(&reap_kernel_everything_in_phases, 1, &group_items);
    fail_each(&reap_kernel_everything_in_phases, GROUPS, &group_items);
    fail_each(&reap_kernel_everything_in_groups, 1, &group_items);
    fail_each(&reap_kernel_everything_in_groups, GROUPS, &group_items);
    launch_twice(&reap_kernel_everything_in_phases);
    launch_twice(&reap_kernel_everything_in_groups);
    return check_finish();
}
