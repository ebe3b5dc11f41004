/* SPDX-License-Identifier: Apache-2.0
 *
 * A wait on an out-of-order queue is for the commands that were launched before it: it ends while
 * other threads go on launching, always some command at a time.
 */
#include "tests/support/check_status.h"
#include "tests/unit/unit.kernels.h"

#include <pthread.h>
#include <reap/reap.h>

enum { LAUNCHERS = 4, WAITERS = 2, WAITS = 50 };

static reap_queue *queue;
static atomic_bool stop;
static atomic_ulong wrong, launches;

static void *launch_until_stopped(void *unused)
{
    (void)unused;
    while (!atomic_load(&stop)) {
        uint32_t all = 0;
        if (reap_parallel_for(queue, work_hard, reap_range_1d(64), .steps = 1000,
                              .all = {.variable = &all}) != REAP_OK ||
            all == 0)
            atomic_fetch_add(&wrong, 1);
        atomic_fetch_add(&launches, 1);
    }
    return NULL;
}

static void *wait_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < WAITS; i++)
        if (reap_queue_wait(queue) != REAP_OK)
            atomic_fetch_add(&wrong, 1);
    return NULL;
}

int main(void)
{
    const reap_queue_options options = {.out_of_order = true, .max_threads = 1};
    pthread_t launchers[LAUNCHERS], waiters[WAITERS];
    if (reap_queue_create(NULL, &options, &queue) != REAP_OK)
        return 1;
    for (int i = 0; i < LAUNCHERS; i++)
        if (pthread_create(&launchers[i], NULL, launch_until_stopped, NULL) != 0)
            return 1;
    while (atomic_load(&launches) < LAUNCHERS)
        continue;
    for (int i = 0; i < WAITERS; i++)
        if (pthread_create(&waiters[i], NULL, wait_often, NULL) != 0)
            return 1;
    for (int i = 0; i < WAITERS; i++)
        pthread_join(waiters[i], NULL);
    atomic_store(&stop, true);
    for (int i = 0; i < LAUNCHERS; i++)
        pthread_join(launchers[i], NULL);
    CHECK_EQ(atomic_load(&wrong), 0);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    reap_queue_release(queue);
    return check_finish();
}
