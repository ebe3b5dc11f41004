/* SPDX-License-Identifier: Apache-2.0
 *
 * The values of a block: a thread's launches, and the results that the host finds.
 */
#include "tools/describe/worker.h"

#include "tools/describe/launch.h"
#include "tools/describe/numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 4096 };

/* ---- Memory -----------------------------------------------------------------------------------*/

static bool grow(const struct cli_worker *worker, struct cli_buffer *buffer, size_t bytes,
                 bool is_device, struct cli_failure *failure)
{
    if (bytes <= buffer->bytes)
        return true;
    const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (is_device)
        reap_free(buffer->memory);
    else
        free(buffer->memory);
    *buffer = (struct cli_buffer){NULL, 0};
    if (is_device && reap_malloc_device(worker->device, rounded, &buffer->memory) != REAP_OK)
        return cli_fail(failure, "%s", reap_last_error());
    if (!is_device)
        buffer->memory = aligned_alloc(ALIGNMENT, rounded);
    if (buffer->memory == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    buffer->bytes = rounded;
    return true;
}

static void release_buffer(const struct cli_worker *worker, struct cli_buffer *buffer)
{
    if (worker->device != NULL)
        reap_free(buffer->memory);
    else
        free(buffer->memory);
}

/* ---- Describing -------------------------------------------------------------------------------*/

/* The number of runs and blocks of values. */
struct counts {
    size_t runs, block_runs, blocks;
    bool is_small; /* a block is one run, which is described on the host and waits (series.h) */
};

/* An array is divided into tasks, so that its parts do not depend on the size of the blocks that
 * are read. A block of another data set is one item of the reduction. */
static struct counts count_parts(const struct cli_worker *worker, const struct cli_values *values)
{
    const size_t per_run = cli_run_elements(values->element.type);
    struct counts counts = {.runs = (values->count + per_run - 1) / per_run};
    counts.block_runs = worker->pass->source->has_tasks ? DESCRIBE_TASK_RUNS : counts.runs;
    counts.blocks = (counts.runs + counts.block_runs - 1) / counts.block_runs;
    counts.is_small =
        counts.runs == 1 && !worker->pass->source->has_tasks && worker->device == NULL;
    return counts;
}

static bool make_buffers(struct cli_worker *worker, const struct cli_values *values,
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
           (!is_device || grow(worker, &worker->blocks, counts.blocks * part, true, failure)) &&
           grow(worker, &worker->parts, counts.blocks * part, false, failure);
}

/* Describes values: stores the blocks' parts in worker->parts, and adds them to `all`, unless they
 * are small. */
static reap_status launch(const struct cli_worker *worker, const struct cli_values *values,
                          struct counts counts, reap_part *all)
{
    const bool is_device = worker->device != NULL;
    const size_t bytes = values->count * cli_element_bytes(values->element.type);
    const struct cli_batch batch = {
        .element = values->element,
        .count = values->count,
        .elements = is_device ? worker->elements.memory : values->elements,
        .numbers = worker->numbers.memory,
        .runs = counts.is_small ? worker->parts.memory : worker->runs.memory};
    describe_part *blocks = is_device ? worker->blocks.memory : worker->parts.memory;
    const struct cli_runs runs = {.runs = batch.runs,
                                  .count = counts.runs,
                                  .block_runs = counts.block_runs,
                                  .blocks = blocks,
                                  .all = all,
                                  .first_block = worker->block.item};
    reap_status status = REAP_OK;
    if (is_device)
        status = reap_copy(worker->queue, batch.elements, values->elements, bytes, NULL);
    if (status == REAP_OK)
        status = cli_launch_describe(worker->queue, &batch);
    if (status == REAP_OK && !counts.is_small)
        status = cli_launch_blocks(worker->queue, &runs);
    if (status == REAP_OK && is_device)
        status = reap_copy(worker->queue, worker->parts.memory, blocks,
                           counts.blocks * sizeof *blocks, NULL);
    return status == REAP_OK ? reap_queue_wait(worker->queue) : status;
}

/* ---- Extremes ---------------------------------------------------------------------------------*/

/* The row of a value; equal to the value's number if none is missing. */
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

/* Finds the value with the key from the first element of a run on. */
static void find_extreme(const struct cli_values *values, uint64_t run, uint64_t key,
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

/* Locates the extremes of a block's part that may be the series' first ones. */
static void find_extremes(const struct cli_worker *worker, const struct cli_values *values,
                          size_t series, const describe_part *part)
{
    const enum cli_element_type type = values->element.type;
    const struct cli_block *block = &worker->block;
    const uint64_t keys[] = {part->minimum, part->maximum};
    const uint64_t runs[] = {part->minimum_run, part->maximum_run};
    bool wants[CLI_EXTREME_COUNT] = {false};
    if (part->numbers > 0)
        cli_pass_wants(worker->pass, series, type, keys, block->number, wants);
    for (int e = 0; e < CLI_EXTREME_COUNT; e++) {
        struct cli_extreme extreme;
        if (!wants[e])
            continue;
        find_extreme(values, runs[e], keys[e], &extreme);
        extreme.block = block->number;
        extreme.row += block->first_row == CLI_ROW_AFTER ? 0 : block->first_row;
        cli_pass_add_extreme(worker->pass, series, type, e, &extreme);
    }
}

/* After the launches: the results of all values that the host finds. */
static void find_on_host(struct cli_worker *worker, struct cli_values *values, size_t series,
                         struct counts counts, struct cli_found *found)
{
    const describe_part *parts = worker->parts.memory;
    if (worker->device == NULL) /* the kernels have swapped them */
        values->element = cli_element_native(values->element.type);
    for (size_t b = 0; b < counts.blocks; b++)
        find_extremes(worker, values, series, &parts[b]);
    if (worker->pass->source->array == NULL && parts[0].numbers > 0)
        cli_edges_find(values, cli_key_to_double(values->element.type, parts[0].minimum),
                       cli_key_to_double(values->element.type, parts[0].maximum), &found->edges);
}

/* ---- A block ----------------------------------------------------------------------------------*/

/* Counts values before they are described, which overwrites them. */
static bool count_values(const struct cli_worker *worker, size_t series, struct cli_values *values,
                         struct cli_failure *failure)
{
    const struct cli_counting *counting = worker->pass->counting;
    if (counting == NULL || values->count == 0)
        return true;
    cli_values_make_native(values);
    return counting->count(counting, worker->tally, series, values) ||
           cli_fail(failure, "%s", strerror(ENOMEM));
}

/* Adds the part of a small block. */
static bool add_block(const struct cli_worker *worker, enum cli_element_type type, size_t series,
                      struct cli_failure *failure)
{
    struct cli_full full = {NULL, NULL};
    struct cli_waiting_block block = {.item = worker->block.item};
    memcpy(&block.part, worker->parts.memory, sizeof block.part);
    const bool is_fine = cli_pass_wait(worker->pass, series, type, &block, &full, failure);
    return (full.blocks == NULL ||
            cli_waiting_add(full.blocks, worker->queue, full.part, failure)) &&
           is_fine;
}

static bool describe_values(struct cli_worker *worker, struct cli_values *values, size_t series,
                            struct cli_found *found, struct cli_failure *failure)
{
    const struct counts counts = count_parts(worker, values);
    reap_part *all = NULL;
    if (!counts.is_small &&
        (all = cli_pass_part(worker->pass, series, values->element.type, failure)) == NULL)
        return false;
    if (!make_buffers(worker, values, counts, failure))
        return false;
    if (launch(worker, values, counts, all) != REAP_OK)
        return cli_fail(failure, "%s", reap_last_error());
    find_on_host(worker, values, series, counts, found);
    return !counts.is_small || add_block(worker, values->element.type, series, failure);
}

static bool describe_series(struct cli_worker *worker, size_t series, struct cli_failure *failure)
{
    struct cli_pass *pass = worker->pass;
    struct cli_values values;
    pass->source->select(pass->source, &worker->block, series, &values);
    if (!count_values(worker, series, &values, failure))
        return false;
    if (pass->series == NULL)
        return true;
    struct cli_found found = {.type = values.element.type,
                              .has_values = values.count > 0,
                              .missing =
                                  values.missing_count - values.odd.count - values.absent_count,
                              .column_type = values.column_type,
                              .odd = values.odd};
    if (values.count > 0 && !describe_values(worker, &values, series, &found, failure))
        return false;
    cli_pass_add(pass, series, &found, &worker->block);
    return true;
}

bool cli_worker_load(struct cli_worker *worker, struct cli_failure *failure)
{
    struct cli_block *block = &worker->block;
    block->rows = block->lines = block->comment_lines = block->bad_line = 0;
    block->first_series = 0;
    block->series_count = worker->pass->source->series_count;
    block->first_row = CLI_ROW_AFTER;
    block->item = block->number;
    return worker->pass->source->load(worker->pass->source, block, failure);
}

bool cli_worker_describe(struct cli_worker *worker, struct cli_failure *failure)
{
    const struct cli_block *block = &worker->block;
    bool is_fine = true;
    for (size_t s = 0; s < block->series_count && is_fine; s++)
        is_fine = describe_series(worker, block->first_series + s, failure);
    return is_fine;
}

/* ---- Workers ----------------------------------------------------------------------------------*/

bool cli_worker_open(struct cli_worker *worker, struct cli_pass *pass, struct cli_failure *failure)
{
    const reap_queue_options options = {.max_threads = 1}; /* other threads describe other blocks */
    const struct cli_counting *counting = pass->counting;
    *worker = (struct cli_worker){.pass = pass, .device = pass->chosen->device};
    worker->block.scratch = pass->source->make_scratch(pass->source);
    if (worker->block.scratch != NULL && counting != NULL)
        worker->tally = counting->make_tally(counting);
    if (worker->block.scratch == NULL || (counting != NULL && worker->tally == NULL))
        return cli_fail(failure, "%s", strerror(ENOMEM));
    return reap_queue_create(worker->device, &options, &worker->queue) == REAP_OK ||
           cli_fail(failure, "%s", reap_last_error());
}

void cli_worker_close(struct cli_worker *worker)
{
    struct cli_pass *pass = worker->pass;
    reap_queue_release(worker->queue);
    if (worker->device != NULL)
        release_buffer(worker, &worker->elements);
    release_buffer(worker, &worker->numbers);
    release_buffer(worker, &worker->runs);
    release_buffer(worker, &worker->blocks);
    free(worker->parts.memory);
    if (worker->tally != NULL) {
        cli_pass_add_counts(pass, worker->tally);
        pass->counting->free_tally(pass->counting, worker->tally);
    }
    if (worker->block.scratch != NULL)
        pass->source->free_scratch(worker->block.scratch);
}
