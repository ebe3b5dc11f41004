/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches from several threads at once, on queues of their own and on one queue; more threads than
 * processors; few items that each take long; and that sleeping helpers cost nothing.
 */
#include "tests/support/check_status.h"
#include "tests/unit/unit.kernels.h"

#include <pthread.h>
#include <reap/reap.h>
#include <sys/resource.h>

#ifdef REAP_TESTS_FEW_ITEMS /* launches are what threads meet in */
enum { ITEMS = 60000 };
#else
enum { ITEMS = 600000 };
#endif
enum { LAUNCHERS = 4, ROUNDS = 40 };

static float x[ITEMS];
static double expected_sum;
static atomic_ulong wrong;

static void sleep_milliseconds(long milliseconds)
{
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static double processor_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void launch_once(reap_queue *queue)
{
    double sum = 0;
    float most = -1;
    const reap_status status =
        reap_parallel_for(queue, add_up, reap_range_1d(ITEMS), .x = x, .sum = {.variable = &sum},
                          .most = {.variable = &most});
    if (status != REAP_OK || reap_queue_wait(queue) != REAP_OK || sum != expected_sum || most != 6)
        atomic_fetch_add(&wrong, 1);
}

static void *launch_on_own_queue(void *unused)
{
    reap_queue *queue;
    (void)unused;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        exit(1);
    for (int i = 0; i < ROUNDS; i++)
        launch_once(queue);
    reap_queue_release(queue);
    return NULL;
}

static void *launch_on_given_queue(void *queue)
{
    for (int i = 0; i < ROUNDS; i++)
        launch_once(queue);
    return NULL;
}

static void run_launchers(void *(*launcher)(void *), void *argument)
{
    pthread_t threads[LAUNCHERS];
    for (int t = 0; t < LAUNCHERS; t++)
        CHECK_EQ(pthread_create(&threads[t], NULL, launcher, argument), 0);
    for (int t = 0; t < LAUNCHERS; t++)
        pthread_join(threads[t], NULL);
    CHECK_EQ(atomic_load(&wrong), 0);
}

static void share_a_queue(bool out_of_order)
{
    const reap_queue_options options = {.out_of_order = out_of_order};
    reap_queue *queue;
    CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
    run_launchers(launch_on_given_queue, queue);
    reap_queue_release(queue);
}

/* After a launch that had helpers the process sleeps, and so do they. */
static void sleep_costs_nothing(void)
{
    reap_queue *queue;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    for (int i = 0; i < 10; i++)
        launch_once(queue);
    sleep_milliseconds(20);
    const double before = processor_seconds();
    sleep_milliseconds(500);
    const double burnt = processor_seconds() - before;
    printf("%.1f ms of processor time in 500 ms without a launch\n", burnt * 1e3);
    CHECK_LT(burnt, 0.05);
    reap_queue_release(queue);
}

static uint32_t work(reap_queue *queue, size_t items, int steps)
{
    uint32_t all = 0;
    CHECK(reap_parallel_for(queue, work_hard, reap_range_1d(items), .steps = steps,
                            .all = {.variable = &all}) == REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    return all;
}

/* The same work without a reduction. */
static uint32_t work_alone(reap_queue *queue, size_t items, int steps)
{
    static uint32_t results[100000];
    uint32_t all = 0;
    memset(results, 0, items * sizeof *results);
    CHECK(reap_parallel_for(queue, work_for_itself, reap_range_1d(items), .steps = steps,
                            .results = results) == REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    for (size_t i = 0; i < items; i++)
        all += results[i];
    return all;
}

/* Few items that take long are shared among the threads; the cost that a kernel remembers from them
 * must not disturb later launches. */
static void share_few_items(void)
{
    const reap_queue_options one = {.max_threads = 1};
    reap_queue *all, *alone;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &all), REAP_OK);
    CHECK_STATUS(reap_queue_create(NULL, &one, &alone), REAP_OK);
    static const size_t items[] = {1, 2, 3, 7, 64, 1000, 5000, 40000, 100000};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        const int steps = items[i] < 1000 ? 20000 : 100;
        CHECK_EQ(work(all, items[i], steps), work(alone, items[i], steps));
        CHECK_EQ(work(all, items[i], 1), work(alone, items[i], 1));
        for (int repeat = 0; repeat < 3; repeat++)
            CHECK_EQ(work_alone(all, items[i], steps), work_alone(alone, items[i], steps));
    }
    reap_queue_release(all);
    reap_queue_release(alone);
}

int main(void)
{
    for (size_t i = 0; i < ITEMS; i++) {
        x[i] = (float)(i % 7);
        expected_sum += (double)x[i];
    }
    run_launchers(launch_on_own_queue, NULL);
    share_a_queue(false);
    share_a_queue(true);
    sleep_costs_nothing();
    share_few_items();
    return check_finish();
}
