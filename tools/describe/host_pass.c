/* SPDX-License-Identifier: Apache-2.0
 *
 * The pass on threads. Each reads a block at a time into its own memory and describes it there,
 * while it is in the core's cache, or copies its values to a device and describes them there. If
 * numbers are also counted, it counts them in the block, on the host.
 */
#include "tools/describe/exchange.h"
#include "tools/describe/launch.h"
#include "tools/describe/numbers.h"
#include "tools/describe/pass.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 4096 };

/* Memory that grows on demand. */
struct buffer {
    void *memory;
    size_t bytes;
};

/* A thread's state. The numbers and parts are in device memory if there is a device. */
struct worker {
    struct cli_pass *pass;
    const reap_device *device; /* NULL: the host */
    reap_queue *queue;
    struct cli_block block;
    struct buffer elements; /* the device's; the host describes the block in place */
    struct buffer numbers;  /* converted from smaller elements */
    struct buffer runs, tasks;
    struct buffer parts; /* the tasks', in host memory */
    void *tally;         /* of the pass's counting */
};

/* ---- Memory -----------------------------------------------------------------------------------*/

static bool grow(const struct worker *worker, struct buffer *buffer, size_t bytes, bool is_device,
                 struct cli_failure *failure)
{
    if (bytes <= buffer->bytes)
        return true;
    const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (is_device)
        reap_free(buffer->memory);
    else
        free(buffer->memory);
    *buffer = (struct buffer){NULL, 0};
    if (is_device && reap_malloc_device(worker->device, rounded, &buffer->memory) != REAP_OK)
        return cli_fail(failure, "%s", reap_last_error());
    if (!is_device)
        buffer->memory = aligned_alloc(ALIGNMENT, rounded);
    if (buffer->memory == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    buffer->bytes = rounded;
    return true;
}

static void release_buffer(const struct worker *worker, struct buffer *buffer)
{
    if (worker->device != NULL)
        reap_free(buffer->memory);
    else
        free(buffer->memory);
}

/* ---- Describing -------------------------------------------------------------------------------*/

/* The number of parts that describing values needs. */
struct counts {
    size_t runs, tasks;
};

static bool make_buffers(struct worker *worker, const struct cli_values *values,
                         struct counts counts, struct cli_failure *failure)
{
    const enum cli_element_type type = values->element.type;
    const bool is_device = worker->device != NULL;
    const size_t element = cli_element_bytes(type), number = cli_number_bytes(type);
    const size_t part = sizeof(describe_part);
    return (!is_device ||
            grow(worker, &worker->elements, values->count * element, true, failure)) &&
           (number == element ||
            grow(worker, &worker->numbers, values->count * number, is_device, failure)) &&
           grow(worker, &worker->runs, counts.runs * part, is_device, failure) &&
           (!is_device || grow(worker, &worker->tasks, counts.tasks * part, true, failure)) &&
           grow(worker, &worker->parts, counts.tasks * part, false, failure);
}

/* Leaves the tasks' parts in worker->parts. */
static reap_status launch(const struct worker *worker, const struct cli_values *values,
                          struct counts counts)
{
    const bool is_device = worker->device != NULL;
    const size_t bytes = values->count * cli_element_bytes(values->element.type);
    const struct cli_piece piece = {.element = values->element,
                                    .count = values->count,
                                    .elements =
                                        is_device ? worker->elements.memory : values->elements,
                                    .numbers = worker->numbers.memory,
                                    .runs = worker->runs.memory};
    describe_part *tasks = is_device ? worker->tasks.memory : worker->parts.memory;
    reap_status status = REAP_OK;
    if (is_device)
        status = reap_copy(worker->queue, piece.elements, values->elements, bytes, NULL);
    if (status == REAP_OK)
        status = cli_launch_describe(worker->queue, &piece);
    if (status == REAP_OK)
        status = cli_launch_tasks(worker->queue, piece.runs, counts.runs, tasks);
    if (status == REAP_OK && is_device)
        status = reap_copy(worker->queue, worker->parts.memory, tasks, counts.tasks * sizeof *tasks,
                           NULL);
    return status == REAP_OK ? reap_queue_wait(worker->queue) : status;
}

/* The row of a value, which is the value's number if none is missing. */
static uint64_t find_row(const struct cli_values *values, size_t value)
{
    size_t word = 0, left = value;
    if (values->missing_count == 0)
        return value;
    for (;; word++) {
        const size_t there = (size_t)__builtin_popcountll(~values->missing[word]);
        if (left < there)
            break;
        left -= there;
    }
    uint64_t bits = ~values->missing[word];
    for (; left > 0; left--)
        bits &= bits - 1;
    return (uint64_t)word * 64 + (uint64_t)__builtin_ctzll(bits);
}

void cli_find_extreme(const struct cli_values *values, uint64_t run, uint64_t key,
                      struct cli_extreme *extreme)
{
    const size_t size = cli_element_bytes(values->element.type);
    const size_t per_run = cli_run_elements(values->element.type);
    const unsigned char *elements = values->elements;
    uint64_t found;
    *extreme = (struct cli_extreme){.key = key};
    for (size_t i = (size_t)run * per_run; i < values->count && !extreme->is_there; i++)
        if (cli_element_key(values->element, elements + i * size, &found) && found == key) {
            extreme->is_there = true;
            extreme->row = find_row(values, i);
            for (size_t b = 0; b < size; b++)
                extreme->bytes[b] =
                    elements[i * size +
                             (cli_element_is_swapped(values->element) ? size - 1 - b : b)];
        }
}

static void find_extremes(const struct worker *worker, struct cli_values *values, size_t series,
                          struct cli_found *found)
{
    const describe_part *part = &found->part;
    const uint64_t keys[] = {part->minimum, part->maximum};
    const uint64_t runs[] = {part->minimum_run, part->maximum_run};
    if (worker->device == NULL) /* the kernels have swapped them */
        values->element = cli_element_native(values->element.type);
    for (int e = 0; e < CLI_EXTREME_COUNT && part->numbers > 0; e++)
        if (cli_pass_wants(worker->pass, series, values->element.type, e, keys[e],
                           worker->block.number))
            cli_find_extreme(values, runs[e], keys[e], &found->extremes[e]);
}

/* Before they are described, which overwrites them. */
static bool count_values(const struct worker *worker, size_t series, struct cli_values *values,
                         struct cli_failure *failure)
{
    const struct cli_counting *counting = worker->pass->counting;
    if (counting == NULL || values->count == 0)
        return true;
    cli_values_make_native(values);
    return counting->count(counting, worker->tally, series, values) ||
           cli_fail(failure, "%s", strerror(ENOMEM));
}

static bool describe_series(struct worker *worker, size_t series, struct cli_found *found,
                            struct cli_failure *failure)
{
    struct cli_values values;
    worker->pass->feed->select(worker->pass->feed, &worker->block, series, &values);
    if (!count_values(worker, series, &values, failure))
        return false;
    if (worker->pass->series == NULL)
        return true;
    *found =
        (struct cli_found){.type = values.element.type,
                           .missing = values.missing_count - values.odd.count - values.absent_count,
                           .column_type = values.column_type,
                           .odd = values.odd};
    found->part = describe_merge_identity();
    if (values.count == 0)
        return true;
    const size_t per_run = cli_run_elements(values.element.type);
    struct counts counts = {.runs = (values.count + per_run - 1) / per_run};
    counts.tasks = (counts.runs + DESCRIBE_TASK_RUNS - 1) / DESCRIBE_TASK_RUNS;
    if (!make_buffers(worker, &values, counts, failure))
        return false;
    if (launch(worker, &values, counts) != REAP_OK)
        return cli_fail(failure, "%s", reap_last_error());
    const describe_part *parts = worker->parts.memory;
    for (size_t t = 0; t < counts.tasks; t++)
        found->part = reap_operate(describe_merge, found->part, parts[t]);
    find_extremes(worker, &values, series, found);
    if (worker->pass->feed->array == NULL && found->part.numbers > 0)
        cli_edges_find(&values, cli_key_to_double(values.element.type, found->part.minimum),
                       cli_key_to_double(values.element.type, found->part.maximum), &found->edges);
    return true;
}

/* ---- Threads ----------------------------------------------------------------------------------*/

static void describe_block(struct worker *worker)
{
    struct cli_pass *pass = worker->pass;
    struct cli_failure failure = {""};
    struct cli_found *found = cli_pass_found(pass, &worker->block);
    worker->block.rows = worker->block.lines = worker->block.bad_line = 0;
    worker->block.comment_lines = 0;
    worker->block.first_series = 0;
    worker->block.series_count = pass->feed->series_count;
    worker->block.first_row = CLI_ROW_AFTER;
    bool is_fine = pass->feed->load(pass->feed, &worker->block, &failure);
    if (is_fine && pass->counting != NULL)
        is_fine = cli_pass_begin_counting(pass, &worker->block);
    for (size_t s = 0; s < worker->block.series_count && is_fine; s++)
        is_fine = describe_series(worker, worker->block.first_series + s, &found[s], &failure);
    cli_pass_give(pass, &worker->block, &failure);
}

/* Allocates the thread's memory; false: out of memory. */
static bool make_own(struct worker *worker)
{
    struct cli_pass *pass = worker->pass;
    const struct cli_counting *counting = pass->counting;
    worker->block.room = pass->feed->make_room(pass->feed);
    if (worker->block.room != NULL && counting != NULL)
        worker->tally = counting->make_tally(counting);
    return worker->block.room != NULL && (counting == NULL || worker->tally != NULL);
}

static void free_own(struct worker *worker)
{
    struct cli_pass *pass = worker->pass;
    if (worker->tally != NULL) {
        cli_pass_add_counts(pass, worker->tally);
        pass->counting->free_tally(pass->counting, worker->tally);
    }
    if (worker->block.room != NULL)
        pass->feed->free_room(worker->block.room);
}

static void *run_thread(void *argument)
{
    struct worker worker = {.pass = argument};
    const reap_queue_options options = {.max_threads = 1};
    struct cli_pass *pass = worker.pass;
    worker.device = pass->place->device;
    if (!make_own(&worker))
        cli_pass_stop(pass, strerror(ENOMEM));
    else if (reap_queue_create(worker.device, &options, &worker.queue) != REAP_OK)
        cli_pass_stop(pass, reap_last_error());
    else
        while (cli_pass_take(pass, &worker.block))
            describe_block(&worker);
    reap_queue_release(worker.queue);
    if (worker.device != NULL)
        release_buffer(&worker, &worker.elements);
    release_buffer(&worker, &worker.numbers);
    release_buffer(&worker, &worker.runs);
    release_buffer(&worker, &worker.tasks);
    free(worker.parts.memory);
    free_own(&worker);
    return NULL;
}

/* The calling thread is one of them, or exchanges results with other ranks; fewer if no more can be
 * created. */
void cli_pass_on_threads(struct cli_pass *pass)
{
    const uint64_t blocks = pass->feed->block_count;
    const size_t calling = pass->exchange == NULL;
    size_t count = pass->thread_count;
    count = blocks < count ? (size_t)blocks : count;
    count = count > 0 ? count : 1;
    pthread_t *threads = calloc(count, sizeof *threads);
    size_t started = 0;
    while (threads != NULL && started + calling < count &&
           pthread_create(&threads[started], NULL, run_thread, pass) == 0)
        started++;
    if (pass->exchange == NULL)
        run_thread(pass);
    else if (started == 0)
        cli_pass_stop(pass, strerror(EAGAIN));
    else
        cli_exchange_run(pass->exchange);
    for (size_t t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
    free(threads);
}
