/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions on a device. If every order has the same bits, all work-items combine into one
 * copy by atomic operations, which is then the total; exact sums have words instead of values. If
 * the order matters, values are logged: span_log.c.
 */
#include "src/accelerator/runtime/launch.h"
#include "src/core/allocate.h"
#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/reduction/exact.h"
#include "src/reduction/store.h"

#include <string.h>

enum { MOST_FOLLOWING_BYTES = 1 << 16 };

/* Spans of few elements have replicas of their words, so that threads seldom access the same one:
 * the most elements with their replicas, and the most replicas. */
enum { REPLICATED_ELEMENTS = 1 << 14, MOST_REPLICAS_LOG2 = 8 };

/* A span is sparse if it has at least SPARSE_ELEMENTS elements for each work-item; its slots then
 * take at most 1 / SPARSE_PART of the device's memory. It is also sparse if all its words would
 * take more than 1 / WORDS_PART of the memory; its slots then take at most 1 / SLOTS_PART. */
enum { SPARSE_ELEMENTS = 16, SPARSE_PART = 32, WORDS_PART = 8, SLOTS_PART = 4 };

unsigned reap__spans_exact_replicas(const struct reap__device_launch *launch, size_t s)
{
    const size_t count = launch->command->spans[s].count, items = launch->command->items;
    unsigned log2 = 0;
    while (log2 < MOST_REPLICAS_LOG2 && !launch->accelerator->is_processor &&
           count << (log2 + 1) <= REPLICATED_ELEMENTS && (size_t)2 << log2 <= items)
        log2++;
    return log2;
}

/* Plans totals that are copied with the results. Longer ones are read within the call. */
static void plan_totals(struct reap__device_launch *launch)
{
    const struct reap__layout *layout = &launch->layout;
    size_t bytes = layout->results_bytes;
    launch->spans_follow = layout->mode == REAP__SPANS_SHARED && !layout->spans_are_resident &&
                           !layout->has_exact_spans;
    for (size_t s = 0; s < layout->span_count && launch->spans_follow; s++) {
        const struct reap__target *target = &launch->command->spans[s];
        launch->spans_follow = target->count <= MOST_FOLLOWING_BYTES / target->parameter->size;
        launch->total_of[s] = reap__align(bytes);
        bytes = launch->total_of[s] + target->count * target->parameter->size;
    }
    if (bytes - layout->results_bytes > MOST_FOLLOWING_BYTES)
        launch->spans_follow = false;
    if (launch->spans_follow)
        launch->results_bytes = bytes;
}

/* The slots of a sparse span; 0: not sparse. An element may take several slots, if several
 * work-items are the first to combine into it at the same time. */
static size_t slots_of(const struct reap__device_launch *launch, size_t s, size_t words)
{
    const reap_device_info *device = &launch->accelerator->device.info;
    const size_t count = launch->command->spans[s].count, items = launch->command->items;
    const size_t bytes = words * sizeof(uint64_t);
    const bool is_sparse = count / SPARSE_ELEMENTS >= items && count > REPLICATED_ELEMENTS;
    if (device->global_memory_bytes == 0 || /* unknown */
        (!is_sparse && device->global_memory_bytes / WORDS_PART / bytes >= count))
        return 0;
    const size_t most =
        device->global_memory_bytes / (is_sparse ? SPARSE_PART : SLOTS_PART) / bytes;
    return reap__least(reap__least(count, most / 2) * 2 + 1, UINT32_MAX / 2);
}

/* A size that overflows becomes one that the allocation of the scratch buffer rejects. */
static void plan_exact(struct reap__device_launch *launch, size_t s)
{
    const struct reap__target *target = &launch->command->spans[s];
    const size_t size = target->parameter->size, words = REAP__EXACT_WORDS(size);
    const size_t slots = slots_of(launch, s, words);
    const size_t elements =
        slots > 0 ? slots : target->count << reap__spans_exact_replicas(launch, s);
    const size_t bytes = (words + (slots > 0 ? 1 : 0)) * sizeof(uint64_t);
    launch->slots_of_span[s] = slots;
    launch->words_bytes_of[s] = elements < SIZE_MAX / 4 / bytes ? elements * bytes : SIZE_MAX / 4;
    launch->values_of[s] = reap__append_aligned(&launch->scratch_bytes, launch->words_bytes_of[s]);
    launch->table_of[s] =
        reap__append_aligned(&launch->scratch_bytes,
                             slots > 0 ? REAP__TABLE_OFFSET + target->count * sizeof(uint32_t) : 0);
    launch->variables_of[s] = reap__append_aligned(
        &launch->scratch_bytes, launch->layout.spans_are_resident ? 0 : target->count * size);
}

void reap__spans_plan(struct reap__device_launch *launch)
{
    plan_totals(launch);
    for (size_t s = 0; s < launch->layout.span_count; s++) {
        const struct reap__layout_span *span = &launch->layout.spans[s];
        const size_t size = span->reduction->value_size;
        launch->span_start_of[s] =
            reap__append_aligned(&launch->scratch_bytes, span->start.in_block ? 0 : size);
        if (span->is_exact)
            plan_exact(launch, s);
        else if (launch->layout.mode == REAP__SPANS_SHARED)
            launch->values_of[s] = reap__append_aligned(&launch->scratch_bytes,
                                                        launch->command->spans[s].count * size);
    }
    if (launch->layout.mode == REAP__SPANS_LOGGED)
        reap__log_plan(launch);
}

/* ---- One copy for all -------------------------------------------------------------------------*/

static bool is_one_byte(const unsigned char *value, size_t size)
{
    for (size_t i = 1; i < size; i++)
        if (value[i] != value[0])
            return false;
    return true;
}

static struct reap__clean describe(const struct reap__device_launch *launch, size_t s)
{
    return (struct reap__clean){
        .use = launch->accelerator->scratch_uses,
        .start = launch->block[launch->layout.spans[s].start.word],
        .at = launch->values_of[s],
        .size = launch->command->spans[s].parameter->size,
        .count = launch->command->spans[s].count,
    };
}

/* Whether the launch before this one has left the copy initialised. */
static bool is_clean(const struct reap__device_launch *launch, size_t s)
{
    const struct reap__clean left = launch->accelerator->clean, wanted = describe(launch, s);
    return left.use + 1 == wanted.use && left.start == wanted.start && left.at == wanted.at &&
           left.size == wanted.size && left.count >= wanted.count;
}

void reap__spans_note_clean(const struct reap__device_launch *launch)
{
    if (launch->layout.commits_at_once && launch->layout.span_count == 1)
        launch->accelerator->clean = describe(launch, 0);
}

static reap_status begin_shared(struct reap__device_launch *launch, size_t s)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    const struct reap__target *target = &launch->command->spans[s];
    const size_t size = target->parameter->size;
    const struct reap__layout_start *start = &launch->layout.spans[s].start;
    unsigned char value[sizeof(uint64_t)];
    if (is_clean(launch, s))
        return REAP_OK;
    memcpy(value, &launch->block[start->word], size);
    if (is_one_byte(value, size))
        return accelerator->driver->fill(accelerator, &launch->memories[0], launch->values_of[s],
                                         value[0], target->count * size);
    unsigned char *values = reap__allocate(target->count * size);
    if (values == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for span '%s'",
                          launch->command->kernel->name, target->parameter->name);
    reap__repeat(values, value, size, target->count);
    const reap_status status = reap__accelerator_write(
        accelerator, &launch->memories[0], launch->values_of[s], values, target->count * size);
    reap__free(values);
    return status;
}

/* Sets its words, or the number of slots taken and the table, to 0. */
static reap_status begin_exact(const struct reap__device_launch *launch, size_t s)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    const bool is_sparse = launch->slots_of_span[s] > 0;
    const size_t table_bytes =
        REAP__TABLE_OFFSET + launch->command->spans[s].count * sizeof(uint32_t);
    return accelerator->driver->fill(accelerator, &launch->memories[REAP__MEMORY_SCRATCH],
                                     is_sparse ? launch->table_of[s] : launch->values_of[s], 0,
                                     is_sparse ? table_bytes : launch->words_bytes_of[s]);
}

reap_status reap__spans_begin_exact(const struct reap__device_launch *launch)
{
    for (size_t s = 0; s < launch->layout.span_count; s++)
        if (launch->layout.spans[s].is_exact)
            REAP_TRY(begin_exact(launch, s));
    return REAP_OK;
}

/* Copies a variable in host memory to where the device commits. */
static reap_status copy_variable(const struct reap__device_launch *launch, size_t s)
{
    const struct reap__target *target = &launch->command->spans[s];
    if (launch->layout.spans_are_resident || !reap__is_committed(&launch->layout, s))
        return REAP_OK;
    return reap__accelerator_write(launch->accelerator, &launch->memories[REAP__MEMORY_SCRATCH],
                                   launch->variables_of[s], target->variable,
                                   target->count * target->parameter->size);
}

reap_status reap__spans_begin(struct reap__device_launch *launch)
{
    REAP_TRY(reap__spans_begin_exact(launch));
    for (size_t s = 0; s < launch->layout.span_count; s++) {
        REAP_TRY(copy_variable(launch, s));
        if (!reap__is_committed(&launch->layout, s))
            REAP_TRY(begin_shared(launch, s));
    }
    return REAP_OK;
}

reap_status reap__spans_bring(const struct reap__device_launch *launch)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    for (size_t s = 0; s < launch->layout.span_count && launch->spans_follow; s++) {
        const struct reap__target *target = &launch->command->spans[s];
        const struct reap__device_address to = {&launch->memories[REAP__MEMORY_RESULTS],
                                                launch->block[REAP__WORD_RESULTS] +
                                                    launch->total_of[s]};
        const struct reap__device_address from = {&launch->memories[REAP__MEMORY_SCRATCH],
                                                  launch->values_of[s]};
        if (target->count > 0)
            REAP_TRY(accelerator->driver->copy(accelerator, REAP__STREAM_COMPUTE, &to, &from,
                                               target->count * target->parameter->size));
    }
    return REAP_OK;
}

/* The operator is a built-in one, on integers of at most 64 bits, so the buffers suffice. */
void reap__spans_finish(const struct reap__target *target, unsigned char *total)
{
    const struct reap__results row = {total, NULL}, all = {target->variable, NULL};
    uint64_t identity, start;
    reap__span_start(target, &identity, &start);
    if (target->initialize)
        reap__fill(target->reduction, &identity, &all, target->count);
    reap__store_span(target, &start, &row, 0, target->count);
}

reap_status reap__spans_read(struct reap__device_launch *launch, const struct reap__results *totals)
{
    for (size_t s = 0; s < launch->layout.span_count && !launch->layout.spans_are_resident; s++) {
        const struct reap__target *target = &launch->command->spans[s];
        const bool is_committed = reap__is_committed(&launch->layout, s);
        REAP_TRY(
            reap__accelerator_read(launch->accelerator, &launch->memories[REAP__MEMORY_SCRATCH],
                                   is_committed ? launch->variables_of[s] : launch->values_of[s],
                                   totals[s].values, target->count * target->parameter->size));
    }
    return REAP_OK;
}
