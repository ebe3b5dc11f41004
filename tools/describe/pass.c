/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads of a pass, and their shared state.
 */
#include "tools/describe/pass.h"

#include "tools/describe/array_source.h"
#include "tools/describe/exchange.h"
#include "tools/describe/launch.h"
#include "tools/describe/meter.h"
#include "tools/describe/worker.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Taking -----------------------------------------------------------------------------------*/

void cli_pass_fail(struct cli_pass *pass, uint64_t block, size_t bad_line, const char *failure)
{
    pthread_mutex_lock(&pass->lock);
    if (pass->failure.text[0] == '\0' || block < pass->failed_block) {
        pass->failure = (struct cli_failure){""};
        cli_fail(&pass->failure, "%s", failure);
        pass->failed_block = block;
        pass->bad_line = bad_line;
    }
    pass->is_over = true;
    pthread_mutex_unlock(&pass->lock);
}

static enum cli_next take_next(struct cli_pass *pass, struct cli_block *block)
{
    struct cli_failure failure = {""};
    enum cli_next next = CLI_NO_MORE;
    pthread_mutex_lock(&pass->reading);
    pthread_mutex_lock(&pass->lock);
    const bool is_over = pass->is_over;
    block->number = pass->taken; /* it is changed only with both locks held */
    block->is_foreign = !cli_exchange_owns(pass, block->number);
    pthread_mutex_unlock(&pass->lock);
    if (!is_over)
        next = pass->source->take(pass->source, block, &failure);
    pthread_mutex_lock(&pass->lock);
    pass->taken += next == CLI_NEXT;
    pass->is_over = pass->is_over || next != CLI_NEXT;
    pthread_mutex_unlock(&pass->lock);
    pthread_mutex_unlock(&pass->reading);
    if (next == CLI_NEXT_FAILED)
        cli_pass_fail(pass, block->number, 0, failure.text);
    return next;
}

/* Takes the next block of this rank; false: all were taken. */
static bool take(struct cli_pass *pass, struct cli_block *block)
{
    enum cli_next next;
    do
        next = take_next(pass, block);
    while (next == CLI_NEXT && block->is_foreign);
    return next == CLI_NEXT;
}

/* ---- Results of threads -----------------------------------------------------------------------*/

reap_part *cli_pass_part(struct cli_pass *pass, size_t series, enum cli_element_type type,
                         struct cli_failure *failure)
{
    pthread_mutex_lock(&pass->lock);
    reap_part *part = cli_series_part(&pass->series[series], type, failure);
    pthread_mutex_unlock(&pass->lock);
    return part;
}

bool cli_pass_wait(struct cli_pass *pass, size_t series, enum cli_element_type type,
                   const struct cli_waiting_block *block, struct cli_full *full,
                   struct cli_failure *failure)
{
    pthread_mutex_lock(&pass->lock);
    const bool is_fine = cli_series_wait(&pass->series[series], type, block, full, failure);
    pthread_mutex_unlock(&pass->lock);
    return is_fine;
}

void cli_pass_wants(struct cli_pass *pass, size_t series, enum cli_element_type type,
                    const uint64_t keys[CLI_EXTREME_COUNT], uint64_t block,
                    bool wants[CLI_EXTREME_COUNT])
{
    pthread_mutex_lock(&pass->lock);
    cli_series_wants(&pass->series[series], type, keys, block, wants);
    pthread_mutex_unlock(&pass->lock);
}

void cli_pass_add_extreme(struct cli_pass *pass, size_t series, enum cli_element_type type,
                          int extreme, const struct cli_extreme *found)
{
    pthread_mutex_lock(&pass->lock);
    cli_series_add_extreme(&pass->series[series], type, extreme, found);
    pthread_mutex_unlock(&pass->lock);
}

void cli_pass_add(struct cli_pass *pass, size_t series, const struct cli_found *found,
                  const struct cli_block *block)
{
    const uint64_t first_row = block->first_row == CLI_ROW_AFTER ? 0 : block->first_row;
    pthread_mutex_lock(&pass->lock);
    cli_series_add(&pass->series[series], found, block->number, first_row);
    pthread_mutex_unlock(&pass->lock);
}

void cli_pass_add_counts(struct cli_pass *pass, const void *tally)
{
    pthread_mutex_lock(&pass->lock);
    const bool is_fine = pass->counting->add(pass->counting, tally);
    pthread_mutex_unlock(&pass->lock);
    if (!is_fine)
        cli_pass_fail(pass, 0, 0, strerror(ENOMEM));
}

bool cli_pass_reserve_extents(struct cli_pass *pass, uint64_t count)
{
    size_t scratch = pass->extent_count;
    if (count <= scratch)
        return true;
    while (scratch < count)
        scratch = scratch < 64 ? 64 : 2 * scratch;
    struct cli_extent *extents = realloc(pass->extents, scratch * sizeof *extents);
    if (extents == NULL)
        return false;
    memset(extents + pass->extent_count, 0, (scratch - pass->extent_count) * sizeof *extents);
    pass->extents = extents;
    pass->extent_count = scratch;
    return true;
}

/* Adds the extent of a loaded block; false: out of memory. */
static bool add_extent(struct cli_pass *pass, const struct cli_block *block)
{
    bool is_fine = true;
    pthread_mutex_lock(&pass->lock);
    if (pass->source->array == NULL &&
        (is_fine = cli_pass_reserve_extents(pass, block->number + 1)))
        pass->extents[block->number] = (struct cli_extent){block->rows, block->lines};
    pass->rows += block->rows;
    pass->comment_lines += block->comment_lines;
    if (pass->meter != NULL)
        cli_meter_show(pass->meter, pass->rows * (uint64_t)cli_job_count(pass->job));
    pthread_mutex_unlock(&pass->lock);
    return is_fine;
}

/* ---- Threads ----------------------------------------------------------------------------------*/

static bool load(struct cli_worker *worker, struct cli_failure *failure)
{
    return cli_worker_load(worker, failure) &&
           (add_extent(worker->pass, &worker->block) || cli_fail(failure, "%s", strerror(ENOMEM)));
}

static void note(struct cli_worker *worker, bool is_fine, const struct cli_failure *failure)
{
    if (!is_fine)
        cli_pass_fail(worker->pass, worker->block.number, worker->block.bad_line, failure->text);
}

static void run_worker(struct cli_worker *worker)
{
    while (take(worker->pass, &worker->block)) {
        struct cli_failure failure = {""};
        note(worker, load(worker, &failure) && cli_worker_describe(worker, &failure), &failure);
    }
}

static void *run_thread(void *argument)
{
    struct cli_worker worker;
    struct cli_failure failure = {""};
    if (cli_worker_open(&worker, argument, &failure))
        run_worker(&worker);
    else
        cli_pass_fail(argument, 0, 0, failure.text);
    cli_worker_close(&worker);
    return NULL;
}

/* Loads and describes the first block, with which a counting begins. */
static bool run_first(struct cli_pass *pass, struct cli_worker *worker)
{
    struct cli_counting *counting = pass->counting;
    struct cli_failure failure = {""};
    const bool has_block = take(pass, &worker->block);
    const bool is_loaded = has_block && load(worker, &failure);
    const bool needs_start = counting != NULL && counting->begin != NULL;
    bool has_begun = is_loaded && worker->block.number == 0;
    if (has_block)
        note(worker, is_loaded, &failure);
    if (needs_start && has_begun)
        counting->begin(counting, pass->source, &worker->block);
    if (needs_start && pass->job != NULL)
        has_begun = cli_exchange_start(pass, has_begun);
    if (is_loaded && (has_begun || !needs_start))
        note(worker, cli_worker_describe(worker, &failure), &failure);
    return is_loaded && (has_begun || !needs_start);
}

/* Runs `count` threads, of which the calling thread is one; fewer if they cannot be created. */
static void run_threads(struct cli_pass *pass, struct cli_worker *worker, size_t count)
{
    pthread_t *threads = count > 1 ? calloc(count - 1, sizeof *threads) : NULL;
    size_t started = 0;
    while (threads != NULL && started + 1 < count &&
           pthread_create(&threads[started], NULL, run_thread, pass) == 0)
        started++;
    run_worker(worker);
    for (size_t t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
    free(threads);
}

/* ---- A pass -----------------------------------------------------------------------------------*/

/* The most tasks of a block on a device. All threads that read, copy and launch share the device's
 * memory. */
enum { MOST_DEVICE_TASKS = 16 };

bool cli_pass_measure(const struct cli_chosen_device *chosen, enum cli_element_type type,
                      size_t *threads, size_t *block_tasks)
{
    const enum cli_element_type part = cli_element_part(type);
    const size_t element = cli_element_bytes(part), number = cli_number_bytes(part);
    const size_t task = cli_task_elements(type) * (element + (number > element ? number : 0)) +
                        (DESCRIBE_TASK_RUNS + 1) * sizeof(describe_part);
    reap_device_info info;
    const reap_device *host;
    if (reap_device_default(&host) != REAP_OK || reap_device_get_info(host, &info) != REAP_OK)
        return false;
    *threads = (size_t)info.compute_units;
    *block_tasks = 1;
    if (chosen->device == NULL)
        return true;
    const uint64_t tasks = chosen->memory_bytes / task;
    *threads = tasks < *threads ? (size_t)tasks : *threads;
    *threads = *threads > 0 ? *threads : 1;
    *block_tasks = (size_t)(tasks / *threads);
    *block_tasks = *block_tasks < MOST_DEVICE_TASKS ? *block_tasks : MOST_DEVICE_TASKS;
    *block_tasks = *block_tasks > 0 ? *block_tasks : 1;
    return true;
}

static void describe(struct cli_pass *pass)
{
    const enum cli_element_type type =
        pass->source->array != NULL ? pass->source->array->layout.element.type : CLI_ELEMENT_f64;
    const uint64_t blocks = pass->source->block_count;
    struct cli_worker worker;
    struct cli_failure failure = {""};
    size_t threads = 1, tasks;
    bool is_open = cli_worker_open(&worker, pass, &failure);
    if (is_open && !cli_pass_measure(pass->chosen, type, &threads, &tasks))
        is_open = cli_fail(&failure, "%s", reap_last_error());
    threads = blocks < threads ? (size_t)blocks : threads;
    if (!is_open)
        cli_pass_fail(pass, 0, 0, failure.text);
    if (pass->source->begin != NULL && pass->chosen->device == NULL)
        pass->source->begin(pass->source);
    if (run_first(pass, &worker))
        run_threads(pass, &worker, threads);
    cli_worker_close(&worker);
    if (pass->source->end != NULL && !pass->source->end(pass->source, &failure))
        cli_pass_fail(pass, 0, 0, failure.text);
}

/* Once all blocks are known, replaces their extents by the rows and lines before them. */
static void number_rows(struct cli_pass *pass)
{
    uint64_t rows = 0, lines = pass->source->lines_before;
    for (uint64_t b = 0; b < pass->extent_count; b++) {
        const struct cli_extent extent = pass->extents[b];
        pass->extents[b] = (struct cli_extent){rows, lines};
        rows += extent.rows;
        lines += extent.lines;
    }
}

/* Adds the number of the line to the failure of a block: it follows the lines of the previous
 * blocks. */
static void name_line(struct cli_pass *pass)
{
    struct cli_failure failure = {""};
    uint64_t lines = pass->source->lines_before;
    for (uint64_t b = 0; b < pass->failed_block && b < pass->extent_count; b++)
        lines += pass->extents[b].lines;
    cli_fail(&failure, "line %" PRIu64 ": %.400s", lines + pass->bad_line, pass->failure.text);
    pass->failure = failure;
}

static void place_rows(struct cli_pass *pass)
{
    number_rows(pass);
    for (size_t s = 0; s < pass->source->series_count; s++)
        cli_series_place(&pass->series[s], pass->extents);
}

static void run(struct cli_pass *pass)
{
    struct cli_block_source *source = pass->source;
    if (pass->job != NULL)
        cli_exchange_divide(pass);
    describe(pass);
    if (pass->meter != NULL)
        cli_meter_hide(pass->meter);
    if (pass->job != NULL)
        cli_exchange_collect(pass);
    if (cli_job_own(pass->job) == 0) {
        if (pass->failure.text[0] == '\0' && source->finish != NULL)
            source->finish(source, &pass->failure);
        if (pass->failure.text[0] != '\0' && pass->bad_line > 0)
            name_line(pass);
        if (pass->failure.text[0] == '\0' && source->array == NULL && pass->series != NULL)
            place_rows(pass);
    }
    if (pass->job != NULL)
        cli_exchange_close(pass);
    free(pass->extents);
    pass->extents = NULL;
}

bool cli_pass_run(struct cli_pass *pass)
{
    pthread_mutex_init(&pass->reading, NULL);
    pthread_mutex_init(&pass->lock, NULL);
    run(pass);
    pthread_mutex_destroy(&pass->lock);
    pthread_mutex_destroy(&pass->reading);
    return pass->failure.text[0] == '\0';
}
