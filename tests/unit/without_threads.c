/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous queues where no thread can be made: launches and waits run the commands.
 */
#include "tests/support/check_status.h"
#include "tests/unit/unit.kernels.h"

#include <errno.h>
#include <pthread.h>
#include <reap/reap.h>

/* The linker puts it in the place of pthread_create (CMakeLists.txt). */
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

int main(void)
{
    run_chain(false);
    run_chain(true);
    keep_line();
    return check_finish();
}
