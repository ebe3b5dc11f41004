/* SPDX-License-Identifier: Apache-2.0
 *
 * The pass on a device with memory of its own. Two batches of tasks take turns: while one is copied
 * there and described, the next one is read from the file. Each has a queue, whose commands follow
 * one another, and half of the memory that may be used; what comes back is a part for each task.
 */
#include "src/cli/describe/launch.h"
#include "src/cli/describe/pass.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 2, ALIGNMENT = 4096 };

/* What a task takes of a batch's memory: its elements, its numbers where they are larger, the parts
 * of its runs and its own. These stand in this order, each for all tasks. */
struct task_bytes {
    size_t elements, room, runs, whole;
};

struct batch {
    reap_queue *queue;
    unsigned char *elements; /* the host's */
    unsigned char *memory;   /* the device's */
};

struct work {
    struct cli_pass *pass;
    struct task_bytes task;
    size_t most_tasks; /* of a batch */
    struct batch batches[BATCHES];
};

static struct task_bytes measure_task(enum cli_element_type type)
{
    const size_t elements = cli_element_bytes(type), numbers = cli_number_bytes(type);
    const size_t count = DESCRIBE_TASK_RUNS * cli_run_elements(type);
    struct task_bytes task = {.elements = count * elements,
                              .room = numbers > elements ? count * numbers : 0,
                              .runs = DESCRIBE_TASK_RUNS * sizeof(describe_part)};
    task.whole = task.elements + task.room + task.runs + sizeof(describe_part);
    return task;
}

/* ---- Batches ----------------------------------------------------------------------------------*/

/* Copies the elements to the device, describes them there, and fetches the tasks' parts. */
static reap_status launch_batch(const struct work *work, const struct batch *batch,
                                uint64_t first_task, size_t task_count)
{
    const struct cli_pass *pass = work->pass;
    const enum cli_element_type type = pass->array->layout.element.type;
    const size_t per_run = cli_run_elements(type);
    unsigned char *room = batch->memory + work->most_tasks * work->task.elements;
    unsigned char *runs = room + work->most_tasks * work->task.room;
    const struct cli_piece piece = {.element = pass->array->layout.element,
                                    .first = first_task * pass->task_elements,
                                    .count =
                                        (size_t)cli_pass_elements(pass, first_task, task_count),
                                    .elements = batch->memory,
                                    .room = room,
                                    .runs = (describe_part *)runs};
    describe_part *tasks = (describe_part *)(runs + work->most_tasks * work->task.runs);
    reap_status status = reap_copy(batch->queue, piece.elements, batch->elements,
                                   piece.count * cli_element_bytes(type), NULL);
    if (status == REAP_OK)
        status = cli_launch_describe(batch->queue, &piece);
    if (status == REAP_OK)
        status = cli_launch_tasks(batch->queue, piece.runs, (piece.count + per_run - 1) / per_run,
                                  tasks);
    if (status == REAP_OK)
        status = reap_copy(batch->queue, &pass->parts[first_task], tasks,
                           task_count * sizeof *tasks, NULL);
    return status;
}

/* Once the batch's memory is free again. */
static const char *describe_batch(const struct work *work, const struct batch *batch,
                                  uint64_t first_task, size_t task_count)
{
    const struct cli_pass *pass = work->pass;
    const size_t size = cli_element_bytes(pass->array->layout.element.type);
    const uint64_t count = cli_pass_elements(pass, first_task, task_count);
    if (reap_queue_wait(batch->queue) != REAP_OK)
        return reap_last_error();
    const char *failure = cli_array_read(pass->array, first_task * pass->task_elements * size,
                                         (size_t)count * size, batch->elements);
    if (failure == NULL && launch_batch(work, batch, first_task, task_count) != REAP_OK)
        failure = reap_last_error();
    return failure;
}

static const char *describe_batches(const struct work *work)
{
    const uint64_t task_count = work->pass->task_count;
    const char *failure = NULL;
    uint64_t task = 0;
    for (size_t b = 0; task < task_count && failure == NULL; b = (b + 1) % BATCHES) {
        const uint64_t left = task_count - task;
        const size_t count = left < work->most_tasks ? (size_t)left : work->most_tasks;
        failure = describe_batch(work, &work->batches[b], task, count);
        task += count;
    }
    for (size_t b = 0; b < BATCHES && failure == NULL; b++)
        if (reap_queue_wait(work->batches[b].queue) != REAP_OK)
            failure = reap_last_error();
    return failure;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

/* No larger than what all tasks need, and then two batches all the same, to overlap. */
static size_t choose_batch(const struct work *work)
{
    const uint64_t share = work->pass->place->memory_bytes / BATCHES;
    const uint64_t room = share / work->task.whole;
    const uint64_t wanted = (work->pass->task_count + BATCHES - 1) / BATCHES;
    assert(room > 0); /* cli_place_read_memory refuses less */
    return (size_t)(room < wanted ? room : wanted);
}

static const char *prepare(const struct work *work, struct batch *batch)
{
    const reap_queue_options options = {.asynchronous = true};
    const reap_device *device = work->pass->place->device;
    void *memory;
    batch->elements = aligned_alloc(ALIGNMENT, work->most_tasks * work->task.elements);
    if (batch->elements == NULL)
        return strerror(ENOMEM);
    if (reap_queue_create(device, &options, &batch->queue) != REAP_OK ||
        reap_malloc_device(device, work->most_tasks * work->task.whole, &memory) != REAP_OK)
        return reap_last_error();
    batch->memory = memory;
    return NULL;
}

/* The queue first: it waits for the commands that use the memory. */
static void release(struct batch *batch)
{
    reap_queue_release(batch->queue);
    reap_free(batch->memory);
    free(batch->elements);
}

void cli_pass_on_device(struct cli_pass *pass)
{
    struct work work = {.pass = pass, .task = measure_task(pass->array->layout.element.type)};
    const char *failure = NULL;
    work.most_tasks = choose_batch(&work);
    for (size_t b = 0; b < BATCHES && failure == NULL; b++)
        failure = prepare(&work, &work.batches[b]);
    if (failure == NULL)
        failure = describe_batches(&work);
    if (failure != NULL)
        cli_pass_fail(pass, failure);
    for (size_t b = 0; b < BATCHES; b++)
        release(&work.batches[b]);
}
