/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous queues where no thread can be made: launches and waits run the commands.
 */
#include "tests/support/check_status.h"
#include "tests/unit/unit.kernels.h"

#include "src/queue/executor.h"

#include <errno.h>
#include <pthread.h>
#include <reap/reap.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/* The linker puts it in the place of pthread_create (CMakeLists.txt). */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    (void)thread, (void)attributes, (void)start, (void)argument;
    return EAGAIN;
}

static void ignore(void *context, reap_status status, const char *line)
{
    (void)context, (void)status, (void)line;
}

static void run_chain(bool out_of_order)
{
    enum { COMMANDS = 20000 };
    const reap_queue_options options = {.asynchronous = true, .out_of_order = out_of_order};
    reap_queue *queue;
    reap_event *event = NULL;
    uint32_t x = 5, expected = 5;
    CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
    for (uint32_t c = 0; c < COMMANDS; c++) {
        reap_event *next = NULL;
        expected = 31 * expected + c;
        CHECK(reap_parallel_for(
                  queue, continue_series, reap_range_1d(1), .x = &x, .with = c,
                  .launch = {.wait_for = &event, .wait_for_count = c > 0, .event = &next}) ==
              REAP_OK);
        reap_event_release(event);
        event = next;
    }
    CHECK(reap_event_wait(event) == REAP_OK && x == expected);
    CHECK_STATUS(reap_event_set_callback(event, ignore, NULL), REAP_ERROR_DEVICE_FAILED);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    reap_event_release(event);
    reap_queue_release(queue);
}

/* What fails in a command leaves this thread's line alone. */
static void keep_line(void)
{
    const reap_queue_options options = {.asynchronous = true};
    static uint32_t bins[2];
    static float x[3], y[3], sum, most;
    static eight all, few[3];
    static uint64_t where;
    reap_queue *queue;
    char line[200];
    CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
    CHECK_STATUS(reap_queue_wait(NULL), REAP_ERROR_INVALID_ARGUMENT);
    snprintf(line, sizeof line, "%s", reap_last_error());
    CHECK(reap_parallel_for(queue, everything, reap_range_1d(3), .x = x, .y = y,
                            .sum = {.variable = &sum},
                            .most = {.variable = &most, .location = &where},
                            .all = {.variable = &all}, .bins = {.variable = bins, .count = 2},
                            .few = {.variable = few, .count = 3}) == REAP_OK);
    CHECK_STR(line, reap_last_error());
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    reap_queue_release(queue);
}

/* ---- Commands that become ready while a thread waits for them ---------------------------------*/

static uint32_t begun, flag, series = 5;
static reap_buffer *buffer_of_series;
static reap_event *after_hold;

static void *launch_hold(void *queue)
{
    CHECK_STATUS(reap_parallel_for(queue, hold_series, reap_range_1d(1), .begun = &begun,
                                   .flag = &flag, .x = &series),
                 REAP_OK);
    return NULL;
}

static atomic_bool is_waiting;

static void *wait_for_it(void *ended)
{
    atomic_store(&is_waiting, true);
    CHECK_STATUS(reap_event_wait(after_hold), REAP_OK);
    atomic_store((atomic_bool *)ended, true);
    return NULL;
}

/* A command on an asynchronous queue waits for a buffer that a launch on another thread writes. */
static void wait_for_launch_of_another_thread(void)
{
    const reap_queue_options options = {.asynchronous = true};
    reap_queue *queue, *asynchronous;
    pthread_t holding, waiting;
    atomic_bool ended = false;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    CHECK_STATUS(reap_queue_create(NULL, &options, &asynchronous), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(&series, sizeof series, &buffer_of_series), REAP_OK);
    __real_pthread_create(&holding, NULL, launch_hold, queue);
    while (__atomic_load_n(&begun, __ATOMIC_SEQ_CST) == 0)
        sched_yield();
    CHECK_STATUS(reap_parallel_for(asynchronous, continue_series, reap_range_1d(1), .x = &series,
                                   .with = 7, .launch = {.event = &after_hold}),
                 REAP_OK);
    __real_pthread_create(&waiting, NULL, wait_for_it, &ended);
    while (!atomic_load(&is_waiting))
        sched_yield();
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* until it sleeps */
    __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
    pthread_join(holding, NULL);
    pthread_join(waiting, NULL);
    CHECK(atomic_load(&ended));
    reap_event_release(after_hold);
    CHECK_STATUS(reap_buffer_release(buffer_of_series), REAP_OK);
    CHECK_EQ(series, 31 * 6 + 7);
    reap_queue_release(asynchronous);
    reap_queue_release(queue);
}

/* ---- Callbacks that launch, and wait ----------------------------------------------------------*/

struct callback {
    struct reap__task task;
    reap_queue *queue;
    bool waits;
    uint32_t x;
};

static void launch_in_callback(struct reap__task *task)
{
    struct callback *callback = (struct callback *)(void *)task;
    reap_event *event = NULL;
    CHECK_STATUS(reap_parallel_for(callback->queue, continue_series, reap_range_1d(1),
                                   .x = &callback->x, .with = 2, .launch = {.event = &event}),
                 REAP_OK);
    if (callback->waits) {
        CHECK_STATUS(reap_event_wait(event), REAP_OK);
        CHECK_EQ(callback->x, 31 * 1 + 2);
    }
    reap_event_release(event);
}

/* A callback whose threads have ended in the meantime. */
static void call_without_threads(bool waits)
{
    const reap_queue_options options = {.asynchronous = true};
    struct callback callback = {.task = {.run = launch_in_callback}, .waits = waits, .x = 1};
    CHECK_STATUS(reap_queue_create(NULL, &options, &callback.queue), REAP_OK);
    reap__executor_submit(REAP__CALLBACK_THREADS, &callback.task);
    CHECK_STATUS(reap_queue_wait(callback.queue), REAP_OK);
    CHECK_EQ(callback.x, 31 * 1 + 2);
    reap_queue_release(callback.queue);
}

int main(void)
{
    run_chain(false);
    run_chain(true);
    keep_line();
    wait_for_launch_of_another_thread();
    call_without_threads(false);
    call_without_threads(true);
    return check_finish();
}
