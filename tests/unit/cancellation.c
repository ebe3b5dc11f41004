/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that are cancelled while they use Reap end when its function has returned, and nothing is
 * left locked or kept: with the cancellation pending before each function, and at random moments of
 * threads that share queues and buffers. On a device, where REAP_DEVICE names one.
 */
#include "tests/unit/cancellation.kernels.h"
#include "tests/unit/cancellation_host.kernels.h"

#include "tests/support/check_status.h"
#include "tests/unit/sanitizers.h"

#include "src/core/allocate.h"

#include <pthread.h>
#include <reap/reap.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef REAP_TESTS_SMALL
enum { ROUNDS = 30 };
#else
enum { ROUNDS = 150 };
#endif
enum { ITEMS = 4096, GROUP_ITEMS = 64, BINS = 10, WORKERS = 3, MOST_MICROSECONDS = 3000 };

/* By the library's threads, for their next commands. */
enum { MOST_KEPT = 50 };

enum { IN_ORDER, OUT_OF_ORDER, ASYNCHRONOUS, QUEUES };

static reap_queue *queues[QUEUES];
static float x[ITEMS], y[ITEMS];
static reap_buffer *buffer_of_x, *buffer_of_y;
static bool is_on_host;
static atomic_ulong wrong, callbacks, callbacks_asked_for;

static void expect(bool right)
{
    if (!right)
        atomic_fetch_add(&wrong, 1);
}

static void sleep_microseconds(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000 * microseconds}, NULL);
}

/* A cancellation point, as a handler that prints is. */
static void note_error(void *context, reap_status status, const char *line)
{
    (void)context, (void)line;
    expect(status == REAP_ERROR_INDEX_OUT_OF_RANGE);
    sleep_microseconds(100);
}

static void note_end(void *context, reap_status status, const char *line)
{
    (void)context, (void)line;
    expect(status == REAP_OK);
    sleep_microseconds(100);
    atomic_fetch_add(&callbacks, 1);
}

/* ---- What threads do; a thread that is not cancelled gives everything back --------------------*/

static void launch_range(reap_queue *queue)
{
    expect(reap_parallel_for(queue, add_one, reap_range_1d(ITEMS), .x = x) == REAP_OK);
}

static void launch_small(reap_queue *queue)
{
    expect(reap_parallel_for(queue, add_one, reap_range_1d(64), .x = y) == REAP_OK);
}

static void launch_reductions(reap_queue *queue)
{
    double sum = 0;
    uint32_t bins[BINS] = {0};
    expect(reap_parallel_for(queue, sum_up, reap_range_1d(ITEMS), .x = x, .sum = {.variable = &sum},
                             .bins = {.variable = bins, .count = BINS}) == REAP_OK);
    expect(reap_queue_wait(queue) == REAP_OK && bins[0] > 0);
}

static void launch_groups(reap_queue *queue)
{
    expect(reap_parallel_for(queue, turn_groups, reap_nd_range_1d(ITEMS, GROUP_ITEMS), .x = x,
                             .y = y, .all = GROUP_ITEMS) == REAP_OK);
}

/* Its kernel sleeps, and so do its helpers. */
static void launch_long(reap_queue *queue)
{
    int items = 0;
    if (!is_on_host)
        return;
    expect(reap_parallel_for(queue, sleep_a_little, reap_range_1d(6), .microseconds = 50,
                             .items = {.variable = &items}) == REAP_OK);
    expect(reap_queue_wait(queue) == REAP_OK && items == 6);
}

/* On a queue of its own, since another thread's wait would take the error. */
static void fail(reap_queue *unused)
{
    const reap_queue_options options = {.on_error = note_error};
    reap_queue *queue = NULL;
    uint32_t bin = 0;
    double sum = 0;
    (void)unused;
    expect(reap_queue_create(NULL, &options, &queue) == REAP_OK);
    const reap_status launched =
        reap_parallel_for(queue, sum_up, reap_range_1d(ITEMS), .x = x, .sum = {.variable = &sum},
                          .bins = {.variable = &bin, .count = 1});
    expect(launched == REAP_OK || launched == REAP_ERROR_INDEX_OUT_OF_RANGE);
    expect(reap_queue_wait(queue) == REAP_ERROR_INDEX_OUT_OF_RANGE);
    reap_queue_release(queue);
}

static void copy(reap_queue *queue)
{
    static const float one = 1;
    expect(reap_fill(queue, x, &one, sizeof one, ITEMS, NULL) == REAP_OK);
    expect(reap_copy(queue, y, x, sizeof y, NULL) == REAP_OK);
    expect(reap_prefetch(queue, y, sizeof y, NULL) == REAP_OK);
}

static void access_buffer(reap_queue *unused)
{
    void *data;
    (void)unused;
    expect(reap_host_access_begin(buffer_of_x, REAP_READ, &data) == REAP_OK);
    expect(reap_host_access_end(buffer_of_x) == REAP_OK);
}

static void use_own_buffer(reap_queue *queue)
{
    reap_buffer *buffer = NULL;
    const float one = 1;
    expect(reap_buffer_create(ITEMS * sizeof(float), &buffer) == REAP_OK);
    float *data = reap_buffer_data(buffer);
    expect(reap_fill(queue, data, &one, sizeof one, ITEMS, NULL) == REAP_OK);
    expect(reap_parallel_for(queue, add_one, reap_range_1d(ITEMS), .x = data) == REAP_OK);
    expect(reap_buffer_release(buffer) == REAP_OK);
}

static void use_shared_memory(reap_queue *queue)
{
    void *memory = NULL;
    const float one = 1;
    expect(reap_malloc_shared(reap_queue_device(queue), 4096, &memory) == REAP_OK);
    expect(reap_fill(queue, memory, &one, sizeof one, 1024, NULL) == REAP_OK);
    expect(reap_queue_wait(queue) == REAP_OK);
    expect(reap_free(memory) == REAP_OK);
}

static void wait_for_event(reap_queue *queue)
{
    reap_event *event = NULL;
    bool is_complete;
    expect(reap_parallel_for(queue, add_one, reap_range_1d(ITEMS), .x = x,
                             .launch = {.event = &event}) == REAP_OK);
    expect(reap_event_query(event, &is_complete) == REAP_OK);
    if (reap_event_set_callback(event, note_end, NULL) == REAP_OK)
        atomic_fetch_add(&callbacks_asked_for, 1);
    expect(reap_parallel_for(queues[ASYNCHRONOUS], add_one, reap_range_1d(64), .x = y,
                             .launch = {.wait_for = &event, .wait_for_count = 1}) == REAP_OK);
    expect(reap_event_wait(event) == REAP_OK);
    reap_event_release(event);
}

static void wait_for_queue(reap_queue *queue)
{
    expect(reap_queue_wait(queue) == REAP_OK);
}

static void ask_for_devices(reap_queue *unused)
{
    const reap_device *device;
    (void)unused;
    expect(reap_device_default(&device) == REAP_OK);
}

static void compile(reap_queue *queue)
{
    expect(reap_kernel_compile(reap_queue_device(queue), &reap_kernel_add_one, 1) == REAP_OK);
}

static const struct use {
    const char *name;
    void (*run)(reap_queue *queue);
} uses[] = {
    {"launch_range", launch_range},
    {"launch_small", launch_small},
    {"launch_reductions", launch_reductions},
    {"launch_groups", launch_groups},
    {"launch_long", launch_long},
    {"fail", fail},
    {"copy", copy},
    {"access_buffer", access_buffer},
    {"wait_for_event", wait_for_event},
    {"use_own_buffer", use_own_buffer},
    {"wait_for_queue", wait_for_queue},
    {"use_shared_memory", use_shared_memory},
    {"ask_for_devices", ask_for_devices},
    {"compile", compile},
};
enum { USES = sizeof uses / sizeof *uses };

/* ---- Cancelled threads ------------------------------------------------------------------------*/

struct worker {
    uint64_t random;
    const struct use *use; /* once; NULL: any, until it is cancelled */
    size_t queue;
    bool is_inside;
};

static void note_cancellation(void *worker)
{
    expect(!((struct worker *)worker)->is_inside);
}

static void use_once(struct worker *worker, const struct use *use, reap_queue *queue)
{
    worker->is_inside = true;
    use->run(queue);
    worker->is_inside = false;
    pthread_testcancel();
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    pthread_cleanup_push(note_cancellation, worker);
    if (worker->use != NULL) { /* which is to begin with the cancellation pending */
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &(int){0});
        pthread_cancel(pthread_self());
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &(int){0});
        use_once(worker, worker->use, queues[worker->queue]);
    }
    while (worker->use == NULL)
        use_once(worker, &uses[check_random(&worker->random) % USES],
                 queues[check_random(&worker->random) % QUEUES]);
    pthread_cleanup_pop(0);
    return NULL;
}

static void join(pthread_t thread)
{
    void *result = NULL;
    CHECK_EQ(pthread_join(thread, &result), 0);
    CHECK_EQ(result, PTHREAD_CANCELED);
}

static void check_pending(const struct use *use, size_t queue)
{
    struct worker worker = {.use = use, .queue = queue};
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, work, &worker), 0);
    join(thread);
    const bool is_right = atomic_exchange(&wrong, 0) == 0;
    CHECK(is_right);
    if (!is_right)
        fprintf(stderr, "  %s, queue %zu: a call failed, or the thread ended in it\n", use->name,
                queue);
}

/* Everything that the queues and buffers are asked for still works. */
static void check_all(void)
{
    for (size_t q = 0; q < QUEUES; q++)
        for (size_t u = 0; u < USES; u++)
            uses[u].run(queues[q]);
    for (size_t q = 0; q < QUEUES; q++)
        CHECK_STATUS(reap_queue_wait(queues[q]), REAP_OK);
    for (int i = 0; atomic_load(&callbacks) < atomic_load(&callbacks_asked_for) && i < 10000; i++)
        sleep_microseconds(1000);
    CHECK_EQ(atomic_load(&callbacks), atomic_load(&callbacks_asked_for));
    CHECK_EQ(atomic_exchange(&wrong, 0), 0);
}

static void check_random_moments(uint64_t *random)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct worker workers[WORKERS] = {{0}};
        pthread_t threads[WORKERS];
        for (int w = 0; w < WORKERS; w++) {
            workers[w].random = check_random(random);
            CHECK_EQ(pthread_create(&threads[w], NULL, work, &workers[w]), 0);
        }
        for (int w = 0; w < WORKERS; w++) {
            sleep_microseconds((long)(check_random(random) % MOST_MICROSECONDS));
            CHECK_EQ(pthread_cancel(threads[w]), 0);
        }
        for (int w = 0; w < WORKERS; w++)
            join(threads[w]);
        CHECK_EQ(atomic_exchange(&wrong, 0), 0);
    }
}

/* In a process that has not used Reap. */
static void check_first_use(void)
{
    int status = 1;
    if (UNDER_THREAD_SANITIZER)
        return;
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        alarm(60); /* a deadlock is a failure */
        for (size_t u = 0; u < USES; u++)
            if (uses[u].run == ask_for_devices)
                check_pending(&uses[u], 0);
        ask_for_devices(NULL);
        _exit(check_failures == 0 && atomic_load(&wrong) == 0 ? 0 : 1);
    }
    CHECK(process > 0 && waitpid(process, &status, 0) == process && status == 0);
}

static void open_all(void)
{
    static const reap_queue_options options[QUEUES] = {
        [OUT_OF_ORDER] = {.out_of_order = true}, [ASYNCHRONOUS] = {.asynchronous = true}};
    for (size_t q = 0; q < QUEUES; q++)
        if (reap_queue_create(NULL, &options[q], &queues[q]) != REAP_OK)
            exit(1);
    reap_device_info info;
    CHECK_STATUS(reap_device_get_info(reap_queue_device(queues[0]), &info), REAP_OK);
    is_on_host = strcmp(info.name, "host") == 0;
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer_of_x), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &buffer_of_y), REAP_OK);
}

static void close_all(void)
{
    CHECK_STATUS(reap_buffer_release(buffer_of_x), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer_of_y), REAP_OK);
    for (size_t q = 0; q < QUEUES; q++)
        reap_queue_release(queues[q]);
}

int main(void)
{
    uint64_t random = check_seed();
    check_first_use();
    open_all();
    check_all(); /* what is made once has been */
    const long alive = reap__allocations_alive();
    for (size_t q = 0; q < QUEUES; q++)
        for (size_t u = 0; u < USES; u++)
            check_pending(&uses[u], q);
    check_all();
    CHECK_LE(reap__allocations_alive(), alive + MOST_KEPT);
    check_random_moments(&random);
    check_all();
    CHECK_LE(reap__allocations_alive(), alive + MOST_KEPT);
    close_all();
    return check_finish();
}
