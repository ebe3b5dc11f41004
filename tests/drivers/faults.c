/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes each call of a driver fail, one at a time and in every way, and each allocation of the
 * library: from the first look for devices on to the release of the last buffer. Whatever fails,
 * the failure is reported or the answer is right; afterwards it runs as if nothing had been, or,
 * where the device is lost, reports that; and nothing leaks. Each case is a process of its own.
 *
 * Usage: test_faults DEVICE FAULT EVERY          every so many calls, from a random one on; all, or
 *                                                every two SHAREs of the environment, if that is 1
 *        test_faults DEVICE FAULT STEPS NUMBER   one case, of a program that has not looked for
 *                                                devices yet
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "tests/drivers/program.h"
#include "tests/drivers/stand_in.h"
#include "tests/fake/control.h"
#include "tests/support/check_status.h"

#include "src/accelerator/runtime/streams.h"
#include "src/core/allocate.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const fault_names[] = {"",     "refuses",    "no_memory",
                                          "lost", "lost_later", "allocation"};
enum { FAULT_OF_ALLOCATION = FAKE_LOST_LATER + 1, FAULTS };

/* What is there at the end of a program. */
struct remains {
    unsigned long calls;
    unsigned long allocations; /* that were made */
    long allocated;
    long alive[FAKE_KINDS];
};

/* Of the program in which nothing fails; shared with the processes. And which program it is. */
static struct remains *clean;
static unsigned steps;

static struct remains find_remains(void)
{
    struct remains remains = {
        .calls = fake_calls(),
        .allocated = reap__allocations_alive(),
    };
    for (int kind = 0; kind < FAKE_KINDS; kind++)
        remains.alive[kind] = fake_alive((enum fake_kind)kind);
    remains.alive[FAKE_EVENT] -= stand_in_idle_events();
    return remains;
}

static void keep_remains(void)
{
    const unsigned long allocations = clean->allocations;
    *clean = find_remains();
    clean->allocations = allocations;
}

/* What could not be released is still there. */
static bool failed_to_release(void)
{
    static const char *const words[] = {"Free", "Release", "Destroy", "Unload", "CtxP"};
    const char *name = fake_failed_call();
    for (size_t w = 0; name != NULL && w < sizeof words / sizeof *words; w++)
        if (strstr(name, words[w]) != NULL)
            return true;
    return false;
}

/* Whether the device is: also an OpenCL queue that could not be finished has lost what was in it,
 * and the device with it. */
static bool is_lost(int fault)
{
    return fault == FAKE_LOST || fault == FAKE_LOST_LATER ||
           (fake_failed_call() != NULL && strcmp(fake_failed_call(), "clFinish") == 0);
}

/* A queue for the device, of which there may be none: then the reason has been reported. */
static reap_queue *make_queue(void)
{
    const reap_device *device;
    reap_queue *queue = NULL;
    reap_status status = reap_device_default(&device);
    if (status == REAP_OK) {
        stand_in_for(device);
        status = reap_queue_create(device, &(reap_queue_options){.profiling = true}, &queue);
    }
    CHECK_EQ((status == REAP_OK), (queue != NULL));
    CHECK(status == REAP_OK || reap_last_error()[0] != '\0');
    return queue;
}

static bool is_missing_with_a_reason(void)
{
    const char *const *sentences;
    size_t count;
    return reap_device_missing(&sentences, &count) == REAP_OK && count == 1 &&
           sentences[0][0] != '\0';
}

/* After one failure: the program again. */
static void run_again(reap_queue *queue)
{
    struct program_failure failure;
    CHECK(program_run(queue, steps, &failure));
    if (failure.status != REAP_OK)
        fprintf(stderr, "again: %s\n", failure.line);
}

enum { STREAMS = 3 }; /* of a device that is open */

/* The first failure may have the driver's words; one that was lost before it could be opened
 * is reported each time. */
static void run_lost(reap_queue *queue)
{
    struct program_failure failure;
    if (fake_failed_call() == NULL)
        return;
    CHECK(!program_run(queue, steps, &failure) && failure.status == REAP_ERROR_DEVICE_FAILED);
    CHECK(!program_run(queue, steps, &failure) && failure.status == REAP_ERROR_DEVICE_FAILED);
    CHECK(strstr(failure.line, "lost") != NULL || fake_alive(FAKE_STREAM) < STREAMS);
}

static void check_remains(int fault)
{
    const struct remains found = find_remains();
    CHECK_EQ(fake_misuses(), 0);
    CHECK(is_lost(fault) ? found.allocated <= clean->allocated
                         : found.allocated == clean->allocated);
    CHECK(found.alive[FAKE_COMPILATION] == 0 || failed_to_release());
    for (int kind = 0; kind < FAKE_KINDS && !is_lost(fault) && !failed_to_release(); kind++)
        CHECK_EQ(found.alive[kind], clean->alive[kind]);
}

/* `number` 0: nothing fails. */
static void run_case(int fault, unsigned long number)
{
    struct program_failure failure = {.status = REAP_OK};
    const bool fails_here = fault == FAULT_OF_ALLOCATION;
    fake_set_plan(
        &(const struct fake_plan){.failing_call = fails_here ? 0 : number,
                                  .fault = fails_here ? FAKE_FINE : (enum fake_fault)fault});
    reap__fail_allocation(fails_here ? number : 0);
    reap_queue *queue = make_queue();
    const bool is_fine = queue != NULL && program_run(queue, steps, &failure);
    const unsigned long allocations = reap__allocations_made();
    reap__fail_allocation(0);
    if (queue == NULL && fails_here) {
        queue = make_queue();
        CHECK(queue != NULL);
    }
    if (number == 0) {
        CHECK(is_fine);
        clean->allocations = allocations;
    }
    if (queue == NULL)
        CHECK(is_missing_with_a_reason());
    else if (number > 0 && is_lost(fault))
        run_lost(queue);
    else if (number > 0)
        run_again(queue);
    reap_queue_release(queue);
    if (number > 0 && queue != NULL)
        check_remains(fault);
    CHECK_EQ(program_mistakes(), 0);
    if (check_failures > 0)
        fprintf(stderr, "first: %s\n", failure.line);
}

static bool succeeds(const char *device, int fault, unsigned long number)
{
    int status = 1;
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        check_failures = 0;
        run_case(fault, number);
        if (number == 0)
            keep_remains();
        if (check_failures > 0)
            fprintf(stderr, "%s, %s %lu (%s)\n", device, fault_names[fault], number,
                    fake_failed_call() != NULL ? fake_failed_call() : "no call failed");
        fflush(NULL);
        _exit(check_failures > 0);
    }
    if (process < 0 || waitpid(process, &status, 0) != process)
        return false;
    if (status > 1 && !WIFEXITED(status))
        fprintf(stderr, "%s, %s %lu: signal %d\n", device, fault_names[fault], number,
                WTERMSIG(status));
    return status == 0;
}

static unsigned long every;
static uint64_t seed;

static void fail_each(const char *device, int fault)
{
    CHECK(succeeds(device, FAKE_FINE, 0));
    const unsigned long count = fault == FAULT_OF_ALLOCATION ? clean->allocations : clean->calls;
    unsigned long cases = 0;
    CHECK_GT(count, 10);
    for (unsigned long n = 1 + check_random(&seed) % every; n <= count; n += every, cases++)
        CHECK(succeeds(device, fault, n));
    printf("%s, %s, steps %x: %lu of %lu cases\n", device, fault_names[fault], steps, cases, count);
}

/* Devices are looked for in the first program, and known in the others. */
static void fail_all(const char *device, int fault)
{
    const reap_device *found;
    seed = check_seed();
    if (check_random(&seed) % 2 == 0) /* copies are on streams of their own */
        reap__least_async_copy_bytes = 4096;
    steps = PROGRAM_SCALES;
    fail_each(device, fault);
    CHECK_STATUS(reap_device_default(&found), REAP_OK);
    for (steps = PROGRAM_KEEPS; steps < PROGRAM_ALL; steps *= 2)
        fail_each(device, fault);
}

static int number_of(const char *name)
{
    for (int fault = FAKE_REFUSES; fault < FAULTS; fault++)
        if (strcmp(fault_names[fault], name) == 0)
            return fault;
    return 0;
}

int main(int count, char **arguments)
{
    const int fault = count > 3 ? number_of(arguments[2]) : 0;
    if (fault == 0)
        return 2;
    const char *device = arguments[1];
    char backends[32];
    snprintf(backends, sizeof backends, "host,%.*s", (int)strcspn(device, ":"), device);
    setenv("REAP_BACKENDS", backends, 1);
    setenv("REAP_DEVICE", device, 1);
    setenv("REAP_CACHE_DIR", "none", 1);
    unsetenv("REAP_DUMP_KERNELS");
    clean = mmap(NULL, sizeof *clean, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (clean == MAP_FAILED)
        return 2;
    if (count == 4) {
        const char *share = getenv("SHARE");
        every = strtoul(arguments[3], NULL, 10);
        if (every == 1 && share != NULL)
            every = 2 * strtoul(share, NULL, 10);
        if (every == 0)
            return 2;
        fail_all(device, fault);
    } else {
        steps = (unsigned)strtoul(arguments[3], NULL, 16);
        CHECK(succeeds(device, FAKE_FINE, 0));
        CHECK(succeeds(device, fault, strtoul(arguments[4], NULL, 10)));
    }
    return check_finish();
}
