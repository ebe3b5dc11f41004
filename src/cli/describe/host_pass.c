/* SPDX-License-Identifier: Apache-2.0
 *
 * The pass on the host. Each thread reads a chunk at a time into its own memory and describes it
 * there, while it is in the core's cache.
 */
#include "src/cli/describe/launch.h"
#include "src/cli/describe/pass.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_BYTES = DESCRIBE_CHUNK_RUNS * DESCRIBE_RUN_BYTES,
    ALIGNMENT = 4096,
};

/* What the threads share. */
struct work {
    struct cli_pass *pass;
    atomic_uint_fast64_t next; /* task; relaxed: all else was there before the threads were */
    pthread_mutex_t lock;      /* of pass->failure */
};

/* A thread's own. */
struct worker {
    struct work *work;
    reap_queue *queue;
    unsigned char *elements, *room;         /* of a chunk */
    describe_part runs[DESCRIBE_TASK_RUNS]; /* of a task */
};

/* Leaves no task to the other threads. */
static void fail(struct work *work, const char *failure)
{
    pthread_mutex_lock(&work->lock);
    cli_pass_fail(work->pass, failure);
    pthread_mutex_unlock(&work->lock);
    atomic_store_explicit(&work->next, work->pass->task_count, memory_order_relaxed);
}

/* ---- Threads ----------------------------------------------------------------------------------*/

static const char *describe_chunk(struct worker *worker, const struct cli_piece *chunk)
{
    const struct cli_array *array = worker->work->pass->array;
    const size_t size = cli_element_bytes(chunk->element.type);
    const char *failure =
        cli_array_read(array, chunk->first * size, chunk->count * size, chunk->elements);
    if (failure == NULL && cli_launch_describe(worker->queue, chunk) != REAP_OK)
        failure = reap_last_error();
    return failure;
}

static const char *describe_task(struct worker *worker, uint64_t task)
{
    const struct cli_pass *pass = worker->work->pass;
    const struct cli_element element = pass->array->layout.element;
    const size_t per_run = cli_run_elements(element.type), most = DESCRIBE_CHUNK_RUNS * per_run;
    const size_t count = (size_t)cli_pass_elements(pass, task, 1);
    for (size_t at = 0; at < count; at += most) {
        const struct cli_piece chunk = {.element = element,
                                        .first = task * pass->task_elements + at,
                                        .count = count - at < most ? count - at : most,
                                        .elements = worker->elements,
                                        .room = worker->room,
                                        .runs = worker->runs + at / per_run};
        const char *failure = describe_chunk(worker, &chunk);
        if (failure != NULL)
            return failure;
    }
    const size_t run_count = (count + per_run - 1) / per_run;
    reap_status status =
        cli_launch_tasks(worker->queue, worker->runs, run_count, &pass->parts[task]);
    if (status == REAP_OK)
        status = reap_queue_wait(worker->queue);
    return status == REAP_OK ? NULL : reap_last_error();
}

/* Takes tasks until there are none. */
static void describe_tasks_in_turn(struct worker *worker)
{
    struct work *work = worker->work;
    uint64_t task;
    while ((task = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed)) <
           work->pass->task_count) {
        const char *failure = describe_task(worker, task);
        if (failure != NULL)
            fail(work, failure);
    }
}

static void *run_thread(void *argument)
{
    struct worker worker = {.work = argument};
    const reap_queue_options options = {.max_threads = 1};
    unsigned char *memory = aligned_alloc(ALIGNMENT, (size_t)2 * CHUNK_BYTES);
    if (memory == NULL) {
        fail(worker.work, strerror(ENOMEM));
        return NULL;
    }
    worker.elements = memory;
    worker.room = memory + CHUNK_BYTES;
    if (reap_queue_create(NULL, &options, &worker.queue) != REAP_OK)
        fail(worker.work, reap_last_error());
    else
        describe_tasks_in_turn(&worker);
    reap_queue_release(worker.queue);
    free(memory);
    return NULL;
}

/* Runs the work on `count` threads, this one among them; on fewer where no more can be had. */
static void run_threads(struct work *work, size_t count)
{
    pthread_t *threads = calloc(count, sizeof *threads);
    size_t started = 0;
    while (threads != NULL && started + 1 < count &&
           pthread_create(&threads[started], NULL, run_thread, work) == 0)
        started++;
    run_thread(work);
    for (size_t t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
    free(threads);
}

/* As many as a launch may use, if the memory is enough for them, and there are tasks. */
static reap_status count_threads(const struct cli_pass *pass, size_t *count)
{
    const uint64_t thread_bytes = (size_t)2 * CHUNK_BYTES + sizeof(struct worker);
    const uint64_t most = pass->place->memory_bytes / thread_bytes;
    const reap_device *host;
    reap_device_info info;
    reap_status status = reap_device_default(&host);
    if (status == REAP_OK)
        status = reap_device_get_info(host, &info);
    if (status != REAP_OK)
        return status;
    *count = info.compute_units < most ? info.compute_units : (size_t)most;
    *count = *count < pass->task_count ? *count : (size_t)pass->task_count;
    return REAP_OK;
}

void cli_pass_on_host(struct cli_pass *pass)
{
    struct work work = {.pass = pass, .lock = PTHREAD_MUTEX_INITIALIZER};
    size_t threads;
    if (count_threads(pass, &threads) != REAP_OK)
        cli_pass_fail(pass, reap_last_error());
    else
        run_threads(&work, threads);
}
