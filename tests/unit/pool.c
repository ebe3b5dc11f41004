/* SPDX-License-Identifier: Apache-2.0
 *
 * How many threads work at a time: jobs and their helpers are together no more than the pool's
 * number, unless the jobs alone are more, and room that a job leaves is filled.
 */
#include "tests/support/check.h"

#include "src/host/pool.h"

#include <time.h>

enum { HELPERS = 3, THREADS = HELPERS + 1 };

/* A job whose helpers stay until they are let go. */
struct held {
    struct reap__job job;  /* first */
    atomic_size_t helpers; /* that are at work */
    atomic_size_t joined;  /* in all */
    atomic_bool let_go;
};

static void sleep_milliseconds(long milliseconds)
{
    const struct timespec time = {0, milliseconds * 1000000};
    nanosleep(&time, NULL);
}

static void stay(struct reap__job *job, size_t helper)
{
    struct held *held = (struct held *)job;
    (void)helper;
    atomic_fetch_add(&held->joined, 1);
    atomic_fetch_add(&held->helpers, 1);
    while (!atomic_load(&held->let_go))
        sleep_milliseconds(1);
    atomic_fetch_sub(&held->helpers, 1);
}

static void invite(struct held *held, size_t helpers)
{
    held->job.work = stay;
    atomic_init(&held->helpers, 0);
    atomic_init(&held->joined, 0);
    atomic_init(&held->let_go, false);
    reap__pool_invite(&held->job, helpers);
}

/* Returns how many helpers had joined. */
static size_t dismiss(struct held *held)
{
    atomic_store(&held->let_go, true);
    reap__pool_dismiss(&held->job);
    CHECK_EQ(atomic_load(&held->helpers), 0);
    return atomic_load(&held->joined);
}

/* Waits for them, if need be to the test's limit. Then no more may follow, also when the launching
 * thread asks. */
static void expect(struct held *held, size_t helpers)
{
    for (int after = 0; after < 20 && atomic_load(&held->helpers) <= helpers;) {
        reap__pool_remind(&held->job);
        sleep_milliseconds(1);
        after += atomic_load(&held->helpers) == helpers;
    }
    CHECK_EQ(atomic_load(&held->helpers), helpers);
}

/* There is one thread, which is at work; the second job has another one made. */
static void make_helpers(void)
{
    struct held first, second;
    invite(&first, 1);
    expect(&first, 1);
    invite(&second, HELPERS);
    expect(&second, THREADS - 3);
    CHECK_EQ(dismiss(&first), 1);
    CHECK_GE(dismiss(&second), THREADS - 3);
}

/* The second job gets no helpers while the first one has them all, then as many as there is room
 * for beside the two, then the last one. */
static void share_helpers(void)
{
    struct held first, second;
    invite(&first, HELPERS);
    expect(&first, HELPERS);
    invite(&second, HELPERS);
    expect(&second, 0);
    atomic_store(&first.let_go, true);
    expect(&second, THREADS - 2);
    CHECK_EQ(dismiss(&first), HELPERS);
    expect(&second, HELPERS);
    CHECK_EQ(dismiss(&second), HELPERS);
}

/* As many jobs as threads: none has a helper, whichever ends first, until there is room. */
static void work_alone(void)
{
    struct held held, jobs[THREADS];
    invite(&held, HELPERS);
    expect(&held, HELPERS); /* so that the others find no helper free while they begin */
    for (size_t i = 0; i < THREADS; i++)
        invite(&jobs[i], HELPERS);
    CHECK_EQ(dismiss(&held), HELPERS);
    for (size_t i = 0; i < THREADS; i++)
        expect(&jobs[i], 0);
    CHECK_EQ(dismiss(&jobs[1]), 0);
    CHECK_EQ(dismiss(&jobs[2]), 0);
    while (atomic_load(&jobs[0].helpers) + atomic_load(&jobs[3].helpers) < THREADS - 2) {
        reap__pool_remind(&jobs[0].job);
        sleep_milliseconds(1);
    }
    CHECK_EQ(atomic_load(&jobs[0].helpers) + atomic_load(&jobs[3].helpers), THREADS - 2);
    const size_t joined = dismiss(&jobs[0]);
    CHECK_GE(joined + dismiss(&jobs[3]), THREADS - 2);
}

int main(void)
{
    struct reap__affinity affinity;
    reap__affinity_find(&affinity);
    reap__pool_configure(HELPERS, false, &affinity);
    make_helpers();
    share_helpers();
    work_alone();
    return check_finish();
}
