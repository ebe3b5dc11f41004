/* SPDX-License-Identifier: Apache-2.0
 *
 * Helper threads as the rest of the program sees them: which signals reach them, on which
 * processors they run, that they end, and that they help with few items. Each case is a process of
 * its own.
 */
#define _GNU_SOURCE
#include "tests/support/check.h"
#include "tests/unit/helpers.kernels.h"
#include "tests/unit/sanitizers.h"

#include <pthread.h>
#include <reap/reap.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 2000, MOST_LAUNCHES = 100, HANDLED = 3 };

static pthread_t launcher;
static atomic_bool has_helped;
static bool has_paused;
static void (*on_helper)(void);
static atomic_int processors; /* that the helper may run on */

/* The launching thread takes its time, so that helpers get items; and once so long that they fall
 * asleep before the launch has ended. */
void visit_item(void)
{
    if (pthread_equal(pthread_self(), launcher)) {
        usleep(atomic_load(&has_helped) && !has_paused ? 20000 : 50);
        has_paused = atomic_load(&has_helped);
    } else {
        on_helper();
        atomic_store(&has_helped, true);
    }
}

static void nothing(void)
{
}

static reap_queue *make_queue(void)
{
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        exit(1);
    return queue;
}

/* Launches until a helper had an item, which on a busy machine may take more than one launch. */
static void launch(reap_queue *queue, void (*action)(void))
{
    launcher = pthread_self();
    on_helper = action;
    atomic_store(&has_helped, false);
    has_paused = false;
    for (int i = 0; i < MOST_LAUNCHES && !atomic_load(&has_helped); i++) {
        uint64_t items = 0;
        const reap_status status =
            reap_parallel_for(queue, visit, reap_range_1d(ITEMS), .items = {.variable = &items});
        if (status != REAP_OK || reap_queue_wait(queue) != REAP_OK || items != ITEMS)
            exit(1);
    }
}

static void end_handled(int signal)
{
    (void)signal;
    _exit(HANDLED);
}

static void fault(void)
{
    volatile char *page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *page = 1;
}

/* A fault of a kernel on a helper reaches the program's handler. */
static int fault_on_helper(void)
{
    signal(SIGSEGV, end_handled);
    launch(make_queue(), fault);
    return 1;
}

/* A signal to the process, which its only thread blocks, reaches no helper. */
static int other_signals(void)
{
    sigset_t user, pending;
    signal(SIGUSR1, end_handled);
    sigemptyset(&user);
    sigaddset(&user, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &user, NULL);
    reap_queue *queue = make_queue();
    launch(queue, nothing);
    kill(getpid(), SIGUSR1);
    launch(queue, nothing);
    sigpending(&pending);
    reap_queue_release(queue);
    return sigismember(&pending, SIGUSR1) == 1 ? 0 : 1;
}

static void count_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        atomic_store(&processors, CPU_COUNT(&set));
}

static void bind_to_one(void)
{
    cpu_set_t set;
    int processor = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        exit(1);
    while (!CPU_ISSET(processor, &set))
        processor++;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        exit(1);
}

/* Helpers of a thread that was bound to a processor are not. */
static int bound_launcher(void)
{
    reap_queue *queue = make_queue();
    count_processors();
    const int before = atomic_exchange(&processors, 0);
    bind_to_one();
    launch(queue, count_processors);
    reap_queue_release(queue);
    return atomic_load(&processors) == before ? 0 : 1;
}

/* Without its main thread the process ends with its last thread, and that is a helper; or one of
 * ThreadSanitizer's, which does not end. */
static int main_thread_leaves(void)
{
    if (UNDER_THREAD_SANITIZER) {
        puts("skipped: under ThreadSanitizer no process ends by the end of its threads");
        return 0;
    }
    reap_queue *queue = make_queue();
    launch(queue, nothing);
    reap_queue_release(queue);
    pthread_exit(NULL);
}

/* Helpers that ended come again when they are wanted. */
static int helpers_return(void)
{
    reap_queue *queue = make_queue();
    count_processors();
    launch(queue, count_processors);
    sleep(4);
    atomic_store(&processors, 0);
    launch(queue, count_processors);
    reap_queue_release(queue);
    return atomic_load(&processors) > 0 ? 0 : 1;
}

/* Four items, of a tenth of a millisecond each, that reduce nothing. */
static int few_items_are_shared(void)
{
    enum { FEW = 4 };
    reap_queue *queue = make_queue();
    launcher = pthread_self();
    on_helper = nothing;
    for (int i = 0; i < MOST_LAUNCHES && !atomic_load(&has_helped); i++) {
        uint32_t visited[FEW] = {0};
        if (reap_parallel_for(queue, visit_alone, reap_range_1d(FEW), .visited = visited) !=
                REAP_OK ||
            visited[0] + visited[1] + visited[2] + visited[3] != FEW)
            exit(2);
    }
    reap_queue_release(queue);
    return atomic_load(&has_helped) ? 0 : 1;
}

/* The cases sleep more than they work, so they run at once. */
static const struct {
    const char *name;
    int (*body)(void);
    int exit_status;
} cases[] = {
    {"fault_on_helper", fault_on_helper, HANDLED},
    {"other_signals", other_signals, 0},
    {"bound_launcher", bound_launcher, 0},
    {"main_thread_leaves", main_thread_leaves, 0},
    {"helpers_return", helpers_return, 0},
    {"few_items_are_shared", few_items_are_shared, 0},
};

enum { CASES = sizeof cases / sizeof *cases };

int main(void)
{
    pid_t processes[CASES];
    fflush(NULL);
    for (size_t c = 0; c < CASES; c++) {
        processes[c] = fork();
        if (processes[c] == 0) {
            alarm(60); /* one that hangs is a failure */
            exit(cases[c].body());
        }
    }
    for (size_t c = 0; c < CASES; c++) {
        int status = 0;
        CHECK(processes[c] > 0 && waitpid(processes[c], &status, 0) == processes[c]);
        const bool right = WIFEXITED(status) && WEXITSTATUS(status) == cases[c].exit_status;
        if (!right)
            fprintf(stderr, "%s ends with %#x\n", cases[c].name, (unsigned)status);
        CHECK(right);
    }
    return check_finish();
}
