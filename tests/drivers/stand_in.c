/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds out from a launch's text which kernel it is, and from its layout
 * (src/accelerator/codegen/layout.h) what its block means; then writes where the entry function
 * would. Of what work-groups come to, or of the lanes of the first node, the first is the whole
 * result, and all others are identities.
 */
#include "tests/drivers/stand_in.h"

#include "src/accelerator/codegen/layout.h"
#include "src/accelerator/runtime/accelerator.h"
#include "src/accelerator/runtime/launch.h"
#include "src/cuda/driver.h"
#include "tests/drivers/program.kernels.h"
#include "tests/fake/control.h"

#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A launch, and the results of its scalar reductions. */
struct run {
    const struct fake_launch *launch;
    const uint64_t *block;
    unsigned char *scratch;
    struct reap__layout layout;
    uint64_t values[2];
    uint64_t tags[2];
};

static const reap_device *device;

static const struct reap_kernel *kernel_of(const char *text)
{
    static const struct reap_kernel *const kernels[] = {
        &reap_kernel_scale, &reap_kernel_measure, &reap_kernel_count, &reap_kernel_spread,
        &reap_kernel_weigh, &reap_kernel_turn,    &reap_kernel_halve, &reap_kernel_pick,
        &reap_kernel_step,  &reap_kernel_add_rows};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        char call[80];
        snprintf(call, sizeof call, "REAP__PASTE(reap_body_, %s)(reap_it", kernels[k]->name);
        if (strstr(text, call) != NULL)
            return kernels[k];
    }
    fprintf(stderr, "a launch of no kernel of ours\n");
    exit(3);
}

/* The layout of a range of one dimension. Variables stay on the device, all of them, only spans, or
 * none: then there are fewer memories. */
static void make_layout(const struct fake_launch *launch, struct reap__layout *layout)
{
    const reap_range range = {.dimensions = 1};
    struct reap__targets targets;
    struct reap__launch command = {.kernel = kernel_of(launch->text),
                                   .range = &range,
                                   .scalars = targets.scalars,
                                   .spans = targets.spans};
    command.is_line = command.kernel == &reap_kernel_add_rows;
    for (size_t p = 1; p < command.kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &command.kernel->parameters[p];
        if (parameter->kind == REAP__SPAN_REDUCTION)
            command.spans[command.span_count++] = (struct reap__target){
                .parameter = parameter, .reduction = parameter->reduction, .count = 1000};
    }
    const struct reap__accelerator *accelerator = reap__accelerator_of(device);
    reap__layout_make(layout, accelerator, &command);
    reap__layout_place_spans(layout, accelerator, &command);
    const size_t more = launch->memory_count - layout->memories;
    if (more == 0) {
        reap__layout_copy_spans(layout);
        return;
    }
    for (size_t s = 0; s < layout->scalar_count && more != layout->span_count; s++)
        reap__layout_keep(layout, s);
    if (layout->span_count > 0)
        reap__layout_keep_spans(layout, accelerator->orders_groups);
}

static void *array(const struct run *run, size_t p)
{
    return run->launch->memories[run->layout.memory_of[p]] + run->block[run->layout.word_of[p]];
}

/* ---- What kernels do --------------------------------------------------------------------------*/

static void do_scale(const struct run *run)
{
    const uint32_t factor = (uint32_t)run->block[run->layout.word_of[1]];
    uint32_t *y = array(run, 2);
    for (uint64_t i = 0; i < run->block[REAP__WORD_ITEMS]; i++)
        y[i] = (uint32_t)i * factor;
}

static void do_pick(const struct run *run)
{
    const uint32_t *table = (const uint32_t *)&run->block[run->layout.word_of[1]];
    uint32_t *y = array(run, 2);
    for (uint64_t i = 0; i < run->block[REAP__WORD_ITEMS]; i++)
        y[i] = table[i % 1024];
}

static void do_measure(struct run *run)
{
    const uint32_t *y = array(run, 1);
    run->tags[1] = UINT64_MAX;
    for (uint64_t i = 0; i < run->block[REAP__WORD_ITEMS]; i++) {
        run->values[0] += y[i];
        if (run->tags[1] == UINT64_MAX || y[i] > run->values[1]) {
            run->values[1] = y[i];
            run->tags[1] = i;
        }
    }
}

static void do_add_rows(struct run *run)
{
    const uint64_t first = run->block[REAP__WORD_START];
    const uint32_t *y = array(run, 1);
    for (uint64_t i = first; i < first + run->block[REAP__WORD_ITEMS]; i++)
        run->values[0] += y[i];
}

static void do_count(const struct run *run)
{
    const uint32_t *y = array(run, 1);
    unsigned char *bins = run->scratch + run->block[run->layout.spans[0].values_word];
    for (uint64_t i = 0; i < run->block[REAP__WORD_ITEMS]; i++)
        ((uint32_t *)(void *)bins)[y[i] % 100]++;
}

/* ---- Logs, as include/reap/detail/device/span_log.h says --------------------------------------*/

static const struct reap__log_plan *plan_of(const struct run *run)
{
    const uint64_t at = run->block[run->layout.log_word + REAP__LOG_PLANS];
    return (const struct reap__log_plan *)(const void *)(run->scratch + at);
}

static uint64_t *words_at(const struct run *run, uint64_t offset)
{
    return (uint64_t *)(void *)(run->scratch + offset);
}

/* An item combines 1 into an element so many times, into replica 0, since the order makes no
 * difference. */
static void log_item(const struct run *run, uint64_t item, uint64_t index, uint32_t times)
{
    const struct reap__log_plan *plan = plan_of(run);
    uint64_t *const offsets = words_at(run, plan->offsets);
    uint64_t *const records = words_at(run, plan->records);
    uint32_t *const most = (uint32_t *)(void *)(run->scratch + plan->counters);
    float *values = (float *)(void *)(run->scratch + run->block[run->layout.spans[0].values_word]);
    uint64_t slots = plan->slots, first = (item - plan->first_item) * slots;
    if (plan->has_offsets) {
        slots = offsets[item + 1] - offsets[item];
        first = offsets[item] - plan->first_slot;
    }
    for (uint64_t k = 0; k < slots; k++) {
        records[first + k] = k < times ? index << plan->index_shift | (first + k) : UINT64_MAX;
        values[first + k] = 1;
    }
    if (plan->is_counted)
        offsets[item] = times;
    if (times > slots && times > *most)
        *most = times;
}

static void do_spread(struct run *run)
{
    const uint64_t items = run->block[REAP__WORD_ITEMS], tile = run->block[REAP__WORD_TILE_ITEMS];
    const uint64_t first = run->block[REAP__WORD_FIRST] * tile;
    const uint64_t last = first + run->block[REAP__WORD_TILES] * tile;
    const uint32_t *y = array(run, 1);
    for (uint64_t i = first; i < items && i < last; i++)
        log_item(run, i, y[i] % run->block[run->layout.spans[0].count_word], 1);
    for (uint64_t i = 0; i < items; i++)
        run->values[0] += y[i];
}

static void do_weigh(struct run *run)
{
    const uint64_t items = run->launch->groups * run->launch->threads;
    const uint64_t first = run->block[REAP__WORD_FIRST] * run->launch->threads;
    const uint32_t *y = array(run, 1);
    for (uint64_t i = first; i < first + items; i++) {
        log_item(run, i, y[i] % 1000, 3);
        ((uint32_t *)array(run, 2))[i]++;
    }
    for (uint64_t i = 0; i < run->block[REAP__WORD_ITEMS]; i++)
        run->values[0] += y[i];
}

/* Of passes (sort.h), only those that make offsets: `fold_log` takes values as they come. */
enum { PASS_KIND = 0, PASS_FROM = 1, PASS_LENGTH = 5, MAKES_OFFSETS = 3, LENGTH_OF_SLOTS = 2 };

static void sort_log(const struct run *run)
{
    const uint64_t *words = &run->block[run->layout.log_word];
    const uint64_t *pass = words_at(run, words[REAP__LOG_PASS]);
    if (words[REAP__LOG_STEP] != 2 || pass[PASS_KIND] != MAKES_OFFSETS)
        return;
    uint64_t *const offsets = words_at(run, pass[PASS_FROM]);
    const uint64_t length = *words_at(run, pass[PASS_LENGTH]);
    uint64_t sum = 0;
    for (uint64_t i = 0; i <= length; i++) {
        const uint64_t count = i < length ? offsets[i] : 0;
        offsets[i] = sum;
        sum += count;
    }
}

static void fold_log(const struct run *run)
{
    const struct reap__log_plan *plan = plan_of(run);
    const uint64_t *records = words_at(run, plan->records);
    float *totals = (float *)(void *)(run->scratch + plan->totals);
    if (run->block[run->layout.log_word + REAP__LOG_STEP] != 2)
        return;
    for (uint64_t k = 0; k < words_at(run, plan->lengths)[LENGTH_OF_SLOTS]; k++) {
        const uint64_t e = records[k] >> plan->index_shift;
        if (records[k] == UINT64_MAX)
            continue;
        totals[e] = run->scratch[plan->is_set + e] != 0 ? totals[e] + 1 : 1;
        run->scratch[plan->is_set + e] = 1;
    }
}

static void commit_log(const struct run *run)
{
    const struct reap__layout_span *span = &run->layout.spans[0];
    const struct reap__log_plan *plan = plan_of(run);
    const float *totals = (const float *)(const void *)(run->scratch + plan->totals);
    float *to = (float *)(void *)(run->launch->memories[span->variable_memory] +
                                  run->block[span->variable_word]);
    for (uint64_t e = 0; e < run->block[span->count_word]; e++)
        if (run->scratch[plan->is_set + e] != 0)
            to[e] += totals[e];
}

static void do_turn(struct run *run)
{
    const uint64_t items = run->launch->threads, first = run->block[REAP__WORD_FIRST] * items;
    const uint32_t *y = (const uint32_t *)array(run, 1) + first;
    uint32_t *z = (uint32_t *)array(run, 2) + first;
    for (uint64_t i = 0; i < run->launch->groups * items; i++) {
        z[i] = y[i / items * items + items - 1 - i % items];
        run->values[0] += z[i];
    }
}

static void do_step(const struct run *run)
{
    const uint64_t items = run->launch->threads, first = run->block[REAP__WORD_FIRST] * items;
    uint32_t *z = (uint32_t *)array(run, 1) + first;
    for (uint64_t i = 0; i < run->launch->groups * items; i++)
        z[i]++;
}

/* ---- What entry functions do ------------------------------------------------------------------*/

static void write_results(const struct run *run, size_t s, unsigned char *to, uint64_t count)
{
    const struct reap__layout_scalar *scalar = &run->layout.scalars[s];
    const size_t tag_bytes = reap__tag_bytes(scalar);
    memset(to, 0, scalar->size * count);
    memcpy(to, &run->values[s], scalar->size);
    if (tag_bytes == 0)
        return;
    to += reap__tags_offset(scalar->size, count);
    memset(to, 0xff, tag_bytes * count);
    memcpy(to, &run->tags[s], tag_bytes);
}

static void read_result(struct run *run, size_t s, const unsigned char *from, uint64_t count)
{
    const struct reap__layout_scalar *scalar = &run->layout.scalars[s];
    run->values[s] = run->tags[s] = 0;
    memcpy(&run->values[s], from, scalar->size);
    memcpy(&run->tags[s], from + reap__tags_offset(scalar->size, count), reap__tag_bytes(scalar));
}

/* Into the variable of `measure`. */
static void combine(const struct run *run, size_t s)
{
    const struct reap__layout_scalar *scalar = &run->layout.scalars[s];
    unsigned char *to =
        run->launch->memories[scalar->variable_memory] + run->block[scalar->variable_word];
    uint64_t value = 0;
    memcpy(&value, to, scalar->size);
    if (!scalar->has_location)
        value += run->values[s];
    else if (run->values[s] > value) {
        value = run->values[s];
        memcpy(run->launch->memories[scalar->location_memory] + run->block[scalar->location_word],
               &run->tags[s], sizeof run->tags[s]);
    }
    memcpy(to, &value, scalar->size);
}

static void deliver(const struct run *run, size_t s)
{
    unsigned char *results =
        run->launch->memories[REAP__MEMORY_RESULTS] + run->block[REAP__WORD_RESULTS];
    if (run->layout.scalars[s].is_resident)
        combine(run, s);
    else
        write_results(run, s, results + run->layout.scalars[s].delivered, 1);
}

/* The words of an exact sum that 0.5 is added to: as include/reap/detail/device/exact_spans.h says,
 * it is 2^25 * 2^27 * 2^1021 least subnormal numbers, and its word the one of 2^(27 + 1021). */
enum { WORD_OF_HALF = (27 + 1021) / 32, SHIFT_OF_HALF = 25 + (27 + 1021) % 32 };

static uint64_t *words_of_halves(const struct run *run, unsigned word)
{
    const struct reap__layout_span *span = &run->layout.spans[0];
    uint64_t *words = (uint64_t *)(void *)(run->scratch + run->block[span->values_word]);
    return words + (word * run->block[span->count_word] << run->block[span->replicas_word]);
}

static void do_halve(const struct run *run)
{
    const uint32_t *y = array(run, 1);
    const uint64_t log2 = run->block[run->layout.spans[0].replicas_word];
    for (uint64_t i = 0; i < run->block[REAP__WORD_ITEMS]; i++)
        words_of_halves(run, WORD_OF_HALF)[y[i] % 100 << log2] += (uint64_t)1 << SHIFT_OF_HALF;
}

static void commit_halves(const struct run *run)
{
    const struct reap__layout_span *span = &run->layout.spans[0];
    const uint64_t *words = words_of_halves(run, WORD_OF_HALF);
    unsigned char *to =
        run->launch->memories[span->variable_memory] + run->block[span->variable_word];
    for (uint64_t b = 0; b < run->block[span->count_word]; b++)
        ((double *)(void *)to)[b] +=
            0.5 * (double)(words[b << run->block[span->replicas_word]] >> SHIFT_OF_HALF);
}

/* From the bins of `count` into those that stay on the device; the next launch may find them as
 * they began. */
static void commit(const struct run *run)
{
    const struct reap__layout_span *span = &run->layout.spans[0];
    unsigned char *from = run->scratch + run->block[span->values_word];
    unsigned char *to =
        run->launch->memories[span->variable_memory] + run->block[span->variable_word];
    for (uint64_t b = 0; b < run->block[span->count_word]; b++)
        ((uint32_t *)(void *)to)[b] += ((const uint32_t *)(const void *)from)[b];
    if (run->layout.commits_at_once)
        memset(from, 0, run->block[span->count_word] * sizeof(uint32_t));
}

/* Delivers, or leaves a node. */
static void end(const struct run *run, size_t s)
{
    const struct reap__layout_scalar *scalar = &run->layout.scalars[s];
    if (run->layout.folds_at_once)
        deliver(run, s);
    else
        write_results(run, s, run->scratch + run->block[scalar->nodes_word], scalar->lanes);
}

static void do_kernel(struct run *run)
{
    const struct reap_kernel *kernel = run->layout.kernel;
    if (kernel == &reap_kernel_scale)
        do_scale(run);
    else if (kernel == &reap_kernel_pick)
        do_pick(run);
    else if (kernel == &reap_kernel_measure)
        do_measure(run);
    else if (kernel == &reap_kernel_add_rows)
        do_add_rows(run);
    else if (kernel == &reap_kernel_count)
        do_count(run);
    else if (kernel == &reap_kernel_spread)
        do_spread(run);
    else if (kernel == &reap_kernel_weigh)
        do_weigh(run);
    else if (kernel == &reap_kernel_halve)
        do_halve(run);
    else if (kernel == &reap_kernel_step)
        do_step(run);
    else
        do_turn(run);
    if (run->layout.commits_at_once)
        commit(run);
    for (size_t s = 0; s < run->layout.scalar_count; s++)
        if (run->layout.has_groups)
            write_results(run, s, run->scratch + run->block[run->layout.scalars[s].parts_word],
                          run->block[REAP__WORD_PARTS]);
        else
            end(run, s);
}

static void launch(const struct fake_launch *launch)
{
    struct run run = {.launch = launch, .block = launch->block, .scratch = launch->memories[0]};
    make_layout(launch, &run.layout);
    const bool is_in_memory = reap__block_is_in_memory(&run.layout);
    const size_t words = is_in_memory ? 1 : run.layout.words;
    if (words * sizeof *run.block != launch->block_bytes ||
        run.layout.memories != launch->memory_count) {
        fprintf(stderr, "kernel '%s': a launch of %zu bytes and %zu memories, not %zu and %zu\n",
                run.layout.kernel->name, launch->block_bytes, launch->memory_count,
                words * sizeof *run.block, run.layout.memories);
        exit(3);
    }
    const size_t pointers = launch->memory_count + (launch->local_bytes > 0 ? 1 : 0);
    const size_t most = reap__accelerator_of(device)->max_parameter_bytes;
    if (launch->block_bytes + pointers * sizeof *run.block > most) {
        fprintf(stderr, "kernel '%s': more than %zu bytes of parameters\n", run.layout.kernel->name,
                most);
        exit(3);
    }
    if (is_in_memory)
        run.block = words_at(&run, run.block[0]);
    if (strcmp(launch->entry, "reap_entry") == 0)
        do_kernel(&run);
    if (strcmp(launch->entry, "reap_sort") == 0)
        sort_log(&run);
    if (strcmp(launch->entry, "reap_segments") == 0)
        fold_log(&run);
    if (strcmp(launch->entry, "reap_commit") == 0)
        (run.layout.mode == REAP__SPANS_LOGGED ? commit_log
         : run.layout.has_exact_spans          ? commit_halves
                                               : commit)(&run);
    for (size_t s = 0; s < run.layout.scalar_count; s++) {
        const struct reap__layout_scalar *scalar = &run.layout.scalars[s];
        if (strcmp(launch->entry, "reap_fold") == 0) {
            read_result(&run, s, run.scratch + run.block[scalar->parts_word],
                        run.block[REAP__WORD_PARTS]);
            end(&run, s);
        } else if (strcmp(launch->entry, "reap_finish") == 0) {
            read_result(&run, s, run.scratch + run.block[scalar->nodes_word], scalar->lanes);
            deliver(&run, s);
        }
    }
}

void stand_in_for(const reap_device *of)
{
    device = of;
    fake_set_stand_in(launch);
}

void stand_in_limit(size_t parameter_bytes)
{
    reap__accelerator_of(device)->max_parameter_bytes = parameter_bytes;
}

long stand_in_idle_events(void)
{
    reap_device_info info;
    if (device == NULL || reap_device_get_info(device, &info) != REAP_OK ||
        strcmp(info.backend, "cuda") != 0)
        return 0;
    return (long)reap__cuda_idle_events(reap__cuda_device_of(reap__accelerator_of(device)));
}
