/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions in work-groups, where the order matters. A device runs its groups in any order,
 * and how often an item combines is unknown; so items do not combine there. They write each value
 * to a log in scratch memory, with a key that says when the host would have combined it: in which
 * group, after how many meetings of the group's items (barriers, group algorithms, ends of phases),
 * in which item. An item's own values lie in the log in their order. The host takes the log of so
 * many groups at a time, sorts it by the keys, and combines as it does for its own groups
 * (docs/spans.md). It is slow, and right for every type, operator and length.
 *
 * Where the log is too short, its counters have the length it should have been. Then the arrays
 * that the kernel writes are restored, and all groups run again with a longer log, or fewer at a
 * time. Either the log gets longer or the groups become half as many, so that comes to an end.
 */
#include "src/accelerator/runtime/launch.h"
#include "src/accelerator/runtime/staging.h"
#include "src/core/allocate.h"
#include "src/core/status.h"
#include "src/port/fp_environment.h"
#include "src/reduction/exact_number.h"
#include "src/reduction/store.h"

#include <assert.h>
#include <string.h>

/* Values that a log has room for: at first two for each item and span; as long as several groups
 * run at a time, so many bytes; and never more than the device's counter of 32 bits can bear, to
 * which each item may add one more. */
enum { FIRST_VALUES_OF_AN_ITEM = 2, LEAST_VALUES = 1024, MOST_LOG_BYTES = 1 << 26 };
enum { MOST_VALUES = 1 << 30, MOST_ITEMS = 1 << 30 };

enum { COUNTERS_BYTES = 64, SPAN_BITS = 6 };

/* As in include/reap/detail/device/spans.h. */
struct key {
    uint32_t group; /* of those that ran at a time */
    uint32_t item;
    uint64_t meetings;
    uint64_t index;
};

struct log {
    struct reap__device_launch *launch;
    const struct reap__results *totals;
    unsigned char *memory; /* of the copies of one chunk, and of what elements start as */
    struct reap__results copies[REAP__MOST_PARAMETERS];
    struct reap__results starts[REAP__MOST_PARAMETERS];
    size_t chunk_groups;
    size_t chunk;             /* that the copies are of */
    unsigned char *temporary; /* for the log: keys, values, the order of the values, twice */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t align(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* ---- How long ---------------------------------------------------------------------------------*/

/* From one value to the next: the longest, aligned for each type, which divides its size. */
static size_t value_bytes(const struct reap__launch *command)
{
    size_t longest = 1, alignment = 1;
    for (size_t s = 0; s < command->span_count; s++) {
        const size_t size = command->spans[s].reduction->value_size, own = size & (~size + 1);
        longest = size > longest ? size : longest;
        alignment = own > alignment ? own : alignment;
    }
    return (longest + alignment - 1) / alignment * alignment;
}

static size_t most_values(const struct reap__device_launch *launch)
{
    const size_t most = MOST_LOG_BYTES / (sizeof(struct key) + value_bytes(launch->command));
    return most > 0 ? most : 1;
}

void reap__log_plan(struct reap__device_launch *launch)
{
    if (launch->groups == 0)
        return;
    const size_t of_a_group =
        launch->group_items * launch->layout.span_count * FIRST_VALUES_OF_AN_ITEM;
    const size_t most = most_values(launch);
    size_t groups = least(launch->groups, MOST_ITEMS / launch->group_items);
    groups = least(groups, most / of_a_group);
    launch->batch = groups > 0 ? groups : 1;
    launch->log_capacity = launch->batch * of_a_group;
    if (launch->log_capacity < LEAST_VALUES)
        launch->log_capacity = LEAST_VALUES;
    launch->log_capacity = least(launch->log_capacity, most);
    launch->log_offset = launch->scratch_bytes;
}

/* That many groups, of those of one launch, have needed more. */
static reap_status plan_again(struct reap__device_launch *launch, uint64_t needed, size_t groups)
{
    const size_t most = most_values(launch);
    if (needed > most && groups > 1) {
        const size_t fitting = (size_t)((double)groups * (double)most / (double)needed);
        launch->batch = least(fitting, groups / 2);
        launch->batch = launch->batch > 0 ? launch->batch : 1;
        launch->log_capacity = most;
        return REAP_OK;
    }
    if (needed > MOST_VALUES)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                          "kernel '%s': a work-group combines more than %d values into spans, "
                          "which device '%s' has no memory for",
                          launch->command->kernel->name, (int)MOST_VALUES,
                          launch->accelerator->device.info.name);
    launch->log_capacity = (size_t)needed;
    if (needed < most)
        launch->log_capacity = least((size_t)(needed + needed / 8), most);
    return REAP_OK;
}

static bool make_shorter(struct reap__device_launch *launch)
{
    if (launch->batch == 1)
        return false;
    launch->batch = (launch->batch + 1) / 2;
    launch->log_capacity = (launch->log_capacity + 1) / 2;
    return true;
}

static size_t place_log(struct reap__device_launch *launch)
{
    uint64_t *words = &launch->block[launch->layout.log_word];
    const size_t keys = launch->log_offset + COUNTERS_BYTES;
    const size_t values = keys + align(launch->log_capacity * sizeof(struct key));
    words[REAP__LOG_COUNTERS] = launch->log_offset;
    words[REAP__LOG_KEYS] = keys;
    words[REAP__LOG_CAPACITY] = launch->log_capacity;
    words[REAP__LOG_VALUE_BYTES] = value_bytes(launch->command);
    for (size_t s = 0; s < launch->command->span_count; s++)
        launch->values_of[s] = values;
    return values + launch->log_capacity * words[REAP__LOG_VALUE_BYTES];
}

reap_status reap__log_begin(struct reap__device_launch *launch)
{
    reap_status status;
    do
        status = reap__device_launch_scratch(launch, place_log(launch));
    while (status == REAP_ERROR_OUT_OF_MEMORY && make_shorter(launch));
    return status;
}

static size_t room_bytes(const struct reap__device_launch *launch)
{
    const size_t capacity = launch->log_capacity;
    return align(capacity * sizeof(struct key)) + align(capacity * value_bytes(launch->command)) +
           2 * align(capacity * sizeof(uint32_t));
}

static reap_status no_memory(const struct reap__device_launch *launch)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its spans",
                      launch->command->kernel->name);
}

/* The same for the host's side of it. */
static reap_status make_room(struct log *log)
{
    reap__free(log->temporary);
    while ((log->temporary = reap__allocate(room_bytes(log->launch))) == NULL)
        if (!make_shorter(log->launch))
            return no_memory(log->launch);
    place_log(log->launch);
    return reap__kernel_params_set_reductions(log->launch);
}

/* ---- In which order ---------------------------------------------------------------------------*/

static bool comes_before(const struct key *a, const struct key *b)
{
    if (a->group != b->group)
        return a->group < b->group;
    return a->meetings != b->meetings ? a->meetings < b->meetings : a->item < b->item;
}

/* Two neighbouring runs, from `first` to `middle` and on to `end`, into one. */
static void merge_runs(const struct key *keys, const uint32_t *from, const size_t bounds[3],
                       uint32_t *into)
{
    size_t a = bounds[0], b = bounds[1];
    for (size_t i = bounds[0]; i < bounds[2]; i++)
        if (a < bounds[1] && (b == bounds[2] || !comes_before(&keys[from[b]], &keys[from[a]])))
            into[i] = from[a++];
        else
            into[i] = from[b++];
}

/* The values' numbers in the order of their keys, in one of the two rows of room. Where keys are
 * equal they stay as they are: those are an item's own. */
static const uint32_t *sort(const struct key *keys, size_t count, uint32_t *order, uint32_t *spare)
{
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t first = 0; first < count; first += 2 * width) {
            const size_t middle = least(first + width, count);
            const size_t bounds[3] = {first, middle, least(middle + width, count)};
            if (middle < count && comes_before(&keys[order[middle]], &keys[order[middle - 1]]))
                merge_runs(keys, order, bounds, spare);
            else
                memcpy(spare + first, order + first, (bounds[2] - first) * sizeof *order);
        }
        uint32_t *const sorted = spare;
        spare = order;
        order = sorted;
    }
    return order;
}

/* ---- Combining --------------------------------------------------------------------------------*/

static size_t replicas_log2(const struct reap__target *target)
{
    return reap__span_replicas_log2(target->count * target->reduction->value_size);
}

static void fill(const struct log *log, size_t s, const struct reap__results *row, size_t count)
{
    const struct reap__results *start = &log->starts[s];
    const bool is_there = start->set == NULL || *start->set != 0;
    reap__fill(log->launch->command->spans[s].reduction, is_there ? start->values : NULL, row,
               count);
}

static void begin_chunk(const struct log *log)
{
    for (size_t s = 0; s < log->launch->command->span_count; s++) {
        const struct reap__target *target = &log->launch->command->spans[s];
        if (reap__is_exact_span(target->reduction))
            continue;
        fill(log, s, &log->copies[s], target->count << replicas_log2(target));
    }
}

/* The first chunk's copy becomes the total as it is. */
static void end_chunk(struct log *log)
{
    for (size_t s = 0; s < log->launch->command->span_count; s++) {
        const struct reap__target *target = &log->launch->command->spans[s];
        const struct reap__results *total = &log->totals[s], *copies = &log->copies[s];
        if (reap__is_exact_span(target->reduction))
            continue;
        reap__spans_fold(target, copies);
        if (log->chunk > 0) {
            reap__combine(target->reduction, total, copies, target->count);
            continue;
        }
        assert(copies->values != NULL);
        memcpy(total->values, copies->values, target->count * target->reduction->value_size);
        if (total->set != NULL)
            memcpy(total->set, copies->set, target->count);
    }
    log->chunk++;
}

/* To the words of the element, of which the last one counts values other than -0. */
static void add_exactly(const struct log *log, size_t s, size_t index, unsigned char *value)
{
    const struct reap__reduction *reduction = log->launch->command->spans[s].reduction;
    const size_t size = reduction->value_size, words = REAP__EXACT_WORDS(size);
    uint64_t *sum = (uint64_t *)(void *)log->totals[s].values + index * words;
    reap__exact_add_each(size, sum, value, 1);
    if (memcmp(value, reap__exact_start(reduction), size) != 0)
        sum[words - 1]++;
}

static void combine(const struct log *log, const struct key *key, unsigned char *value)
{
    unsigned char is_there = 1;
    const struct reap__launch *command = log->launch->command;
    const size_t s = key->item % (1u << SPAN_BITS);
    const struct reap__target *target = &command->spans[s];
    if (reap__is_exact_span(target->reduction)) {
        add_exactly(log, s, key->index, value);
        return;
    }
    const bool has_barriers = command->kernel->item != NULL; /* phases have one replica */
    const size_t replica =
        has_barriers ? (key->item >> SPAN_BITS) % ((size_t)1 << replicas_log2(target)) : 0;
    const struct reap__results into =
        reap__results_at(target->reduction, &log->copies[s], replica * target->count + key->index);
    const struct reap__results from = {value, &is_there};
    reap__combine(target->reduction, &into, &from, 1);
}

static void combine_all(struct log *log, size_t first, size_t count)
{
    const size_t size = value_bytes(log->launch->command), capacity = log->launch->log_capacity;
    const struct key *keys = (const struct key *)(const void *)log->temporary;
    unsigned char *values = log->temporary + align(capacity * sizeof *keys);
    unsigned char *orders = values + align(capacity * size);
    unsigned char *spare = orders + align(capacity * sizeof(uint32_t));
    const uint32_t *order =
        sort(keys, count, (uint32_t *)(void *)orders, (uint32_t *)(void *)spare);
    const reap__fp_environment before = reap__fp_enter();
    for (size_t i = 0; i < count; i++) {
        const struct key *key = &keys[order[i]];
        while ((first + key->group) / log->chunk_groups > log->chunk) {
            end_chunk(log);
            begin_chunk(log);
        }
        combine(log, key, values + order[i] * size);
    }
    reap__fp_leave(before);
}

static void end_chunks(struct log *log)
{
    const reap__fp_environment before = reap__fp_enter();
    const size_t last = (log->launch->groups - 1) / log->chunk_groups;
    while (log->chunk < last) {
        end_chunk(log);
        begin_chunk(log);
    }
    end_chunk(log);
    reap__fp_leave(before);
}

/* ---- Running ----------------------------------------------------------------------------------*/

/* Of so many groups, from `first` on. What needs more than there is comes back as `needed`. */
static reap_status run_batch(struct log *log, size_t first, size_t groups, uint64_t *needed)
{
    struct reap__device_launch *launch = log->launch;
    struct reap__accelerator *accelerator = launch->accelerator;
    const struct reap__driver *driver = accelerator->driver;
    const struct reap__memory *scratch = &launch->memories[REAP__MEMORY_SCRATCH];
    const uint64_t *words = &launch->block[launch->layout.log_word];
    uint32_t counters[3];
    REAP_TRY(driver->fill(accelerator, scratch, words[REAP__LOG_COUNTERS], 0, COUNTERS_BYTES));
    REAP_TRY(reap__device_launch_groups(launch, first, groups));
    REAP_TRY(reap__accelerator_read(accelerator, scratch, words[REAP__LOG_COUNTERS], counters,
                                    sizeof counters));
    *needed = counters[0] + (counters[1] | (uint64_t)counters[2] << 32);
    if (*needed > launch->log_capacity)
        return REAP_OK;
    const size_t count = (size_t)*needed, capacity = launch->log_capacity;
    REAP_TRY(reap__accelerator_read(accelerator, scratch, words[REAP__LOG_KEYS], log->temporary,
                                    count * sizeof(struct key)));
    REAP_TRY(reap__accelerator_read(accelerator, scratch, launch->values_of[0],
                                    log->temporary + align(capacity * sizeof(struct key)),
                                    count * words[REAP__LOG_VALUE_BYTES]));
    combine_all(log, first, count);
    return REAP_OK;
}

/* What is read from the device has been written there: not so where narrower values leave gaps. */
static reap_status fill_gaps(const struct log *log)
{
    struct reap__device_launch *launch = log->launch;
    const struct reap__launch *command = launch->command;
    const size_t bytes = value_bytes(command);
    bool has_gaps = false;
    for (size_t s = 0; s < command->span_count; s++)
        has_gaps = has_gaps || command->spans[s].reduction->value_size < bytes;
    if (!has_gaps)
        return REAP_OK;
    return launch->accelerator->driver->fill(launch->accelerator,
                                             &launch->memories[REAP__MEMORY_SCRATCH],
                                             launch->values_of[0], 0, launch->log_capacity * bytes);
}

/* Exact sums begin again with the groups. */
static void clear_sums(const struct log *log)
{
    for (size_t s = 0; s < log->launch->command->span_count; s++) {
        const struct reap__target *target = &log->launch->command->spans[s];
        const size_t words = REAP__EXACT_WORDS(target->reduction->value_size);
        if (reap__is_exact_span(target->reduction))
            memset(log->totals[s].values, 0, target->count * words * sizeof(uint64_t));
    }
}

/* All groups, unless the log is too short. */
static reap_status run_all(struct log *log, bool *is_done)
{
    struct reap__device_launch *launch = log->launch;
    *is_done = false;
    log->chunk = 0;
    REAP_TRY(fill_gaps(log));
    clear_sums(log);
    begin_chunk(log);
    for (size_t first = 0; first < launch->groups; first += launch->batch) {
        const size_t groups = least(launch->groups - first, launch->batch);
        uint64_t needed;
        REAP_TRY(run_batch(log, first, groups, &needed));
        if (needed > launch->log_capacity)
            return plan_again(launch, needed, groups);
    }
    end_chunks(log);
    *is_done = true;
    return REAP_OK;
}

static reap_status make_copies(struct log *log)
{
    const struct reap__launch *command = log->launch->command;
    size_t bytes = 0, longest = 1;
    for (size_t s = 0; s < command->span_count; s++) {
        const struct reap__target *target = &command->spans[s];
        const size_t size = target->reduction->value_size;
        if (!reap__add_bytes(&bytes, target->count << replicas_log2(target), size + 1) ||
            !reap__add_bytes(&bytes, 1, size + (size_t)3 * REAP__MEMORY_ALIGNMENT))
            return no_memory(log->launch);
        longest = target->count > longest ? target->count : longest;
    }
    log->memory = reap__allocate(bytes);
    if (log->memory == NULL)
        return no_memory(log->launch);
    unsigned char *at = log->memory;
    for (size_t s = 0; s < command->span_count; s++) {
        const struct reap__target *target = &command->spans[s];
        const size_t size = target->reduction->value_size;
        const size_t count = target->count << replicas_log2(target);
        const struct reap__results *total = &log->totals[s];
        const bool has_flags = total->set != NULL;
        unsigned char *const start = at + align(count * size), *const sets = start + align(size);
        log->copies[s] = (struct reap__results){at, has_flags ? sets + 1 : NULL};
        log->starts[s] = (struct reap__results){start, has_flags ? sets : NULL};
        memcpy(start, total->values, size); /* the totals have begun */
        if (has_flags)
            *sets = *total->set;
        at = sets + align(count + 1);
    }
    log->chunk_groups = reap__span_chunk_items(longest) / log->launch->group_items;
    log->chunk_groups = log->chunk_groups > 0 ? log->chunk_groups : 1;
    return REAP_OK;
}

static reap_status run(struct log *log, const struct reap__snapshot *saved)
{
    bool is_done;
    REAP_TRY(make_copies(log));
    REAP_TRY(make_room(log));
    for (;;) {
        REAP_TRY(run_all(log, &is_done));
        if (is_done)
            return REAP_OK;
        REAP_TRY(reap__snapshot_restore(log->launch, saved));
        REAP_TRY(reap__log_begin(log->launch));
        REAP_TRY(make_room(log));
    }
}

reap_status reap__log_run(struct reap__device_launch *launch, const struct reap__results *totals,
                          const struct reap__snapshot *saved)
{
    struct log log = {.launch = launch, .totals = totals};
    const reap_status status = run(&log, saved);
    reap__free(log.temporary);
    reap__free(log.memory);
    return status;
}
