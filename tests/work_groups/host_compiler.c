/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel with barriers is compiled while threads launch it: every launch computes the same,
 * before, while and after. So do forked children, and programs that ignore the ends of their
 * children, whose kernels stay with fibers.
 */
#include "host_compiler.kernels.h"
#include "tests/support/check.h"
#include "tests/support/check_status.h"
#include "tests/unit/sanitizers.h"

#include <pthread.h>
#include <reap/reap.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ITEMS = 4096, GROUP = 64, THREADS = 3 };

static const reap_device *host;
static uint32_t x[ITEMS];
static uint64_t expected;
static atomic_bool ends;

static uint64_t launch(reap_queue *queue)
{
    uint64_t sum = 0;
    if (reap_parallel_for(queue, rotate_group, reap_nd_range_1d(ITEMS, GROUP), .x = x,
                          .shared = GROUP, .sum = {.variable = &sum}) != REAP_OK)
        return 0;
    return sum;
}

static uint64_t refer(void)
{
    uint64_t sum = 0;
    for (size_t group = 0; group < ITEMS; group += GROUP)
        for (size_t l = 0; l < GROUP; l++) {
            uint32_t v = x[group + l];
            for (size_t k = 1; k < ROUNDS; k++)
                v = v * 31 + x[group + (l + k) % GROUP];
            sum += v;
        }
    return sum;
}

static void *run(void *data)
{
    reap_queue *queue;
    size_t *const launches = data;
    bool is_right = reap_queue_create(host, NULL, &queue) == REAP_OK;
    while (is_right && !atomic_load(&ends)) {
        is_right = launch(queue) == expected;
        ++*launches;
    }
    reap_queue_release(queue);
    return is_right ? data : NULL;
}

static const char *code(void)
{
    return reap_kernel_code(host, &reap_kernel_rotate_group, 1);
}

/* Until the kernel is compiled, or is known to stay with fibers. */
static void wait_for_code(void)
{
    for (int i = 0; i < 6000 && strcmp(code(), "fibers: it is not compiled yet") == 0; i++)
        nanosleep(&(const struct timespec){.tv_nsec = 10000000}, NULL);
}

static void run_threads(void)
{
    pthread_t threads[THREADS];
    size_t launches[THREADS] = {0};
    void *result;
    atomic_store(&ends, false);
    for (size_t i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, run, &launches[i]), 0);
    wait_for_code();
    nanosleep(&(const struct timespec){.tv_nsec = 50000000}, NULL);
    atomic_store(&ends, true);
    for (size_t i = 0; i < THREADS; i++) {
        CHECK_EQ(pthread_join(threads[i], &result), 0);
        CHECK(result != NULL && launches[i] > 0);
    }
}

/* In a child, which may have been forked while the parent compiled. */
static void run_child(void)
{
    int status;
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        reap_queue *queue;
        bool is_right = reap_queue_create(host, NULL, &queue) == REAP_OK;
        for (int i = 0; i < 200; i++)
            is_right = is_right && launch(queue) == expected;
        _exit(is_right ? 0 : 1);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void *fork_now(void *none)
{
    (void)none;
    for (int i = 0; i < 10; i++) {
        run_child();
        nanosleep(&(const struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t forks;
    const bool ignores = count > 1 && strcmp(arguments[1], "ignore") == 0;
    const bool forks_too = !ignores && !UNDER_THREAD_SANITIZER;
    setenv("REAP_HOST_COMPILER_AFTER", "1", 1);
    setenv("REAP_CACHE_DIR", "none", 1);
    for (size_t i = 0; i < ITEMS; i++)
        x[i] = (uint32_t)i * 2654435761u;
    expected = refer();
    CHECK_STATUS(reap_device_find("host", &host), REAP_OK);
    if (ignores)
        signal(SIGCHLD, SIG_IGN);
    if (forks_too)
        CHECK_EQ(pthread_create(&forks, NULL, fork_now, NULL), 0);
    run_threads();
    if (ignores)
        CHECK(strncmp(code(), "fibers: ", 8) == 0);
    if (forks_too)
        CHECK_EQ(pthread_join(forks, NULL), 0);
    return check_finish();
}
