/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launch asks of a driver once everything is warm: no memory, no compiler, no program, and
 * no waiting for the device before the program waits for the queue. And launches on an OpenCL
 * device with little local memory and few bytes of parameters.
 */
#include "tests/drivers/program.h"
#include "tests/drivers/stand_in.h"
#include "tests/fake/control.h"
#include "tests/support/check_status.h"

#include "src/accelerator/runtime/streams.h"
#include "src/core/allocate.h"

#include <sys/wait.h>
#include <unistd.h>

enum { LAUNCHES = 20 };

static uint32_t y[PROGRAM_ITEMS];

static reap_queue *make_queue(void)
{
    reap_queue *queue = NULL;
    const reap_device *device = NULL;
    CHECK_STATUS(reap_device_default(&device), REAP_OK);
    stand_in_for(device);
    CHECK_STATUS(reap_queue_create(device, NULL, &queue), REAP_OK);
    return queue;
}

/* What makes something, or loads it; compilers count by the first that each of them calls. */
static unsigned long calls_that_make(void)
{
    return fake_calls_of("cuMemAlloc") + fake_calls_of("cuMemHostAlloc") +
           fake_calls_of("cuModuleLoadDataEx") + fake_calls_of("nvrtcCreateProgram") +
           fake_calls_of("clCreateBuffer") + fake_calls_of("clCreateProgramWithSource") +
           fake_calls_of("clCreateProgramWithBinary") + fake_calls_of("clBuildProgram");
}

static unsigned long calls_that_launch(void)
{
    return fake_calls_of("cuLaunchKernelEx") + fake_calls_of("clEnqueueNDRangeKernel");
}

/* A chain of launches, each with an event. Half of the events are given back at once. */
static void check_events(reap_queue *queue, uint64_t *sum, uint32_t *most, uint64_t *where)
{
    const unsigned long before = fake_waits();
    reap_event *events[LAUNCHES] = {NULL};
    for (int i = 0; i < LAUNCHES; i++) {
        const size_t count = i > 0 && i % 2 == 1;
        const reap_launch_options options = {.wait_for = count > 0 ? &events[i - 1] : NULL,
                                             .wait_for_count = count,
                                             .event = &events[i]};
        CHECK_STATUS(program_launch_with(&options, queue, y, sum, most, where), REAP_OK);
        if (i % 2 == 1)
            reap_event_release(events[i]);
    }
    CHECK_EQ(fake_waits(), before);
    CHECK_STATUS(reap_event_wait(events[LAUNCHES - 2]), REAP_OK);
    CHECK_EQ(fake_waits(), before + 1);
    for (int i = 0; i < LAUNCHES; i += 2) {
        CHECK_STATUS(reap_event_wait(events[i]), REAP_OK);
        reap_event_release(events[i]);
    }
    CHECK_EQ(fake_waits(), before + 1);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_EQ(fake_waits(), before + 2);
    CHECK_EQ(fake_alive(FAKE_EVENT), stand_in_idle_events());
}

/* After a wait for a command, or a query for its end, its results are there; the next one's follow.
 */
static void check_orders(reap_queue *queue)
{
    uint64_t sums[3] = {0}, where[3];
    uint32_t most[3];
    reap_event *events[3];
    bool is_complete[2] = {false};
    const unsigned long before = fake_waits();
    for (int i = 0; i < 3; i++)
        CHECK(program_launch_with(&(reap_launch_options){.event = &events[i]}, queue, y, &sums[i],
                                  &most[i], &where[i]) == REAP_OK);
    CHECK_STATUS(reap_event_wait(events[0]), REAP_OK);
    CHECK(sums[0] != 0 && sums[1] == 0 && sums[2] == 0);
    while (!is_complete[1] && fake_calls() < 100000)
        CHECK_STATUS(reap_event_query(events[1], &is_complete[1]), REAP_OK);
    CHECK(sums[1] == sums[0] && sums[2] == 0 && fake_waits() == before + 1);
    CHECK_STATUS(reap_events_wait(events, 3), REAP_OK);
    CHECK(sums[2] == sums[0] && fake_waits() == before + 2);
    CHECK(reap_event_query(events[0], &is_complete[0]) == REAP_OK && is_complete[0]);
    for (int i = 0; i < 3; i++)
        reap_event_release(events[i]);
    CHECK_EQ(fake_alive(FAKE_EVENT), stand_in_idle_events());
}

/* ---- Times ------------------------------------------------------------------------------------*/

/* What the fakes measure, a whole number of units, one for each thing that they have been given: no
 * host's clock gives that. Returns the units, and releases the event. */
static uint64_t unit;
static uint64_t units_of(reap_event *event)
{
    reap_event_times times = {0};
    CHECK_STATUS(reap_event_wait(event), REAP_OK);
    CHECK_STATUS(reap_event_get_times(event, &times), REAP_OK);
    reap_event_release(event);
    CHECK(times.submitted <= times.started && (times.ended - times.started) % unit == 0);
    return (times.ended - times.started) / unit;
}

/* A reduction of few rows, for which the card has a launch each, of one program, begins with that
 * of the first one. */
static void time_rows(reap_queue *queue)
{
    uint64_t sums[2], expected[2] = {0};
    const unsigned long programs = fake_calls_of("nvrtcCreateProgram");
    reap_event *event;
    for (size_t i = 0; i < PROGRAM_ITEMS; i++)
        expected[i / (PROGRAM_ITEMS / 2)] += y[i];
    for (int warm = 0; warm < 2; warm++) {
        const unsigned long before = calls_that_launch();
        CHECK_STATUS(program_add_rows(&(reap_launch_options){.event = &event}, queue, y, sums, 2),
                     REAP_OK);
        const uint64_t launches = calls_that_launch() - before, units = units_of(event);
        CHECK_GE(launches, 2);
        CHECK_GE(units, launches);
        CHECK(sums[0] == expected[0] && sums[1] == expected[1]);
    }
    CHECK_EQ(fake_calls_of("nvrtcCreateProgram"), programs + 1);
}

static void write_on_host(reap_buffer *buffer)
{
    void *data;
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ | REAP_WRITE, &data), REAP_OK);
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
}

/* The command has so many parts; more, where they are on two streams, one of which waits for the
 * other. */
static void check_units(reap_event *event, uint64_t parts)
{
    const uint64_t units = units_of(event);
    CHECK(reap__least_async_copy_bytes < sizeof y ? units >= parts : units == parts);
}

/* A copy or a fill of a part of a buffer begins with the buffer's migration, if it migrates. */
static void time_migrations(reap_queue *queue, reap_buffer *buffer)
{
    const uint32_t pattern[2] = {1, 2};
    reap_event *event;
    const reap_launch_options options = {.event = &event};
    write_on_host(buffer);
    for (unsigned migrates = 2; migrates-- > 0;) {
        CHECK_STATUS(reap_copy(queue, y, pattern, sizeof pattern, &options), REAP_OK);
        check_units(event, 1 + migrates);
    }
    write_on_host(buffer);
    for (unsigned migrates = 2; migrates-- > 0;) {
        CHECK_STATUS(reap_fill(queue, y, pattern, sizeof pattern, 1, &options), REAP_OK);
        check_units(event, 1 + migrates);
    }
    write_on_host(buffer);
    for (unsigned migrates = 2; migrates-- > 0;) {
        CHECK_STATUS(reap_prefetch(queue, y, 1, &options), REAP_OK);
        check_units(event, migrates);
    }
    write_on_host(buffer);
}

static void check_times(reap_buffer *buffer, bool is_card)
{
    uint64_t sums[2] = {0}, where[2];
    uint32_t most[2];
    reap_event *events[2];
    reap_event_times times;
    reap_queue *queue = NULL;
    CHECK(reap_queue_create(NULL, &(reap_queue_options){.profiling = true}, &queue) == REAP_OK);
    for (int i = 0; i < 2; i++)
        CHECK(program_launch_with(&(reap_launch_options){.event = &events[i]}, queue, y, &sums[i],
                                  &most[i], &where[i]) == REAP_OK);
    CHECK_STATUS(reap_event_get_times(events[1], &times), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_events_wait(events, 2), REAP_OK);
    for (int i = 0; i < 2; i++)
        CHECK_GE(units_of(events[i]), 1);
    if (is_card)
        time_rows(queue);
    time_migrations(queue, buffer);
    const size_t least = reap__least_async_copy_bytes;
    reap__least_async_copy_bytes = 1024;
    time_migrations(queue, buffer);
    reap__least_async_copy_bytes = least;
    reap_queue_release(queue);
    const long clocks = is_card ? 1 : 0; /* CUDA's stays */
    CHECK_EQ(fake_alive(FAKE_EVENT), stand_in_idle_events() + clocks);
}

static void check_calls(const char *name)
{
    uint64_t sum = 0, where = 0;
    uint32_t most = 0;
    reap_buffer *buffer;
    struct program_failure failure;
    reap_queue *queue = make_queue();
    for (uint32_t i = 0; i < PROGRAM_ITEMS; i++)
        y[i] = i + 1;
    CHECK(program_run(queue, PROGRAM_ALL, &failure));
    CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &buffer), REAP_OK);
    CHECK_STATUS(program_launch(queue, y, &sum, &most, &where), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);

    fake_set_plan(NULL);
    reap__fail_allocation(0);
    for (int i = 0; i < LAUNCHES; i++)
        CHECK_STATUS(program_launch(queue, y, &sum, &most, &where), REAP_OK);
    printf("%s: %d launches make %lu calls of the driver; %lu launch, %lu wait for the device\n",
           name, LAUNCHES, fake_calls(), calls_that_launch(), fake_waits());
    CHECK(calls_that_make() == 0 && reap__allocations_made() == 0);
    CHECK_GE(calls_that_launch(), LAUNCHES);
    CHECK_EQ(fake_waits(), 0);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_EQ(fake_waits(), 1);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_EQ(fake_waits(), 1);
    check_events(queue, &sum, &most, &where);
    check_orders(queue);
    const bool is_card = strncmp(name, "cuda", 4) == 0;
    unit = is_card ? 1000000 : 1000;
    check_times(buffer, is_card);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    reap_queue_release(queue);
    CHECK(fake_misuses() == 0 && program_mistakes() == 0);
}

struct kept {
    uint64_t sum, where;
    uint32_t most;
};

/* A group of 1000 has no 16 bytes of local memory for each item, which `step` does not need. Of
 * `measure`, the host stores the results, for whose variables a launch has no memories. */
static void check_small(const char *name)
{
    struct kept *kept;
    reap_buffer *buffer, *kept_buffer;
    void *data;
    reap_queue *queue = make_queue();
    (void)name;
    stand_in_limit(40);
    CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_create(sizeof *kept, &kept_buffer), REAP_OK);
    kept = reap_buffer_data(kept_buffer);
    CHECK_STATUS(reap_fill(queue, kept, "", 1, sizeof *kept, NULL), REAP_OK);
    CHECK_STATUS(program_step(queue, y, 1000), REAP_OK);
    CHECK_STATUS(program_launch(queue, y, &kept->sum, &kept->most, &kept->where), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_STATUS(reap_host_access_begin(kept_buffer, REAP_READ, &data), REAP_OK);
    CHECK(kept->sum == PROGRAM_ITEMS && kept->most == 1 && kept->where == 0);
    CHECK_STATUS(reap_host_access_end(kept_buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_release(kept_buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK(y[0] == 1 && y[PROGRAM_ITEMS - 1] == 1);
    reap_queue_release(queue);
    CHECK_EQ(fake_misuses(), 0);
}

/* Each kind of device in a process of its own, since the environment is read once. */
static void run(const char *backend, const char *device, void (*check)(const char *name))
{
    int status = 1;
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        setenv("REAP_BACKENDS", backend, 1);
        setenv("REAP_DEVICE", device, 1);
        setenv("REAP_CACHE_DIR", "none", 1);
        check(device);
        fflush(NULL);
        _exit(check_failures > 0);
    }
    CHECK(process > 0 && waitpid(process, &status, 0) == process);
    CHECK_EQ(status, 0);
}

int main(void)
{
    unsetenv("REAP_DUMP_KERNELS");
    run("opencl", "opencl:0", check_calls);
    run("cuda", "cuda:0", check_calls);
    setenv("FAKE_SHARED_MEMORY", "8192", 1);
    run("opencl", "opencl:0", check_small);
    return check_finish();
}
