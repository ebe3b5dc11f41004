/* SPDX-License-Identifier: Apache-2.0
 *
 * A forked child uses Reap: after launches of the parent, with the parent's queue, and forked while
 * other threads of the parent are launching, or are the first to ask for devices. ThreadSanitizer
 * does not support threads in a child of a process with threads, so the test says so and passes
 * there. AddressSanitizer's allocator of clang 14 does not take its locks for a fork: a child that
 * is forked while a thread allocates may wait for ever in its first allocation, so first uses are
 * left out there.
 */
#include "tests/support/check_status.h"
#include "tests/unit/sanitizers.h"
#include "tests/unit/unit.kernels.h"

#include <pthread.h>
#include <reap/reap.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 2000000, CHILDREN = 30, FIRST_USES = 60 };

static atomic_bool ending;

static bool counts(reap_queue *queue)
{
    uint64_t items = 0;
    return reap_parallel_for(queue, count_items, reap_range_1d(ITEMS),
                             .items = {.variable = &items}) == REAP_OK &&
           reap_queue_wait(queue) == REAP_OK && items == ITEMS;
}

/* What the child does: launches on the parent's queue and on one of its own. */
static int child(reap_queue *queue)
{
    alarm(20); /* a deadlock is a failure */
    reap_queue *own;
    bool right = counts(queue) && counts(queue);
    right &= reap_queue_create(NULL, NULL, &own) == REAP_OK && counts(own);
    reap_queue_release(own);
    return right ? 0 : 1;
}

static bool child_succeeds(reap_queue *queue)
{
    int status;
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0)
        _exit(child(queue));
    return process > 0 && waitpid(process, &status, 0) == process && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static void *list_devices(void *started)
{
    const reap_device *device;
    atomic_store((atomic_bool *)started, true);
    reap_device_default(&device);
    return NULL;
}

/* In a process that has not used Reap: one thread lists the devices, and the other forks while that
 * goes on, `turns` later. */
static int first_use(int turns)
{
    atomic_bool started = false;
    pthread_t thread;
    int status = 1;
    pthread_create(&thread, NULL, list_devices, &started);
    while (!atomic_load(&started))
        ;
    for (volatile int i = 0; i < turns; i++)
        ;
    const pid_t process = fork();
    if (process == 0) {
        const reap_device *device;
        alarm(20);
        _exit(reap_device_default(&device) == REAP_OK ? 0 : 1);
    }
    pthread_join(thread, NULL);
    return process > 0 && waitpid(process, &status, 0) == process && status == 0 ? 0 : 1;
}

static void fork_at_first_use(void)
{
    for (int i = 0; i < FIRST_USES && check_failures == 0; i++) {
        int status = 1;
        fflush(NULL);
        const pid_t process = fork();
        if (process == 0)
            _exit(first_use(i * 10000));
        CHECK(process > 0 && waitpid(process, &status, 0) == process && status == 0);
    }
}

static void *launch_until_ending(void *queue)
{
    while (!atomic_load(&ending))
        counts(queue);
    return NULL;
}

int main(void)
{
    reap_queue *queue, *other;
    pthread_t threads[2];
    if (UNDER_THREAD_SANITIZER) {
        puts("skipped: ThreadSanitizer does not support threads in a forked child");
        return 0;
    }
    if (UNDER_ADDRESS_SANITIZER)
        puts("skipped: AddressSanitizer does not support forks while other threads allocate");
    else
        fork_at_first_use();
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    CHECK_STATUS(reap_queue_create(NULL, NULL, &other), REAP_OK);
    CHECK(counts(queue));
    CHECK(child_succeeds(queue));
    CHECK(counts(queue));
    for (int t = 0; t < 2; t++)
        CHECK_EQ(pthread_create(&threads[t], NULL, launch_until_ending, t == 0 ? queue : other), 0);
    for (int c = 0; c < CHILDREN; c++)
        CHECK(child_succeeds(queue));
    atomic_store(&ending, true);
    for (int t = 0; t < 2; t++)
        pthread_join(threads[t], NULL);
    CHECK(counts(queue));
    reap_queue_release(queue);
    reap_queue_release(other);
    return check_finish();
}
