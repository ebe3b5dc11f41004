/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads an array in chunks that stay in a core's cache, and describes each chunk there: a thread a
 * core takes the next task, some chunks in a row, and makes one part of them. The parts are merged
 * at the end, in their order. So the shape of the computation is fixed by the array's size, and
 * which thread did what does not show. Where the extremes lie within their runs is looked up last.
 */
#include "src/cli/summary.h"

#include "src/cli/launch.h"
#include "src/cli/message.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { TASK_CHUNKS = 4, ALIGNMENT = 4096, MESSAGE_BYTES = 512 };

/* What the threads share. */
struct work {
    const struct cli_array *array;
    uint64_t task_elements; /* of a task, but perhaps of the last */
    uint64_t task_count;
    describe_part *parts;        /* of the tasks */
    atomic_uint_fast64_t next;   /* task; relaxed: all else was there before the threads were */
    pthread_mutex_t lock;        /* of the message */
    char message[MESSAGE_BYTES]; /* the first failure; "" while there is none */
};

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

/* Notes a failure, the first one only, and leaves no task to the other threads. */
static void fail(struct work *work, const char *message)
{
    pthread_mutex_lock(&work->lock);
    if (work->message[0] == '\0')
        strncpy(work->message, message, MESSAGE_BYTES - 1);
    pthread_mutex_unlock(&work->lock);
    atomic_store_explicit(&work->next, work->task_count, memory_order_relaxed);
}

/* ---- Threads ----------------------------------------------------------------------------------*/

static bool describe_chunk(struct work *work, reap_queue *queue, const struct cli_chunk *chunk,
                           describe_part *part)
{
    const size_t size = cli_element_bytes(chunk->element.type);
    const char *failure =
        cli_array_read(work->array, chunk->first * size, chunk->count * size, chunk->elements);
    if (failure == NULL && cli_launch_describe(queue, chunk, part) != REAP_OK)
        failure = reap_last_error();
    if (failure != NULL)
        fail(work, failure);
    return failure == NULL;
}

/* Takes tasks until there are none. The memory has room for two chunks. */
static void describe_tasks(struct work *work, reap_queue *queue, unsigned char *memory)
{
    const struct cli_npy *layout = &work->array->layout;
    const size_t most = cli_chunk_elements(layout->element.type);
    struct cli_chunk chunk = {
        .element = layout->element, .elements = memory, .room = memory + CLI_CHUNK_BYTES};
    uint64_t task;
    while ((task = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed)) <
           work->task_count) {
        const uint64_t end = at_most((task + 1) * work->task_elements, layout->count);
        work->parts[task] = describe_merge_identity();
        for (chunk.first = task * work->task_elements; chunk.first < end; chunk.first += most) {
            chunk.count = (size_t)at_most(end - chunk.first, most);
            if (!describe_chunk(work, queue, &chunk, &work->parts[task]))
                return;
        }
    }
}

static void *run_thread(void *argument)
{
    struct work *work = argument;
    const reap_queue_options options = {.max_threads = 1};
    reap_queue *queue = NULL;
    unsigned char *memory = aligned_alloc(ALIGNMENT, (size_t)2 * CLI_CHUNK_BYTES);
    if (memory == NULL)
        fail(work, strerror(ENOMEM));
    else if (reap_queue_create(NULL, &options, &queue) != REAP_OK)
        fail(work, reap_last_error());
    else
        describe_tasks(work, queue, memory);
    reap_queue_release(queue);
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

static reap_status count_threads(size_t *count)
{
    const reap_device *device;
    reap_device_info info;
    reap_status status = reap_device_default(&device);
    if (status == REAP_OK)
        status = reap_device_get_info(device, &info);
    if (status == REAP_OK)
        *count = info.compute_units;
    return status;
}

/* ---- The whole array --------------------------------------------------------------------------*/

static reap_status merge_parts(const struct work *work, describe_part *part)
{
    reap_queue *queue;
    reap_status status = reap_queue_create(NULL, NULL, &queue);
    if (status != REAP_OK)
        return status;
    *part = describe_merge_identity();
    status = cli_launch_merge(queue, work->parts, work->task_count, part);
    reap_queue_release(queue);
    return status;
}

/* Makes the part of the whole array; a failure is left in work->message. */
static void describe_array(struct work *work, describe_part *part)
{
    size_t threads;
    if (count_threads(&threads) != REAP_OK) {
        fail(work, reap_last_error());
        return;
    }
    run_threads(work, (size_t)at_most(threads, work->task_count));
    if (work->message[0] == '\0' && merge_parts(work, part) != REAP_OK)
        fail(work, reap_last_error());
}

/* Finds where in its run an extreme is, by its key. Gives NULL, or what went wrong. */
static const char *find_extreme(const struct cli_array *array, uint64_t run, uint64_t key,
                                struct cli_extreme *extreme)
{
    static unsigned char elements[DESCRIBE_RUN_BYTES]; /* much for a stack; one thread calls this */
    const struct cli_element element = array->layout.element;
    const size_t size = cli_element_bytes(element.type), per_run = cli_run_elements(element.type);
    const uint64_t first = run * per_run;
    const size_t count = (size_t)at_most(array->layout.count - first, per_run);
    const char *failure = cli_array_read(array, first * size, count * size, elements);
    uint64_t found;
    if (failure != NULL)
        return failure;
    for (size_t i = 0; i < count; i++)
        if (cli_element_key(element, elements + i * size, &found) && found == key) {
            extreme->index = first + i;
            memcpy(extreme->bytes, elements + i * size, size);
            return NULL;
        }
    return "the file changed while it was read";
}

static const char *find_extremes(const struct cli_array *array, struct cli_summary *summary)
{
    const describe_part *part = &summary->part;
    const char *failure = NULL;
    if (part->numbers > 0)
        failure = find_extreme(array, part->minimum_run, part->minimum, &summary->minimum);
    if (part->numbers > 0 && failure == NULL)
        failure = find_extreme(array, part->maximum_run, part->maximum, &summary->maximum);
    return failure;
}

bool cli_summarize(const struct cli_array *array, struct cli_summary *summary)
{
    const uint64_t count = array->layout.count;
    struct work work = {.array = array,
                        .task_elements =
                            TASK_CHUNKS * cli_chunk_elements(array->layout.element.type),
                        .lock = PTHREAD_MUTEX_INITIALIZER};
    work.task_count = count / work.task_elements + (count % work.task_elements > 0);
    work.parts = calloc(work.task_count + 1, sizeof *work.parts);
    if (work.parts == NULL)
        fail(&work, strerror(ENOMEM));
    else
        describe_array(&work, &summary->part);
    free(work.parts);
    const char *failure = work.message[0] != '\0' ? work.message : find_extremes(array, summary);
    if (failure != NULL)
        cli_complain(array->name, "%s", failure);
    return failure == NULL;
}
