/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads with the smallest stacks that the system has can launch, copy and wait on the host; what
 * would overflow a stack is refused with a sentence, and nothing has run then. On another device,
 * where REAP_DEVICE names one, everything is refused there.
 */
#define _GNU_SOURCE /* PTHREAD_STACK_MIN */
#include "tests/support/check_status.h"
#include "tests/unit/small_stacks.kernels.h"
#include "tests/unit/unit.kernels.h"

#include "src/core/stack.h"

#include <limits.h>
#include <pthread.h>
#include <reap/reap.h>

/* Without optimisation, or with sanitizers, everything takes several times as much. */
#ifdef REAP_TESTS_SMALL
enum { TIMES = 12 };
#else
enum { TIMES = 1 };
#endif
enum {
    TOO_LITTLE = REAP__STACK_FOR_HOST - 1000,
    TOO_LITTLE_FOR_MANY = REAP__STACK_FOR_HOST + 3000
};
enum { FEW_ITEMS = 64, ITEMS = 200000, BINS = 100, GROUP_ITEMS = 50 };

static float x[ITEMS], y[ITEMS];
static eight all, few[3];
static uint32_t bins[BINS];
static double sums[4 * BINS];
static float narrow[2 * BINS];
static reap_queue *queue;
static reap_status status;
static char line[400];

static void note(reap_status got)
{
    status = got;
    snprintf(line, sizeof line, "%s", got != REAP_OK ? reap_last_error() : "");
}

/* ---- What threads do --------------------------------------------------------------------------*/

static void make_queue(void)
{
    note(reap_queue_create(NULL, NULL, &queue));
}

static void launch_few(void)
{
    double sum = 0;
    float most = 0;
    note(reap_parallel_for(queue, add_up, reap_range_1d(FEW_ITEMS), .x = x,
                           .sum = {.variable = &sum}, .most = {.variable = &most}));
}

static void launch_everything(void)
{
    float sum = 0, most = 0;
    uint64_t place;
    note(reap_parallel_for(
        queue, everything, reap_range_1d(ITEMS), .x = x, .y = y, .sum = {.variable = &sum},
        .most = {.variable = &most, .location = &place}, .all = {.variable = &all},
        .bins = {.variable = bins, .count = BINS}, .few = {.variable = few, .count = 3}));
}

static void launch_groups(void)
{
    float sum = 0, most = 0;
    uint64_t place;
    note(reap_parallel_for(queue, everything_in_groups, reap_nd_range_1d(ITEMS / 10, GROUP_ITEMS),
                           .x = x, .sum = {.variable = &sum},
                           .most = {.variable = &most, .location = &place},
                           .all = {.variable = &all}, .bins = {.variable = bins, .count = BINS},
                           .shared = GROUP_ITEMS));
}

static void launch_phases(void)
{
    float sum = 0, most = 0;
    uint64_t place;
    note(reap_parallel_for(queue, everything_in_phases, reap_nd_range_1d(ITEMS / 10, GROUP_ITEMS),
                           .x = x, .sum = {.variable = &sum},
                           .most = {.variable = &most, .location = &place},
                           .all = {.variable = &all}, .bins = {.variable = bins, .count = BINS},
                           .shared = GROUP_ITEMS));
}

static void launch_2d(void)
{
    float sum = 0, most = 0;
    uint64_t place;
    note(reap_parallel_for(
        queue, reduce_few, reap_range_2d(30, 100), .x = x, .sum = {.variable = &sum},
        .most = {.variable = &most, .location = &place}, .all = {.variable = &all}));
}

static void launch_doubles(void)
{
    double sum = 0, squares = 0, most = 0, least = 0;
    note(reap_parallel_for(queue, reduce_doubles, reap_range_2d(30, 100), .x = x, .sum = &sum,
                           .squares = &squares, .most = &most, .least = &least));
}

static void sum_once(void)
{
    note(reap_parallel_for(queue, sum_by_key, reap_range_1d(ITEMS), .x = x,
                           .sums = {.variable = sums, .count = BINS}));
}

static void sum_often(void)
{
    note(reap_parallel_for(
        queue, sums_by_key, reap_range_1d(ITEMS), .x = x, .a = {.variable = sums, .count = BINS},
        .b = {.variable = sums + BINS, .count = BINS}, .c = {.variable = narrow, .count = BINS},
        .d = {.variable = narrow + BINS, .count = BINS},
        .e = {.variable = sums + 2 * BINS, .count = BINS},
        .f = {.variable = sums + 3 * BINS, .count = BINS}));
}

static void launch_wrongly(void)
{
    uint32_t bin = 0;
    const reap_status launched = reap_parallel_for(queue, count_hundreds, reap_range_1d(ITEMS),
                                                   .bins = {.variable = &bin, .count = 1});
    const reap_status waited = reap_queue_wait(queue);
    note(launched == waited && waited == REAP_ERROR_INDEX_OUT_OF_RANGE ? REAP_OK : waited);
}

static void use_buffer(void)
{
    reap_buffer *buffer = NULL;
    reap_event *event = NULL;
    void *data = NULL;
    reap_status got = reap_buffer_wrap(x, sizeof x, &buffer);
    if (got == REAP_OK)
        got = reap_host_access_begin(buffer, REAP_READ | REAP_WRITE, &data);
    if (got == REAP_OK)
        got = reap_host_access_end(buffer);
    if (got == REAP_OK)
        got = reap_copy(queue, y, x, sizeof x, &(const reap_launch_options){.event = &event});
    if (got == REAP_OK)
        got = reap_event_wait(event);
    reap_event_release(event);
    const float one = 1;
    if (got == REAP_OK)
        got = reap_fill(queue, x, &one, sizeof one, ITEMS, NULL);
    if (got == REAP_OK)
        got = reap_buffer_release(buffer);
    note(got);
}

static void wait_for_queue(void)
{
    note(reap_queue_wait(queue));
}

/* A kernel with so many parameters that a launch takes more. */
static void launch_many(void)
{
    note(reap_parallel_for(queue, add_many, reap_range_1d(1), .a = y, .b = y + 1, .c = y + 2,
                           .d = y + 3, .e = y + 4, .f = y + 5, .g = y + 6, .h = y + 7, .i = y + 8));
}

/* ---- Threads ----------------------------------------------------------------------------------*/

/* What a thread does, and with how much of its stack left; 0: with all of it. */
struct job {
    void (*use)(void);
    size_t left;
    const char *bottom;
};

static void dig(const struct job *job);
static void (*volatile dig_on)(const struct job *job) = dig; /* which compilers do not inline */

static void dig(const struct job *job)
{
    const size_t left = (size_t)((const char *)__builtin_frame_address(0) - job->bottom);
    if (left > job->left)
        dig_on(job);
    else
        job->use();
    dig_on = dig; /* no tail call */
}

static void *work(void *argument)
{
    struct job *job = argument;
    pthread_attr_t attributes;
    void *bottom = NULL;
    size_t bytes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0 ||
        pthread_attr_getstack(&attributes, &bottom, &bytes) != 0)
        exit(1);
    pthread_attr_destroy(&attributes);
    job->bottom = bottom;
    if (job->left > 0)
        dig(job);
    else
        job->use();
    return NULL;
}

static void run(void (*use)(void), size_t left)
{
    struct job job = {use, left, NULL};
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK_EQ(pthread_attr_init(&attributes), 0);
    CHECK_EQ(pthread_attr_setstacksize(&attributes, (size_t)TIMES * (size_t)PTHREAD_STACK_MIN), 0);
    CHECK_EQ(pthread_create(&thread, &attributes, work, &job), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

static void check_host(void)
{
    static void (*const uses[])(void) = {
        launch_few, launch_everything, launch_groups,  launch_phases, launch_2d,     launch_doubles,
        sum_once,   sum_often,         launch_wrongly, use_buffer,    wait_for_queue};
    for (size_t u = 0; u < sizeof uses / sizeof *uses; u++)
        for (int i = 0; i < 3; i++) {
            run(uses[u], 0);
            CHECK_STATUS(status, REAP_OK);
            if (status != REAP_OK)
                fprintf(stderr, "  use %zu: %s\n", u, line);
        }
}

static void check_refusal(void (*use)(void), size_t left, const char *kernel)
{
    run(use, left);
    CHECK_STATUS(status, REAP_ERROR_OUT_OF_MEMORY);
    CHECK(strstr(line, kernel) != NULL && strstr(line, "bytes of stack left") != NULL);
}

/* Launches that are not refused have room, however little is left. */
static void check_least(void (*use)(void))
{
    for (size_t left = TOO_LITTLE; left < (size_t)REAP__STACK_FOR_HOST + 4000; left += 500) {
        run(use, left);
        CHECK(status == REAP_OK || strstr(line, "bytes of stack left") != NULL);
    }
}

static void check_refusals(void)
{
    memset(y, 0, sizeof y);
    check_refusal(launch_many, TOO_LITTLE_FOR_MANY, "kernel 'add_many'");
    CHECK_EQ(y[0], 0);
    launch_many();
    CHECK(status == REAP_OK && y[0] == 1);
    check_refusal(launch_few, TOO_LITTLE, "kernel 'add_up'");
}

int main(void)
{
    reap_device_info info;
    run(make_queue, 0);
    if (status != REAP_OK) { /* the devices of REAP_DEVICE */
        CHECK(status == REAP_ERROR_OUT_OF_MEMORY && strstr(line, "bytes of stack left") != NULL);
        make_queue();
    }
    CHECK_STATUS(status, REAP_OK);
    CHECK_STATUS(reap_device_get_info(reap_queue_device(queue), &info), REAP_OK);
    if (strcmp(info.name, "host") != 0) {
        check_refusal(launch_few, 0, "kernel 'add_up'");
        wait_for_queue();
        CHECK_STATUS(status, REAP_OK);
    } else {
        check_host();
        check_refusals();
        check_least(launch_few);
        check_least(sum_once);
        check_least(sum_often);
    }
    reap_queue_release(queue);
    return check_finish();
}
