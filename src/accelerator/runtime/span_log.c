/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions whose order matters (docs/spans.md). A launch of some tiles or work-groups,
 * which are whole chunks, fills a log for each span (include/reap/detail/device/span_log.h); then
 * the device sorts the log by element, and folds the values of each element into a total
 * (span_fold_tmpl.h); then the next tiles or work-groups run. At the end an entry combines totals
 * with variables. The host only plans the number of slots and their memory.
 *
 * The number of an item's values is not known before it runs. At first each item has one slot, or
 * as many as the program's items needed in the last launch. If an item needs more, the arrays that
 * the kernel writes are restored, and all items run twice again: to count their values, and with as
 * many slots each as were counted. If that fails, because a kernel's runs differ, each item gets
 * the largest number that any item needed, repeatedly: the number grows, or the run succeeds.
 */
#include "src/accelerator/runtime/launch.h"
#include "src/accelerator/runtime/staging.h"
#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/reduction/store.h"

#include <string.h>

/* A slot's number has 28 bits (REAP__FIRST_BITS of the dialects). A log takes at most 1 / LOG_PART
 * of the device's memory, or MOST_LOG_BYTES if that is unknown; more only if one chunk needs it. */
enum { MOST_SLOTS = 1 << 28, LOG_PART = 4, MOST_LOG_BYTES = 1 << 30 };
enum {
    SNAPSHOT_PART = 8
}; /* snapshots larger than this fraction of the device's memory are in host memory */
size_t reap__most_log_bytes = SIZE_MAX;
enum { RECORD_BYTES = sizeof(uint64_t), REPLICA_BITS = 3, MOST_RECORD_BITS = 63 };

/* A pass sorts by at most 8 bits (REAP__SORT_BINS). Groups of threads that sort: for each compute
 * unit, the most in all, and the fewest records of one. */
enum { DIGIT_BITS = 8, MOST_BINS = 1 << DIGIT_BITS };
enum { CARD_GROUPS = 8, PROCESSOR_GROUPS = 2, MOST_SORT_GROUPS = 1024, LEAST_RECORDS = 4096 };
enum { FOLD_GROUPS = 32 };

/* If as many slots for each item as the largest number of values were more than MOST_EMPTY times
 * all values, later launches count first. */
enum { MOST_EMPTY = 4 };

/* Counters and lengths of a span (span_log.h), one of which is the number of slots. */
enum { MOST_VALUES, LATEST, EARLIEST, COUNTERS };
enum { RECORDS, SEGMENTS, SLOTS, UNUSED, LENGTHS };
enum { COUNTERS_BYTES = 64, LENGTHS_BYTES = 64 };

/* As in include/reap/detail/device/sort.h. */
enum pass_kind { BY_RECORDS, BY_ORDER, HEADS, OFFSETS };
struct pass {
    uint64_t kind;
    uint64_t from, to;
    uint64_t order;
    uint64_t table;
    uint64_t length;
    uint64_t length_to;
    uint64_t groups;
    uint64_t shift, bins;
    uint64_t slot_mask;
};
enum { MOST_PASSES = 24 };

struct log {
    struct reap__device_launch *launch;
    struct reap__log_plan plans[REAP__MOST_PARAMETERS];
    size_t slots[REAP__MOST_PARAMETERS];    /* of an item; without offsets */
    size_t capacity[REAP__MOST_PARAMETERS]; /* the most slots of a launch */
    size_t counters, lengths;               /* offsets of the first span's counters and lengths */
    size_t passes, table;                   /* offsets of passes and of their table */
    size_t offsets, first;                  /* offsets of items' offsets, and of the logs */
    size_t spare;                           /* offset of records while they are sorted */
    bool has_offsets;
};

/* The bits of the numbers below `count`. */
static unsigned bits_below(uint64_t count)
{
    unsigned bits = 0;
    while (bits < 64 && count > 0 && (count - 1) >> bits != 0)
        bits++;
    return bits;
}

static bool is_logged(const struct reap__device_launch *launch, size_t s)
{
    return !launch->layout.spans[s].is_exact;
}

static size_t value_bytes(const struct reap__device_launch *launch, size_t s)
{
    return launch->command->spans[s].reduction->value_size;
}

static reap_status no_memory(const struct reap__device_launch *launch)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                      "kernel '%s': device '%s' has no memory for the values of its spans",
                      launch->command->kernel->name, launch->accelerator->device.info.name);
}

/* ---- Units: tiles or groups -------------------------------------------------------------------*/

static size_t items_of_unit(const struct reap__device_launch *launch)
{
    return launch->layout.has_groups ? launch->group_items : launch->tile_items;
}

static size_t chunk_items(const struct reap__device_launch *launch)
{
    size_t longest = 1;
    for (size_t s = 0; s < launch->layout.span_count; s++)
        if (launch->command->spans[s].count > longest)
            longest = launch->command->spans[s].count;
    return reap__span_chunk_items(longest);
}

/* The units of a chunk; 1 if a tile is several chunks. */
static size_t units_of_chunk(const struct reap__device_launch *launch)
{
    const size_t units = chunk_items(launch) / items_of_unit(launch);
    return units > 0 ? units : 1;
}

static size_t items_of(const struct reap__device_launch *launch, size_t first, size_t units)
{
    const size_t each = items_of_unit(launch), left = launch->command->items - first * each;
    return units < left / each + 1 ? reap__least(units * each, left) : left;
}

/* ---- The plan of the memory -------------------------------------------------------------------*/

static unsigned replicas_log2(const struct reap__device_launch *launch, size_t s)
{
    const struct reap__target *target = &launch->command->spans[s];
    const bool is_in_phases = launch->layout.has_groups && launch->command->kernel->item == NULL;
    return is_in_phases ? 0 : reap__span_replicas_log2(target->count * value_bytes(launch, s));
}

static size_t most_sort_groups(const struct reap__device_launch *launch)
{
    const struct reap__accelerator *accelerator = launch->accelerator;
    const size_t units = accelerator->device.info.compute_units;
    return reap__least((units > 0 ? units : 1) *
                           (accelerator->is_processor ? PROCESSOR_GROUPS : CARD_GROUPS),
                       MOST_SORT_GROUPS);
}

void reap__log_plan(struct reap__device_launch *launch)
{
    for (size_t s = 0; s < launch->layout.span_count; s++) {
        const struct reap__target *target = &launch->command->spans[s];
        const size_t size = value_bytes(launch, s);
        if (!is_logged(launch, s))
            continue;
        launch->values_of[s] = 0; /* until the log is placed */
        launch->totals_of[s] = reap__append_aligned(&launch->scratch_bytes, target->count * size);
        launch->set_of[s] = reap__append_aligned(&launch->scratch_bytes, target->count);
        launch->identity_of[s] = reap__append_aligned(&launch->scratch_bytes, size);
        launch->variables_of[s] = reap__append_aligned(
            &launch->scratch_bytes, launch->layout.spans_are_resident ? 0 : target->count * size);
    }
    const size_t snapshot = reap__snapshot_bytes(launch);
    launch->snapshot_at = 0;
    if (snapshot <= launch->accelerator->device.info.global_memory_bytes / SNAPSHOT_PART)
        launch->snapshot_at = reap__append_aligned(&launch->scratch_bytes, snapshot);
    launch->log_offset = launch->scratch_bytes;
    launch->block[launch->layout.log_word + REAP__LOG_PLANS] = launch->log_offset;
}

/* Plans everything that does not depend on the number of slots. */
static void place(struct log *log)
{
    struct reap__device_launch *launch = log->launch;
    const size_t spans = launch->layout.span_count;
    size_t bytes = launch->log_offset + reap__align(spans * sizeof *log->plans);
    log->counters = reap__append_aligned(&bytes, spans * COUNTERS_BYTES);
    log->lengths = reap__append_aligned(&bytes, spans * LENGTHS_BYTES);
    log->passes = reap__append_aligned(&bytes, MOST_PASSES * sizeof(struct pass));
    log->table = reap__append_aligned(&bytes, (size_t)MOST_BINS * (most_sort_groups(launch) + 1) *
                                                  RECORD_BYTES);
    log->offsets = log->first = bytes;
    for (size_t s = 0; s < spans; s++)
        log->plans[s] = (struct reap__log_plan){
            .counters = log->counters + s * COUNTERS_BYTES,
            .lengths = log->lengths + s * LENGTHS_BYTES,
            .chunk_size = launch->layout.has_groups ? units_of_chunk(launch)
                                                    : bits_below(chunk_items(launch)),
            .replicas_log2 = replicas_log2(launch, s),
            .totals = launch->totals_of[s],
            .is_set = launch->set_of[s],
            .identity = launch->identity_of[s],
        };
}

/* Plans the logs; returns the offset of their end. SIZE_MAX: the size overflows. */
static size_t place_logs(struct log *log)
{
    struct reap__device_launch *launch = log->launch;
    size_t bytes = log->first, most = 0;
    for (size_t s = 0; s < launch->layout.span_count; s++) {
        struct reap__log_plan *plan = &log->plans[s];
        const size_t count = log->capacity[s], size = value_bytes(launch, s);
        if (!is_logged(launch, s))
            continue;
        if (count > SIZE_MAX / 4 / REAP__MOST_PARAMETERS / (size + (size_t)2 * RECORD_BYTES))
            return SIZE_MAX;
        plan->records = reap__append_aligned(&bytes, count * RECORD_BYTES);
        launch->values_of[s] = reap__append_aligned(&bytes, count * size);
        plan->order =
            reap__append_aligned(&bytes, launch->layout.has_groups ? count * RECORD_BYTES : 0);
        launch->block[launch->layout.spans[s].values_word] = launch->values_of[s];
        most = count > most ? count : most;
    }
    log->spare = reap__append_aligned(&bytes, most * RECORD_BYTES);
    return bytes;
}

/* Plans the fields of records; returns whether they fit in 64 bits. */
static bool place_bits(struct log *log)
{
    const struct reap__device_launch *launch = log->launch;
    const size_t items = items_of(launch, 0, launch->batch);
    const size_t chunks = launch->layout.has_groups
                              ? reap__divide_up(launch->batch, units_of_chunk(launch))
                              : reap__divide_up(items, chunk_items(launch));
    for (size_t s = 0; s < launch->layout.span_count; s++) {
        struct reap__log_plan *plan = &log->plans[s];
        if (!is_logged(launch, s))
            continue;
        plan->slot_bits = bits_below(log->capacity[s] > 0 ? log->capacity[s] : 1);
        plan->index_shift = plan->slot_bits + REPLICA_BITS + bits_below(chunks);
        if (log->capacity[s] >= MOST_SLOTS ||
            plan->index_shift + bits_below(launch->command->spans[s].count) > MOST_RECORD_BITS)
            return false;
    }
    return true;
}

static reap_status read_words(const struct reap__device_launch *launch, size_t offset, void *into,
                              size_t bytes)
{
    return reap__accelerator_read(launch->accelerator, &launch->memories[REAP__MEMORY_SCRATCH],
                                  offset, into, bytes);
}

static size_t offsets_bytes(const struct reap__device_launch *launch)
{
    return reap__align((launch->command->items + 1) * RECORD_BYTES);
}

static reap_status read_offset(const struct log *log, size_t s, size_t item, uint64_t *offset)
{
    return read_words(log->launch, log->plans[s].offsets + item * RECORD_BYTES, offset,
                      sizeof *offset);
}

/* Sets the most slots of a launch of launch->batch units. */
static reap_status measure_span(struct log *log, size_t s)
{
    const struct reap__device_launch *launch = log->launch;
    log->capacity[s] = items_of(launch, 0, launch->batch);
    if (!log->has_offsets) {
        const bool fits = log->capacity[s] == 0 || log->slots[s] <= SIZE_MAX / log->capacity[s];
        log->capacity[s] = fits ? log->slots[s] * log->capacity[s] : SIZE_MAX;
        return REAP_OK;
    }
    uint64_t begin = 0, end;
    log->capacity[s] = 0;
    for (size_t first = 0; first < launch->groups; first += launch->batch) {
        const size_t to = first * items_of_unit(launch) + items_of(launch, first, launch->batch);
        REAP_TRY(read_offset(log, s, to, &end));
        log->capacity[s] = end - begin > log->capacity[s] ? end - begin : log->capacity[s];
        begin = end;
    }
    return REAP_OK;
}

static size_t most_log_bytes(const struct reap__device_launch *launch)
{
    const size_t bytes = launch->accelerator->device.info.global_memory_bytes;
    return reap__least(bytes > 0 ? bytes / LOG_PART : MOST_LOG_BYTES, reap__most_log_bytes);
}

/* Chooses the units of a launch: all, or as many as fit, at least a chunk. Grows the scratch
 * buffer, and keeps what precedes the logs. */
static reap_status allocate(struct log *log)
{
    struct reap__device_launch *launch = log->launch;
    const size_t chunk = units_of_chunk(launch), most = most_log_bytes(launch);
    launch->batch = launch->groups;
    for (;;) {
        for (size_t s = 0; s < launch->layout.span_count; s++)
            if (is_logged(launch, s))
                REAP_TRY(measure_span(log, s));
        const bool is_chunk = launch->batch <= chunk;
        const bool fits = launch->batch <= MOST_SLOTS && place_bits(log);
        const size_t bytes = fits ? place_logs(log) : SIZE_MAX;
        if (bytes < SIZE_MAX && (is_chunk || bytes - log->first <= most)) {
            const reap_status status = reap__accelerator_scratch_grow(
                launch->accelerator, bytes, log->first, &launch->memories[REAP__MEMORY_SCRATCH]);
            if (status != REAP_ERROR_OUT_OF_MEMORY)
                return status;
        }
        if (is_chunk)
            return no_memory(launch);
        launch->batch = reap__divide_up(reap__divide_up(launch->batch, 2), chunk) * chunk;
    }
}

/* ---- Kernels ----------------------------------------------------------------------------------*/

static reap_status write_plans(const struct log *log)
{
    const struct reap__device_launch *launch = log->launch;
    return reap__accelerator_write(launch->accelerator, &launch->memories[REAP__MEMORY_SCRATCH],
                                   launch->log_offset, log->plans,
                                   launch->layout.span_count * sizeof *log->plans);
}

static reap_status clear(const struct reap__device_launch *launch, size_t offset, size_t bytes)
{
    return launch->accelerator->driver->fill(
        launch->accelerator, &launch->memories[REAP__MEMORY_SCRATCH], offset, 0, bytes);
}

static reap_status launch_units(struct log *log, size_t first, size_t units)
{
    struct reap__device_launch *launch = log->launch;
    REAP_TRY(clear(launch, log->counters, launch->layout.span_count * COUNTERS_BYTES));
    REAP_TRY(write_plans(log));
    if (!launch->layout.has_groups)
        return reap__device_launch_entry(launch, first, units);
    for (size_t g = 0; g < units; g += REAP__MOST_WORK_GROUPS)
        REAP_TRY(reap__device_launch_groups(launch, first + g,
                                            reap__least(units - g, REAP__MOST_WORK_GROUPS)));
    return REAP_OK;
}

static reap_status run_passes(struct log *log, const struct pass *passes, size_t count)
{
    struct reap__device_launch *launch = log->launch;
    uint64_t *words = &launch->block[launch->layout.log_word];
    REAP_TRY(reap__accelerator_write(launch->accelerator, &launch->memories[REAP__MEMORY_SCRATCH],
                                     log->passes, passes, count * sizeof *passes));
    for (size_t p = 0; p < count; p++)
        for (size_t step = 0; step < 3; step++) {
            words[REAP__LOG_PASS] = log->passes + p * sizeof *passes;
            words[REAP__LOG_STEP] = step;
            REAP_TRY(reap__device_launch_sort(
                launch, (size_t)(step == 1 ? passes[p].bins : passes[p].groups)));
        }
    return REAP_OK;
}

static struct pass make_pass(const struct log *log, size_t s, enum pass_kind kind, size_t length)
{
    const size_t groups = reap__divide_up(length, LEAST_RECORDS);
    return (struct pass){
        .kind = kind,
        .order = log->plans[s].order,
        .table = log->table,
        .length = log->plans[s].lengths + RECORDS * sizeof(uint64_t),
        .length_to = log->plans[s].lengths + UNUSED * sizeof(uint64_t),
        .groups = reap__least(groups > 0 ? groups : 1, most_sort_groups(log->launch)),
        .bins = 1,
        .slot_mask = ((uint64_t)1 << log->plans[s].slot_bits) - 1,
    };
}

static reap_status write_length(const struct log *log, size_t s, uint64_t length)
{
    return reap__accelerator_write(
        log->launch->accelerator, &log->launch->memories[REAP__MEMORY_SCRATCH],
        log->plans[s].lengths + SLOTS * sizeof length, &length, sizeof length);
}

/* ---- Sorting ----------------------------------------------------------------------------------*/

struct passes {
    struct pass each[MOST_PASSES];
    size_t count;
    size_t slots;
};

/* Adds the passes that sort by `bits` bits from `shift` on: at least one. */
static void add_passes(const struct log *log, size_t s, enum pass_kind kind, uint64_t shift,
                       unsigned bits, struct passes *passes)
{
    const struct reap__log_plan *plan = &log->plans[s];
    const unsigned digits = bits > 0 ? (unsigned)reap__divide_up(bits, DIGIT_BITS) : 1;
    const unsigned width = (unsigned)reap__divide_up(bits, digits);
    for (unsigned d = 0; d < digits; d++) {
        struct pass *pass = &passes->each[passes->count];
        *pass = make_pass(log, s, kind, passes->slots);
        pass->shift = shift + (uint64_t)d * width;
        pass->bins = (uint64_t)1 << width;
        pass->from = passes->count % 2 == 0 ? plan->records : log->spare;
        pass->to = passes->count % 2 == 0 ? log->spare : plan->records;
        if (passes->count == 0) { /* the first pass removes records without values */
            pass->length_to = pass->length;
            pass->length = plan->lengths + SLOTS * sizeof(uint64_t);
        }
        passes->count++;
    }
}

/* Sorts by the number of the group and of the barriers before a value, unless that is the same for
 * all values, whose slots are then in order; then by element; then finds the begins of segments. */
static void plan_passes(struct log *log, size_t s, const uint32_t *counters, size_t groups,
                        struct passes *passes)
{
    struct reap__log_plan *plan = &log->plans[s];
    if (log->launch->layout.has_groups && counters[LATEST] != ~counters[EARLIEST]) {
        add_passes(log, s, BY_ORDER, 0, bits_below((uint64_t)counters[LATEST] + 1), passes);
        add_passes(log, s, BY_ORDER, 32, bits_below(groups), passes);
    }
    add_passes(log, s, BY_RECORDS, plan->index_shift,
               bits_below(log->launch->command->spans[s].count), passes);
    struct pass *heads = &passes->each[passes->count];
    const bool is_in_spare = passes->count % 2 != 0;
    plan->sorted = is_in_spare ? log->spare : plan->records;
    plan->heads = is_in_spare ? plan->records : log->spare;
    plan->firsts = plan->heads + log->capacity[s] * sizeof(uint32_t);
    *heads = make_pass(log, s, HEADS, passes->slots);
    heads->from = plan->sorted;
    heads->to = plan->heads;
    heads->shift = plan->slot_bits + REPLICA_BITS;
    heads->length_to = plan->lengths + SEGMENTS * sizeof(uint64_t);
    passes->count++;
}

static reap_status fold(struct log *log, size_t s, size_t slots)
{
    struct reap__device_launch *launch = log->launch;
    uint64_t *words = &launch->block[launch->layout.log_word];
    const size_t units = launch->accelerator->device.info.compute_units;
    const size_t most = (units > 0 ? units : 1) *
                        (launch->accelerator->is_processor ? PROCESSOR_GROUPS : FOLD_GROUPS);
    for (size_t step = 0; step < 3; step++) {
        const size_t threads = step == 0 ? slots << log->plans[s].replicas_log2 : slots;
        words[REAP__LOG_PASS] = s;
        words[REAP__LOG_STEP] = step;
        REAP_TRY(reap__device_launch_fold_spans(
            launch, reap__least(reap__divide_up(threads, launch->layout.sort_threads), most)));
    }
    return REAP_OK;
}

/* Sets *slots to the slots of a span in a launch of these units. */
static reap_status slots_of(struct log *log, size_t s, size_t first, size_t units, size_t *slots)
{
    const struct reap__device_launch *launch = log->launch;
    const size_t items = items_of(launch, first, units), begin = first * items_of_unit(launch);
    uint64_t from, to;
    *slots = items * log->slots[s];
    if (!log->has_offsets)
        return REAP_OK;
    REAP_TRY(read_offset(log, s, begin, &from));
    REAP_TRY(read_offset(log, s, begin + items, &to));
    *slots = (size_t)(to - from);
    log->plans[s].first_slot = from;
    return REAP_OK;
}

static reap_status sort_and_fold(struct log *log, size_t s, const uint32_t *counters, size_t slots,
                                 size_t units)
{
    struct passes passes = {.slots = slots};
    if (slots == 0)
        return REAP_OK;
    plan_passes(log, s, counters, units, &passes);
    REAP_TRY(write_plans(log));
    REAP_TRY(write_length(log, s, slots));
    REAP_TRY(run_passes(log, passes.each, passes.count));
    return fold(log, s, slots);
}

/* ---- Running ----------------------------------------------------------------------------------*/

/* Returns whether an item needs more slots. `needed`: the most values of an item with too few
 * slots, or 0. */
static bool note_needed(struct log *log, size_t s, uint32_t needed)
{
    if (needed == 0)
        return false;
    log->slots[s] = needed > log->slots[s] ? needed : log->slots[s];
    return true;
}

static reap_status run_batch(struct log *log, size_t first, size_t units, bool *is_done)
{
    struct reap__device_launch *launch = log->launch;
    uint32_t counters[REAP__MOST_PARAMETERS][COUNTERS_BYTES / sizeof(uint32_t)];
    size_t slots[REAP__MOST_PARAMETERS] = {0};
    for (size_t s = 0; s < launch->layout.span_count; s++) {
        log->plans[s].first_item = first * items_of_unit(launch);
        log->plans[s].slots = log->has_offsets ? 0 : log->slots[s];
        log->plans[s].has_offsets = log->has_offsets;
        if (is_logged(launch, s))
            REAP_TRY(slots_of(log, s, first, units, &slots[s]));
    }
    REAP_TRY(launch_units(log, first, units));
    REAP_TRY(
        read_words(launch, log->counters, counters, launch->layout.span_count * COUNTERS_BYTES));
    for (size_t s = 0; s < launch->layout.span_count; s++)
        if (is_logged(launch, s) && note_needed(log, s, counters[s][MOST_VALUES]))
            *is_done = false;
    for (size_t s = 0; s < launch->layout.span_count && *is_done; s++)
        if (is_logged(launch, s))
            REAP_TRY(sort_and_fold(log, s, counters[s], slots[s], units));
    return REAP_OK;
}

/* Runs all units; stops with *is_done false if an item has too few slots. */
static reap_status run_all(struct log *log, bool *is_done)
{
    struct reap__device_launch *launch = log->launch;
    *is_done = true;
    REAP_TRY(allocate(log));
    for (size_t s = 0; s < launch->layout.span_count; s++)
        if (is_logged(launch, s))
            REAP_TRY(clear(launch, launch->set_of[s], launch->command->spans[s].count));
    for (size_t first = 0; first < launch->groups && *is_done; first += launch->batch)
        REAP_TRY(
            run_batch(log, first, reap__least(launch->groups - first, launch->batch), is_done));
    return REAP_OK;
}

/* Restores arrays and sums to their state before the kernel ran. */
static reap_status start_again(struct log *log, const struct reap__snapshot *saved)
{
    REAP_TRY(reap__snapshot_restore(log->launch, saved));
    REAP_TRY(reap__device_launch_clear_sums(log->launch));
    return reap__spans_begin_exact(log->launch);
}

/* Converts numbers of values to offsets, and notes the number of slots for later launches. */
static reap_status make_offsets(struct log *log, size_t s, uint32_t most)
{
    struct reap__device_launch *launch = log->launch;
    const size_t items = launch->command->items;
    struct pass pass = make_pass(log, s, OFFSETS, items);
    uint64_t values;
    pass.from = pass.to = log->plans[s].offsets;
    pass.length = log->plans[s].lengths + SLOTS * sizeof(uint64_t);
    REAP_TRY(write_length(log, s, items));
    REAP_TRY(run_passes(log, &pass, 1));
    REAP_TRY(read_offset(log, s, items, &values));
    note_needed(log, s, most);
    if ((double)items * most > (double)values * MOST_EMPTY)
        launch->program->slots[s] = 0;
    else
        launch->program->slots[s] = most > 1 ? most : 1;
    return REAP_OK;
}

static reap_status count_values(struct log *log)
{
    struct reap__device_launch *launch = log->launch;
    uint32_t counters[REAP__MOST_PARAMETERS][COUNTERS_BYTES / sizeof(uint32_t)];
    log->first = log->offsets;
    for (size_t s = 0; s < launch->layout.span_count; s++) {
        log->plans[s].offsets = log->first;
        log->plans[s].is_counted = 1;
        log->plans[s].slots = log->plans[s].has_offsets = 0;
        if (is_logged(launch, s))
            log->first += offsets_bytes(launch);
    }
    REAP_TRY(reap__accelerator_scratch_grow(launch->accelerator, log->first, log->offsets,
                                            &launch->memories[REAP__MEMORY_SCRATCH]));
    REAP_TRY(launch_units(log, 0, launch->groups));
    REAP_TRY(
        read_words(launch, log->counters, counters, launch->layout.span_count * COUNTERS_BYTES));
    for (size_t s = 0; s < launch->layout.span_count; s++)
        if (is_logged(launch, s))
            REAP_TRY(make_offsets(log, s, counters[s][MOST_VALUES]));
    for (size_t s = 0; s < launch->layout.span_count; s++)
        log->plans[s].is_counted = 0;
    log->has_offsets = true;
    return REAP_OK;
}

/* First runs without offsets if the numbers of slots are known from earlier launches. If there is
 * too little memory for these, this launch counts its own. */
reap_status reap__log_run(struct reap__device_launch *launch, const struct reap__snapshot *saved)
{
    struct log log = {.launch = launch};
    bool is_done = false, is_known = true;
    place(&log);
    for (size_t s = 0; s < launch->layout.span_count; s++) {
        log.slots[s] = launch->program->slots[s];
        is_known = is_known && (log.slots[s] > 0 || !is_logged(launch, s));
    }
    if (is_known) {
        const reap_status status = run_all(&log, &is_done);
        if (status != REAP_OK && status != REAP_ERROR_OUT_OF_MEMORY)
            return status;
        is_done = is_done && status == REAP_OK;
    }
    for (unsigned attempt = 0; !is_done; attempt++) {
        if (attempt == 0) {
            if (is_known)
                REAP_TRY(start_again(&log, saved));
            REAP_TRY(count_values(&log));
        } else {
            log.has_offsets = false;
        }
        REAP_TRY(start_again(&log, saved));
        REAP_TRY(run_all(&log, &is_done));
    }
    return REAP_OK;
}
