/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous queues: a launch returns before its command has run, and has taken with it all that
 * the program may change; order, events and failures are as on any queue. A command that holds up
 * the others until the program lets it go makes each of that certain.
 */
#include "src/core/allocate.h"
#include "tests/support/check_status.h"
#include "tests/unit/sanitizers.h"
#include "tests/unit/unit.kernels.h"

#include <pthread.h>
#include <reap/reap.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static uint32_t flag;

static reap_queue *make_queue(bool out_of_order)
{
    const reap_queue_options options = {.asynchronous = true, .out_of_order = out_of_order};
    reap_queue *queue = NULL;
    CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
    return queue;
}

static reap_event *hold_up(reap_queue *queue)
{
    reap_event *event = NULL;
    __atomic_store_n(&flag, 0, __ATOMIC_RELEASE);
    CHECK(reap_parallel_for(queue, hold, reap_range_1d(1), .flag = &flag,
                            .launch = {.event = &event}) == REAP_OK);
    return event;
}

/* A lock of the library comes between what this thread has read and what commands write then. */
static void let_go(void)
{
    static char byte;
    reap_buffer *buffer = NULL;
    CHECK_STATUS(reap_buffer_wrap(&byte, 1, &buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}

static bool is_complete(reap_event *event)
{
    bool is = false;
    CHECK_STATUS(reap_event_query(event, &is), REAP_OK);
    return is;
}

/* The struct of arguments and what an identity points to are the launch's own. */
static reap_status launch_sum(reap_queue *queue, const float *x, double *sum, float *most,
                              reap_event *const *wait_for, reap_event **event)
{
    double identity = 1000;
    struct reap_arguments_add_up arguments = {
        reap_range_1d(4),
        .x = x,
        .sum = {.variable = sum, .identity = &identity, .properties = REAP_INITIALIZE_TO_IDENTITY},
        .most = {.variable = most},
        .launch = {.wait_for = wait_for, .wait_for_count = wait_for != NULL, .event = event},
    };
    const reap_status status = reap_launch(queue, &reap_kernel_add_up, &arguments);
    identity = -1;
    memset(&arguments, 0xff, sizeof arguments);
    return status;
}

static void return_at_once(bool out_of_order)
{
    static const float x[] = {1, 2, 4, 3};
    reap_queue *queue = make_queue(out_of_order);
    reap_event *held = hold_up(queue), *event = NULL, *list[] = {held};
    double sum = 7;
    float most = -1;
    CHECK_STATUS(launch_sum(queue, x, &sum, &most, list, &event), REAP_OK);
    CHECK(!is_complete(held) && !is_complete(event) && sum == 7 && most == -1);
    let_go();
    CHECK(reap_event_wait(event) == REAP_OK && sum >= 1010 && most == 4);
    CHECK(is_complete(event) && is_complete(held));
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    reap_event_release(held);
    reap_event_release(event);
    reap_queue_release(queue);
}

/* In order a command waits for the one before; out of order for none that it has nothing to do
 * with. */
static void keep_order(void)
{
    enum { COMMANDS = 300 };
    reap_queue *in_order = make_queue(false), *out_of_order = make_queue(true);
    reap_event *held = hold_up(in_order), *event = NULL;
    uint32_t x = 5, expected = 5;
    uint64_t items = 0;
    for (uint32_t c = 0; c < COMMANDS; c++) {
        expected = 31 * expected + c;
        CHECK_STATUS(
            reap_parallel_for(in_order, continue_series, reap_range_1d(1), .x = &x, .with = c),
            REAP_OK);
    }
    CHECK(reap_parallel_for(out_of_order, count_items, reap_range_1d(9),
                            .items = {.variable = &items}, .launch = {.event = &event}) == REAP_OK);
    CHECK(reap_event_wait(event) == REAP_OK && items == 9 && !is_complete(held) && x == 5);
    let_go();
    CHECK(reap_queue_wait(in_order) == REAP_OK && x == expected && is_complete(held));
    reap_event_release(held);
    reap_event_release(event);
    reap_queue_release(in_order);
    reap_queue_release(out_of_order);
}

/* A buffer's commands are in order among queues, and who uses it without a queue waits for them; of
 * two queues one is not asynchronous. */
static void share_buffer(void)
{
    enum { LENGTH = 1000 };
    static uint32_t x[LENGTH];
    const reap_queue_options plain = {.out_of_order = true};
    reap_queue *queue = make_queue(true), *other;
    reap_buffer *buffer;
    reap_event *held = hold_up(queue), *list[] = {held};
    void *data;
    CHECK_STATUS(reap_queue_create(NULL, &plain, &other), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_OK);
    CHECK(reap_parallel_for(queue, continue_series, reap_range_1d(LENGTH), .x = x, .with = 2,
                            .launch = {.wait_for = list, .wait_for_count = 1}) == REAP_OK);
    CHECK_STATUS(
        reap_parallel_for(queue, continue_series, reap_range_1d(LENGTH), .x = x, .with = 3),
        REAP_OK);
    CHECK(x[0] == 0 && !is_complete(held));
    let_go();
    CHECK_STATUS(
        reap_parallel_for(other, continue_series, reap_range_1d(LENGTH), .x = x, .with = 4),
        REAP_OK);
    CHECK_EQ(x[LENGTH - 1], 31 * (31 * 2 + 3) + 4);
    CHECK_STATUS(
        reap_parallel_for(queue, continue_series, reap_range_1d(LENGTH), .x = x, .with = 5),
        REAP_OK);
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ, &data), REAP_OK);
    CHECK_EQ(x[1], 31 * (31 * (31 * 2 + 3) + 4) + 5);
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    CHECK(reap_fill(queue, x, &(uint32_t){77}, sizeof *x, LENGTH, NULL) == REAP_OK);
    CHECK_STATUS(reap_copy(queue, x, x + 10, sizeof *x, NULL), REAP_OK);
    CHECK(reap_buffer_release(buffer) == REAP_OK && x[0] == 77 && x[LENGTH - 1] == 77);
    reap_event_release(held);
    reap_queue_release(queue);
    reap_queue_release(other);
}

/* ---- Failures ---------------------------------------------------------------------------------*/

struct told {
    int times;
    reap_status status;
    char line[200];
};

static void tell(void *context, reap_status status, const char *line)
{
    struct told *told = context;
    told->times++;
    told->status = status;
    snprintf(told->line, sizeof told->line, "%s", line);
}

static reap_status launch_outside(reap_queue *queue, reap_event *held, reap_event **event)
{
    static uint32_t bins[2];
    static float x[3], y[3];
    static eight all, few[3];
    static float sum, most;
    static uint64_t where;
    reap_event *const list[] = {held};
    return reap_parallel_for(
        queue, everything, reap_range_1d(3), .x = x, .y = y, .sum = {.variable = &sum},
        .most = {.variable = &most, .location = &where}, .all = {.variable = &all},
        .bins = {.variable = bins, .count = 2}, .few = {.variable = few, .count = 3},
        .launch = {.wait_for = list, .wait_for_count = 1, .event = event});
}

static void fail(bool asynchronous)
{
    struct told told = {0};
    const reap_queue_options options = {
        .asynchronous = asynchronous, .on_error = tell, .on_error_context = &told};
    reap_queue *queue, *first = make_queue(false);
    reap_event *held = hold_up(first), *failed = NULL, *follower = NULL;
    uint64_t items = 0;
    CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
    if (!asynchronous)
        let_go();
    CHECK_STATUS(launch_outside(queue, held, &failed), REAP_OK);
    CHECK(reap_parallel_for(
              queue, count_items, reap_range_1d(9), .items = {.variable = &items},
              .launch = {.wait_for = &failed, .wait_for_count = 1, .event = &follower}) == REAP_OK);
    let_go();
    CHECK(reap_event_wait(follower) == REAP_ERROR_DEPENDENCY_FAILED && items == 0);
    CHECK_HAS(reap_last_error(), "outside");
    CHECK_STATUS(reap_event_wait(failed), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(told.times == 2 && told.status == REAP_ERROR_DEPENDENCY_FAILED);
    CHECK_HAS(told.line, "count_items");
    reap_event_release(held);
    reap_event_release(failed);
    reap_event_release(follower);
    reap_queue_release(queue);
    reap_queue_release(first);
}

/* What the arguments show is the launch's own failure; the queue is none the worse. */
static void refuse(void)
{
    reap_queue *queue = make_queue(false);
    reap_event *event = NULL, *none[] = {NULL};
    uint64_t items = 0;
    CHECK(reap_parallel_for(queue, count_items, reap_range_1d(9), .items = {.variable = NULL},
                            .launch = {.event = &event}) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(reap_parallel_for(queue, count_items, reap_range_1d(9), .items = {.variable = &items},
                            .launch = {.wait_for = none, .wait_for_count = 1, .event = &event}) ==
          REAP_ERROR_INVALID_ARGUMENT);
    CHECK(reap_parallel_for(queue, count_items, reap_range_1d(9), .items = {.variable = &items},
                            .launch = {.wait_for_count = 1}) == REAP_ERROR_INVALID_ARGUMENT);
    CHECK(event == NULL && items == 0);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    reap_queue_release(queue);
}

/* Each allocation fails once: the call says so, and has not launched; or the command does. */
static void have_no_memory(void)
{
    static const float x[] = {1, 2, 4, 3};
    reap_queue *queue = make_queue(false);
    reap_status status;
    int failures = 0;
    for (unsigned long n = 1; n < 20; n++) {
        double sum = 7;
        float most = -1;
        reap_event *event = NULL;
        const long alive = reap__allocations_alive();
        reap__fail_allocation(n);
        status = launch_sum(queue, x, &sum, &most, NULL, &event);
        if (status == REAP_OK)
            status = reap_event_wait(event);
        CHECK_EQ(reap_queue_wait(queue), (event != NULL ? status : REAP_OK));
        reap__fail_allocation(0);
        CHECK(status == REAP_OK ? sum >= 1010 : status == REAP_ERROR_OUT_OF_MEMORY && sum == 7);
        failures += status != REAP_OK;
        reap_event_release(event);
        CHECK_LE(reap__allocations_alive(), alive + 1); /* what the host keeps for its launches */
    }
    CHECK(failures >= 3 && status == REAP_OK);
    reap_queue_release(queue);
}

/* A command fails, and one allocation: in some launch that of the event's message. (Which one it is
 * depends on what the thread that runs the command has kept, so it is looked for more than once.)
 */
static void have_no_memory_for_a_message(void)
{
    reap_queue *queue = make_queue(false);
    int without = 0;
    for (unsigned long launch = 0; launch < 100; launch++) {
        const unsigned long n = 1 + launch % 20;
        uint32_t bins[3] = {0};
        reap_event *event = NULL;
        reap__fail_allocation(n);
        reap_parallel_for(queue, count_hundreds, reap_range_1d(4),
                          .bins = {.variable = bins, .count = 3}, .launch = {.event = &event});
        if (event != NULL) {
            CHECK(reap_event_wait(event) != REAP_OK);
            CHECK_GT(strlen(reap_last_error()), 0);
            without += strcmp(reap_last_error(), "no memory for the message of an error") == 0;
        }
        CHECK_EQ(reap_queue_wait(queue) != REAP_OK, event != NULL);
        reap__fail_allocation(0);
        reap_event_release(event);
    }
    CHECK_GT(without, 0);
    reap_queue_release(queue);
}

/* ---- Callbacks --------------------------------------------------------------------------------*/

struct call {
    reap_queue *queue;
    atomic_int times;
    reap_status status;
    char line[200];
    uint64_t items;
};

static void note_call(void *context, reap_status status, const char *line)
{
    struct call *call = context;
    call->status = status;
    snprintf(call->line, sizeof call->line, "%s", line);
    if (call->queue != NULL) /* whose launches may wait for commands */
        call->status = reap_parallel_for(call->queue, count_items, reap_range_1d(9),
                                         .items = {.variable = &call->items});
    atomic_fetch_add(&call->times, 1);
}

static void wait_for_call(const struct call *call)
{
    while (atomic_load(&call->times) == 0)
        sched_yield();
}

static void call_back(void)
{
    reap_queue *queue = make_queue(false), *plain;
    reap_event *held = hold_up(queue), *failed = NULL, *fine = NULL;
    struct call calls[4] = {{.queue = NULL}, {.queue = queue}, {.queue = NULL}, {.queue = NULL}};
    uint64_t items = 0;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &plain), REAP_OK);
    CHECK_STATUS(reap_event_set_callback(held, note_call, &calls[0]), REAP_OK);
    CHECK_STATUS(reap_event_set_callback(held, note_call, &calls[1]), REAP_OK);
    CHECK_STATUS(launch_outside(queue, held, &failed), REAP_OK);
    CHECK_STATUS(reap_event_set_callback(failed, note_call, &calls[2]), REAP_OK);
    reap_event_release(failed);
    CHECK(reap_parallel_for(plain, count_items, reap_range_1d(9), .items = {.variable = &items},
                            .launch = {.event = &fine}) == REAP_OK);
    CHECK_STATUS(reap_event_set_callback(fine, note_call, &calls[3]), REAP_OK);
    wait_for_call(&calls[3]);
    CHECK(calls[3].status == REAP_OK && calls[3].line[0] == '\0');
    CHECK_EQ(atomic_load(&calls[0].times) + atomic_load(&calls[2].times), 0);
    let_go();
    for (int c = 0; c < 3; c++)
        wait_for_call(&calls[c]);
    CHECK(calls[0].status == REAP_OK && calls[1].status == REAP_OK);
    CHECK(calls[2].status == REAP_ERROR_INDEX_OUT_OF_RANGE && strstr(calls[2].line, "outside"));
    CHECK(reap_queue_wait(queue) == REAP_ERROR_INDEX_OUT_OF_RANGE && calls[1].items == 9);
    CHECK_STATUS(reap_event_set_callback(NULL, note_call, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_event_set_callback(fine, NULL, NULL), REAP_ERROR_INVALID_ARGUMENT);
    for (int c = 0; c < 4; c++)
        CHECK_EQ(atomic_load(&calls[c].times), 1);
    reap_event_release(held);
    reap_event_release(fine);
    reap_queue_release(queue);
    reap_queue_release(plain);
}

/* ---- Ends -------------------------------------------------------------------------------------*/

/* Events and queues may be released while commands wait, and a buffer while they use it. */
static void release_early(void)
{
    enum { COMMANDS = 100 };
    static uint32_t x[10], y[10];
    reap_queue *queue = make_queue(true);
    reap_buffer *buffer;
    reap_event *held = hold_up(queue), *event = held;
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_OK);
    for (uint32_t c = 0; c < COMMANDS; c++) {
        reap_event *next = NULL;
        CHECK(reap_parallel_for(
                  queue, continue_series, reap_range_1d(10), .x = c % 2 ? x : y, .with = 1,
                  .launch = {.wait_for = &event, .wait_for_count = 1, .event = &next}) == REAP_OK);
        reap_event_release(event);
        event = next;
    }
    reap_event_release(event);
    let_go();
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    reap_queue_release(queue);
    CHECK(x[0] == y[9] && x[0] != 0);
}

/* A forked child has neither the library's threads nor the commands that wait for them; its own run
 * as ever. */
static bool follow_in_child(reap_queue *queue, reap_event *held)
{
    uint64_t items = 0;
    reap_event *event = NULL;
    return reap_parallel_for(queue, count_items, reap_range_1d(9), .items = {.variable = &items},
                             .launch = {.wait_for = &held, .wait_for_count = 1, .event = &event}) ==
               REAP_OK &&
           reap_event_wait(event) == REAP_ERROR_DEPENDENCY_FAILED &&
           reap_queue_wait(queue) == REAP_ERROR_DEPENDENCY_FAILED && items == 0;
}

static void fork_between(void)
{
    reap_queue *queue = make_queue(false);
    reap_event *held = hold_up(queue);
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        uint64_t items = 0;
        bool is = false;
        const bool is_right = reap_event_wait(held) == REAP_ERROR_DEVICE_FAILED &&
                              reap_event_query(held, &is) == REAP_ERROR_DEVICE_FAILED &&
                              reap_parallel_for(queue, count_items, reap_range_1d(9),
                                                .items = {.variable = &items}) == REAP_OK &&
                              reap_queue_wait(queue) == REAP_OK && items == 9 &&
                              follow_in_child(queue, held);
        _exit(is_right ? 0 : 1);
    }
    let_go();
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    CHECK_STATUS(reap_event_wait(held), REAP_OK);
    reap_event_release(held);
    reap_queue_release(queue);
}

/* Before a thread of the library has quite left the queue. */
static void release_at_once(void)
{
    static uint32_t x[2];
    for (int i = 0; i < 300; i++) {
        reap_queue *queue = make_queue(i % 2 == 0);
        CHECK_STATUS(reap_parallel_for(queue, continue_series, reap_range_1d(1), .x = x, .with = 1),
                     REAP_OK);
        if (i % 3 == 0)
            CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
        reap_queue_release(queue);
    }
}

static void *launch_and_release(void *stop)
{
    static _Thread_local uint32_t x[2];
    const reap_queue_options options = {.asynchronous = true, .out_of_order = true};
    reap_queue *queue;
    while (!atomic_load((atomic_bool *)stop) &&
           reap_queue_create(NULL, &options, &queue) == REAP_OK) {
        for (int i = 0; i < 20; i++)
            reap_parallel_for(queue, continue_series, reap_range_1d(1), .x = x, .with = 1);
        reap_queue_release(queue);
    }
    return NULL;
}

/* While others launch. */
static void fork_beside(void)
{
    pthread_t threads[2];
    atomic_bool stop = false;
    for (int t = 0; t < 2; t++)
        if (pthread_create(&threads[t], NULL, launch_and_release, &stop) != 0)
            exit(1);
    for (int i = 0; i < 300; i++) {
        int status = -1;
        const pid_t child = fork();
        if (child == 0)
            _exit(0);
        CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    atomic_store(&stop, true);
    for (int t = 0; t < 2; t++)
        pthread_join(threads[t], NULL);
}

int main(void)
{
    return_at_once(false);
    return_at_once(true);
    keep_order();
    share_buffer();
    fail(true);
    fail(false);
    refuse();
    have_no_memory();
    have_no_memory_for_a_message();
    call_back();
    release_early();
    release_at_once();
    if (!UNDER_THREAD_SANITIZER) { /* which allows no threads in a forked child */
        fork_between();
        fork_beside();
    }
    return check_finish();
}
