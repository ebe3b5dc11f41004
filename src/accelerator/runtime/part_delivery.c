/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of a launch into parts that the host reads from the scratch buffer: the values of
 * work-groups, which are the items of the reduction's shape; the values of single items; and the
 * words of exact sums in spans. (Lanes and other results are delivered as those of any launch:
 * in_flight.c.)
 */
#include "src/accelerator/runtime/launch.h"
#include "src/core/allocate.h"
#include "src/core/backend.h"
#include "src/core/status.h"
#include "src/port/fp_environment.h"
#include "src/reduction/exact.h"
#include "src/reduction/part.h"

#include <string.h>

static reap_status no_memory(const struct reap__device_launch *launch)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its parts",
                      launch->command->kernel->name);
}

/* Copies a part of the scratch buffer to *memory, which the caller frees. */
static reap_status read_scratch(const struct reap__device_launch *launch, size_t offset,
                                size_t bytes, unsigned char **memory)
{
    *memory = reap__allocate(bytes);
    if (*memory == NULL)
        return no_memory(launch);
    const reap_status status = reap__accelerator_read(
        launch->accelerator, &launch->memories[REAP__MEMORY_SCRATCH], offset, *memory, bytes);
    if (status != REAP_OK) {
        reap__free(*memory);
        *memory = NULL;
    }
    return status;
}

/* ---- Work-groups ------------------------------------------------------------------------------*/

/* Appends a group's value to a part. Returns false if memory ran out. */
static bool append_group(struct reap__delivery *delivery, const struct reap__layout_scalar *scalar,
                         const unsigned char *values, size_t groups, size_t group)
{
    const unsigned char *const tags = values + reap__tags_offset(scalar->size, groups);
    if (!reap__part_range_begin_item(delivery->shape, delivery->range))
        return false;
    if ((!scalar->has_flags || tags[group] != 0) &&
        !reap__part_range_add_value(delivery->shape, delivery->range,
                                    values + group * scalar->size))
        return false;
    reap__part_range_end_item(delivery->shape, delivery->range);
    return true;
}

static reap_status append_groups(const struct reap__device_launch *launch, size_t s)
{
    const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
    struct reap__delivery *delivery = launch->command->scalars[s].delivery;
    unsigned char *values;
    REAP_TRY(read_scratch(launch, launch->parts_of[s], reap__parts_bytes(scalar, launch->groups),
                          &values));
    const reap__fp_environment before = reap__fp_enter();
    for (size_t g = 0; g < launch->groups && !delivery->is_out_of_memory; g++)
        delivery->is_out_of_memory = !append_group(delivery, scalar, values, launch->groups, g);
    reap__fp_leave(before);
    reap__free(values);
    return REAP_OK;
}

/* ---- Items one by one -------------------------------------------------------------------------*/

/* The logged values of one scalar; for each item the number of its values, or its location. */
struct logged {
    unsigned char *values;
    const uint64_t *marks;
};

/* Passes the values of item i for scalar s to the command's log. */
static void replay(const struct reap__device_launch *launch, const struct logged *logged, size_t s,
                   size_t i)
{
    const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
    struct reap__value_log *log = &launch->command->item_log->values;
    const size_t most = reap__most_logged(scalar);
    const size_t count = scalar->has_location ? logged->marks[i] != UINT64_MAX : logged->marks[i];
    for (size_t k = 0; k < count; k++)
        (log->add_)(log, (unsigned)s, logged->values + (i * most + k) * scalar->size);
}

/* Fails if an item has more values than the log holds. */
static reap_status check_counts(const struct reap__device_launch *launch,
                                const struct logged *logged, size_t s)
{
    const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
    const size_t most = reap__most_logged(scalar);
    for (size_t i = 0; i < launch->command->items && !scalar->has_location; i++)
        if (logged->marks[i] > most)
            return reap__fail(
                REAP_ERROR_OUT_OF_MEMORY,
                "kernel '%s': a work-item combines %zu values into '%s', but where a launch into "
                "parts begins or ends in the middle of a leaf, device '%s' takes at most %zu: "
                "begin and end the launch at multiples of the leaf's items (docs/chunks.md)",
                launch->command->kernel->name, (size_t)logged->marks[i],
                launch->command->scalars[s].parameter->name, launch->accelerator->device.info.name,
                most);
    return REAP_OK;
}

static reap_status read_logs(const struct reap__device_launch *launch, struct logged *logged)
{
    const size_t items = launch->command->items;
    for (size_t s = 0; s < launch->layout.scalar_count; s++) {
        const size_t values = reap__logged_bytes(&launch->layout.scalars[s], items);
        REAP_TRY(read_scratch(launch, launch->nodes_of[s], values + items * sizeof(uint64_t),
                              &logged[s].values));
        logged[s].marks = (const uint64_t *)(const void *)(logged[s].values + values);
        REAP_TRY(check_counts(launch, &logged[s], s));
    }
    return REAP_OK;
}

static reap_status replay_items(const struct reap__device_launch *launch)
{
    struct logged logged[REAP__MOST_PARAMETERS] = {{NULL, NULL}};
    struct reap__item_log *log = launch->command->item_log;
    const reap_status status = read_logs(launch, logged);
    const reap__fp_environment before = reap__fp_enter();
    for (size_t i = 0; i < launch->command->items && status == REAP_OK; i++) {
        (log->begin_item)(log, launch->command->first + i);
        for (size_t s = 0; s < launch->layout.scalar_count; s++)
            replay(launch, &logged[s], s, i);
        (log->end_item)(log);
    }
    reap__fp_leave(before);
    for (size_t s = 0; s < launch->layout.scalar_count; s++)
        reap__free(logged[s].values);
    return status;
}

/* ---- Exact sums in spans ----------------------------------------------------------------------*/

/* Adds the words of one element, `stride` words apart, of adjacent replicas. As in
 * detail/device/exact_spans.h, the upper half of a word belongs to the next one. */
static void add_words(const struct reap__reduction *reduction, const uint64_t *words, size_t stride,
                      size_t replicas, uint64_t *sum)
{
    const size_t digits = REAP__EXACT_DIGITS(reduction->value_size);
    uint64_t added[REAP__EXACT_WORDS(8)] = {0};
    for (size_t r = 0; r < replicas; r++) {
        for (size_t w = 0; w < digits + 4; w++) {
            const uint64_t word = words[w * stride + r];
            const bool is_whole = w + 1 >= digits;
            added[w] += is_whole ? word : word & UINT32_MAX;
            if (!is_whole)
                added[w + 1] += (uint64_t)((int64_t)word >> 32);
        }
    }
    reap__exact_merge(reduction, sum, added);
}

/* Adds the slots of an element, a list from the latest to the first. */
static void add_slots(const struct reap__reduction *reduction, const uint64_t *words, uint64_t slot,
                      uint64_t *sum)
{
    const size_t count = REAP__EXACT_WORDS(reduction->value_size) + 1;
    while (slot != 0) {
        add_words(reduction, words + (slot - 1) * count, 1, 1, sum);
        slot = words[slot * count - 1];
    }
}

static void add_elements(const struct reap__device_launch *launch, size_t s, const uint64_t *words,
                         const uint32_t *table)
{
    const struct reap__target *target = &launch->command->spans[s];
    const size_t count = REAP__EXACT_WORDS(target->reduction->value_size);
    const unsigned replicas_log2 = reap__spans_exact_replicas(launch, s);
    for (size_t e = 0; e < target->count; e++) {
        uint64_t *const sum = (uint64_t *)(void *)target->delivery->totals + e * count;
        if (table != NULL)
            add_slots(target->reduction, words, table[e], sum);
        else
            add_words(target->reduction, words + (e << replicas_log2),
                      target->count << replicas_log2, (size_t)1 << replicas_log2, sum);
    }
}

/* A sparse span's table follows the number of slots that were taken. */
static reap_status take_span(const struct reap__device_launch *launch, size_t s)
{
    const struct reap__target *target = &launch->command->spans[s];
    const size_t table_bytes = REAP__TABLE_OFFSET + target->count * sizeof(uint32_t);
    const size_t slot_bytes = 8 * ((size_t)REAP__EXACT_WORDS(target->reduction->value_size) + 1);
    size_t bytes = launch->words_bytes_of[s];
    unsigned char *words = NULL, *table = NULL;
    uint32_t taken;
    if (launch->slots_of_span[s] > 0) {
        REAP_TRY(read_scratch(launch, launch->table_of[s], table_bytes, &table));
        memcpy(&taken, table, sizeof taken);
        bytes = taken * slot_bytes < bytes ? taken * slot_bytes : bytes;
    }
    const reap_status status =
        bytes > 0 ? read_scratch(launch, launch->values_of[s], bytes, &words) : REAP_OK;
    if (status == REAP_OK && words != NULL) /* without words the sums are 0 */
        add_elements(launch, s, (const uint64_t *)(const void *)words,
                     table != NULL ? (const uint32_t *)(const void *)(table + REAP__TABLE_OFFSET)
                                   : NULL);
    reap__free(words);
    reap__free(table);
    return status;
}

reap_status reap__part_deliver(const struct reap__device_launch *launch)
{
    const struct reap__launch *command = launch->command;
    if (launch->layout.logs_items)
        REAP_TRY(replay_items(launch));
    for (size_t s = 0; s < command->scalar_count; s++)
        if (command->scalars[s].delivery->range != NULL)
            REAP_TRY(append_groups(launch, s));
    for (size_t s = 0; s < command->span_count; s++)
        if (command->spans[s].delivery != NULL)
            REAP_TRY(take_span(launch, s));
    return REAP_OK;
}
