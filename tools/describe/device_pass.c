/* SPDX-License-Identifier: Apache-2.0
 *
 * The pass over an array of real numbers on a device with its own memory. Two batches of tasks
 * alternate: while one is copied to the device and described, the next one is read from the file.
 * Each has an in-order queue, and half of the memory that may be used; the device returns a part
 * for each task.
 */
#include "tools/describe/array_feed.h"
#include "tools/describe/launch.h"
#include "tools/describe/meter.h"
#include "tools/describe/numbers.h"
#include "tools/describe/pass.h"

#include "tools/interrupt.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 2, ALIGNMENT = 4096 };

/* The memory of a task in a batch: its elements, its numbers if they are larger, the parts of its
 * runs and its own part. They are in this order, each for all tasks. */
struct task_bytes {
    size_t elements, numbers, runs, whole;
};

struct batch {
    reap_queue *queue;
    unsigned char *elements; /* in host memory */
    unsigned char *memory;   /* in device memory */
    describe_part *parts;    /* in host memory: of the tasks */
    uint64_t first;          /* element */
    size_t count;            /* elements; 0: the batch is idle */
};

struct work {
    struct cli_pass *pass;
    const struct cli_array *array;
    struct task_bytes task;
    size_t task_elements;
    size_t most_tasks; /* of a batch */
    uint64_t read;     /* elements so far */
    bool is_at_end;
    void *tally; /* of the pass's counting, which needs no begin */
    struct batch batches[BATCHES];
};

static struct task_bytes measure_task(enum cli_element_type type)
{
    const size_t element = cli_element_bytes(type), number = cli_number_bytes(type);
    const size_t count = cli_block_elements(type);
    struct task_bytes task = {.elements = count * element,
                              .numbers = number > element ? count * number : 0,
                              .runs = DESCRIBE_TASK_RUNS * sizeof(describe_part)};
    task.whole = task.elements + task.numbers + task.runs + sizeof(describe_part);
    return task;
}

static size_t count_tasks(const struct work *work, const struct batch *batch)
{
    return (batch->count + work->task_elements - 1) / work->task_elements;
}

/* ---- Batches ----------------------------------------------------------------------------------*/

/* Reads the next elements, as many as fit in the batch. */
static bool read_batch(struct work *work, struct batch *batch, struct cli_failure *failure)
{
    const struct cli_array *array = work->array;
    const size_t size = cli_element_bytes(array->layout.element.type);
    const size_t most = work->most_tasks * work->task_elements;
    const uint64_t left = array->layout.count - work->read;
    const size_t wanted = left < most ? (size_t)left : most;
    size_t bytes = 0;
    if (wanted > 0 &&
        !array->read(array, work->read * size, batch->elements, wanted * size, &bytes, failure))
        return false;
    batch->first = work->read;
    batch->count = bytes / size;
    work->read += batch->count;
    work->is_at_end = batch->count < most || cli_is_interrupted();
    return true;
}

/* Copies the elements to the device, describes them there, and copies the tasks' parts back. */
static reap_status launch_batch(const struct work *work, const struct batch *batch)
{
    const enum cli_element_type type = work->array->layout.element.type;
    const size_t per_run = cli_run_elements(type), task_count = count_tasks(work, batch);
    unsigned char *numbers = batch->memory + work->most_tasks * work->task.elements;
    unsigned char *runs = numbers + work->most_tasks * work->task.numbers;
    const struct cli_piece piece = {.element = work->array->layout.element,
                                    .count = batch->count,
                                    .elements = batch->memory,
                                    .numbers = numbers,
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
        status = reap_copy(batch->queue, batch->parts, tasks, task_count * sizeof *tasks, NULL);
    return status;
}

/* Adds the results of a task, whose elements are still in memory. */
static bool add_task(const struct work *work, const struct batch *batch, size_t task)
{
    const size_t done = task * work->task_elements, left = batch->count - done;
    const struct cli_element element = work->array->layout.element;
    const describe_part *part = &batch->parts[task];
    const uint64_t keys[] = {part->minimum, part->maximum};
    const uint64_t runs[] = {part->minimum_run, part->maximum_run};
    const uint64_t first_run = done / cli_run_elements(element.type);
    struct cli_values values = {.element = element,
                                .elements =
                                    batch->elements + done * cli_element_bytes(element.type),
                                .count = left < work->task_elements ? left : work->task_elements};
    struct cli_found found = {.type = element.type, .part = *part};
    const uint64_t block = (batch->first + done) / work->task_elements;
    cli_values_make_native(&values);
    for (int e = 0; e < CLI_EXTREME_COUNT && part->numbers > 0; e++)
        if (cli_pass_wants(work->pass, 0, element.type, e, keys[e], block))
            cli_find_extreme(&values, runs[e] - first_run, keys[e], &found.extremes[e]);
    const struct cli_block added = {
        .rows = values.count, .series_count = 1, .first_row = CLI_ROW_AFTER};
    const struct cli_counting *counting = work->pass->counting;
    if (counting != NULL && !counting->count(counting, work->tally, 0, &values)) {
        cli_pass_stop(work->pass, strerror(ENOMEM));
        return false;
    }
    return cli_pass_add(work->pass, &found, &added);
}

/* Waits for the batch's commands, and adds its results. */
static bool finish_batch(const struct work *work, struct batch *batch, struct cli_failure *failure)
{
    const size_t task_count = count_tasks(work, batch);
    bool is_fine = true;
    if (batch->count == 0)
        return true;
    if (reap_queue_wait(batch->queue) != REAP_OK)
        return cli_fail(failure, "%s", reap_last_error());
    for (size_t t = 0; t < task_count && is_fine; t++)
        is_fine = add_task(work, batch, t);
    batch->count = 0;
    return is_fine;
}

static bool describe_batches(struct work *work, struct cli_failure *failure)
{
    bool is_fine = true;
    size_t b = 0;
    for (; !work->is_at_end && is_fine; b = (b + 1) % BATCHES) {
        struct batch *batch = &work->batches[b];
        is_fine = finish_batch(work, batch, failure) && read_batch(work, batch, failure);
        if (is_fine && batch->count > 0 && launch_batch(work, batch) != REAP_OK)
            is_fine = cli_fail(failure, "%s", reap_last_error());
        if (work->pass->meter != NULL)
            cli_meter_show(work->pass->meter, work->pass->rows);
    }
    for (size_t left = BATCHES; left > 0 && is_fine; left--, b = (b + 1) % BATCHES)
        is_fine = finish_batch(work, &work->batches[b], failure);
    return is_fine;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

/* At most what all tasks need, but two batches, so that they overlap. */
static size_t choose_batch(const struct work *work)
{
    const uint64_t share = work->pass->place->memory_bytes / BATCHES;
    const uint64_t most = share / work->task.whole;
    const uint64_t tasks = work->pass->feed->block_count;
    const uint64_t wanted = tasks / BATCHES + tasks % BATCHES;
    assert(most > 0); /* cli_place_read_memory refuses less */
    return (size_t)(most < wanted ? most : wanted);
}

static bool prepare(const struct work *work, struct batch *batch, struct cli_failure *failure)
{
    const reap_queue_options options = {.asynchronous = true};
    const reap_device *device = work->pass->place->device;
    void *memory;
    batch->elements = aligned_alloc(ALIGNMENT, work->most_tasks * work->task.elements);
    batch->parts = calloc(work->most_tasks, sizeof *batch->parts);
    if (batch->elements == NULL || batch->parts == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    if (reap_queue_create(device, &options, &batch->queue) != REAP_OK ||
        reap_malloc_device(device, work->most_tasks * work->task.whole, &memory) != REAP_OK)
        return cli_fail(failure, "%s", reap_last_error());
    batch->memory = memory;
    return true;
}

/* The queue first: it waits for the commands that use the memory. */
static void release(struct batch *batch)
{
    reap_queue_release(batch->queue);
    reap_free(batch->memory);
    free(batch->parts);
    free(batch->elements);
}

void cli_pass_in_batches(struct cli_pass *pass, const struct cli_array *array)
{
    const enum cli_element_type type = array->layout.element.type;
    struct work work = {.pass = pass,
                        .array = array,
                        .task = measure_task(type),
                        .task_elements = cli_block_elements(type)};
    struct cli_failure failure = {""};
    bool is_fine = true;
    if (array->layout.count == 0)
        return;
    work.most_tasks = choose_batch(&work);
    if (pass->counting != NULL && (work.tally = pass->counting->make_tally(pass->counting)) == NULL)
        is_fine = cli_fail(&failure, "%s", strerror(ENOMEM));
    for (size_t b = 0; b < BATCHES && is_fine; b++)
        is_fine = prepare(&work, &work.batches[b], &failure);
    if (is_fine)
        describe_batches(&work, &failure);
    if (work.tally != NULL) {
        cli_pass_add_counts(pass, work.tally);
        pass->counting->free_tally(pass->counting, work.tally);
    }
    if (failure.text[0] != '\0')
        cli_pass_stop(pass, failure.text);
    for (size_t b = 0; b < BATCHES; b++)
        release(&work.batches[b]);
}
