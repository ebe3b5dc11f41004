/* SPDX-License-Identifier: Apache-2.0
 *
 * Assigns the words of the parameter block, and chooses the numbers of threads. A row of work-items
 * is as wide as the fewest lanes of a reduction. A team of threads, usually half a warp, runs a row
 * at a time, and each of its threads neighbouring items, so that compilers merge loads into wide
 * ones.
 */
#include "src/accelerator/codegen/layout.h"

#include "src/core/sizes.h"
#include "src/reduction/exact_number.h"
#include "src/reduction/operators.h"
#include "src/reduction/store.h"
#include "src/reduction/tree.h"

#include <string.h>

enum { MOST_THREADS = 256, MOST_GROUP_THREADS = 1024, START_BYTES = 64 };

/* A team is half a warp. A group has at most MOST_TEAMS of them, fewer if two nodes of each do not
 * fit in MOST_SHARED_BYTES of local memory; beside spans, whose copies are there, too, in the part
 * that CUDA cards do not report (OWN_SHARED_BYTES in cuda/cuda.c). If nodes are too large, or
 * leaves differ in size, a group has at most TEAMS_APART teams, which do not exchange nodes. */
enum {
    TEAM_THREADS = 16,
    MOST_TEAMS = 16,
    TEAMS_APART = 8,
    WARP = 32,
    MOST_SHARED_BYTES = 40 << 10,
    MOST_SHARED_BESIDE_SPANS = 16 << 10
};

/* A group's copies of spans: the most bytes of all together; the most replicas, one for each bank
 * of local memory; the most bytes of all replicas. */
enum { MOST_LOCAL_BYTES = 40 << 10, MOST_LOCAL_REPLICAS_LOG2 = 5, REPLICATED_BYTES = 32 << 10 };

enum { LOADED_BYTES = 16 }; /* what a thread loads at once */

static size_t words_of(size_t bytes)
{
    return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

static size_t take(struct reap__layout *layout, size_t words)
{
    const size_t first = layout->words;
    layout->words += words;
    return first;
}

static void take_start(struct reap__layout *layout, struct reap__layout_start *start, size_t size)
{
    start->in_block = size <= START_BYTES;
    start->words = start->in_block ? words_of(size) : 1;
    start->word = take(layout, start->words);
    start->set_word = take(layout, 1);
}

static void add_scalar(struct reap__layout *layout, size_t p)
{
    struct reap__layout_scalar *scalar = &layout->scalars[layout->scalar_count++];
    *scalar = (struct reap__layout_scalar){0};
    scalar->parameter = p;
    scalar->reduction = layout->kernel->parameters[p].reduction;
    scalar->size = scalar->reduction->value_size;
    scalar->has_location = scalar->reduction->location_offset > 0;
    scalar->has_flags = !reap__has_identity(scalar->reduction);
    scalar->is_exact = reap__is_exact(scalar->reduction);
    take_start(layout, &scalar->start, scalar->size);
    scalar->parts_word = take(layout, 1);
    scalar->nodes_word = take(layout, 1);
    scalar->slots_word = take(layout, 1);
    scalar->lanes = (size_t)1 << scalar->reduction->lanes_log2;
    if (scalar->lanes < layout->width)
        layout->width = scalar->lanes;
}

static void add_span(struct reap__layout *layout, size_t p)
{
    struct reap__layout_span *span = &layout->spans[layout->span_count++];
    span->parameter = p;
    span->reduction = layout->kernel->parameters[p].reduction;
    span->has_flags = !reap__has_identity(span->reduction);
    span->least = 0;
    span->is_exact = reap__is_exact_span(span->reduction);
    take_start(layout, &span->start, span->reduction->value_size);
    span->count_word = take(layout, 1);
    span->values_word = take(layout, 1);
    span->replicas_word = take(layout, 1);
    span->local_word = take(layout, 1);
    span->capacity_word = span->is_exact ? take(layout, 1) : 0;
    span->table_word = span->is_exact ? take(layout, 1) : 0;
}

static void add_parameter(struct reap__layout *layout, size_t p)
{
    const struct reap__parameter *parameter = &layout->kernel->parameters[p];
    layout->is_aligned[p] = false;
    switch (parameter->kind) {
    case REAP__IN:
    case REAP__OUT:
    case REAP__INOUT:
        layout->memory_of[p] = layout->memories++;
        layout->word_of[p] = take(layout, 1);
        break;
    case REAP__VALUE:
    case REAP__IDENTITY_VALUE:
        layout->word_of[p] = take(layout, words_of(parameter->size));
        break;
    case REAP__LOCAL:
        layout->word_of[p] = take(layout, 1);
        break;
    case REAP__LOCAL_2D: /* and its sizes */
        layout->word_of[p] = take(layout, 3);
        break;
    case REAP__LOCAL_3D:
        layout->word_of[p] = take(layout, 4);
        break;
    case REAP__SCALAR_REDUCTION:
    case REAP__ROW_REDUCTION:
    case REAP__COLUMN_REDUCTION:
        add_scalar(layout, p);
        break;
    case REAP__SPAN_REDUCTION:
        add_span(layout, p);
        break;
    }
}

/* Whether work-items can combine by atomic operations. Words of 32 bits have those of each device;
 * smaller values are parts of such a word. */
static bool can_be_shared(const struct reap__target *target,
                          const struct reap__accelerator *accelerator)
{
    const size_t size = target->reduction->value_size;
    return reap__span_has_any_order(target) &&
           (size <= sizeof(uint32_t) || accelerator->has_wide_atomics);
}

static void find_mode(struct reap__layout *layout, const struct reap__accelerator *accelerator,
                      const struct reap__launch *command)
{
    layout->mode = layout->span_count == 0 ? REAP__NO_SPANS : REAP__SPANS_SHARED;
    layout->counts_epochs = false;
    for (size_t s = 0; s < layout->span_count; s++) {
        if (layout->spans[s].is_exact)
            continue;
        if (!can_be_shared(&command->spans[s], accelerator))
            layout->mode = REAP__SPANS_LOGGED;
        if (!reap__span_has_any_order(&command->spans[s]))
            layout->counts_epochs = layout->has_groups;
    }
}

static void find_exact_spans(struct reap__layout *layout)
{
    layout->has_exact_spans = false;
    for (size_t s = 0; s < layout->span_count; s++)
        layout->has_exact_spans |= layout->spans[s].is_exact;
}

static bool has_shared_spans(const struct reap__layout *layout)
{
    for (size_t s = 0; s < layout->span_count; s++)
        if (!layout->spans[s].is_exact)
            return true;
    return false;
}

/* Whether local memory has room for a cache of spans, beside what teams have there. Every CUDA card
 * does, as for most_shared_bytes; on a processor work-items do not wait for each other. */
static bool has_room_for_cache(const struct reap__layout *layout,
                               const struct reap__accelerator *accelerator)
{
    const size_t needed = MOST_SHARED_BESIDE_SPANS + REAP__SPAN_CACHE_BYTES;
    return !accelerator->is_processor &&
           (layout->has_warps || accelerator->device.info.local_memory_bytes >= needed);
}

/* The threads of a work-group that an entry is compiled for; 0: any number. CUDA compilers divide
 * the registers among so many threads. OpenCL compilers for cards allow only 256 threads if an
 * entry does not declare its number. */
static size_t group_threads(const struct reap__layout *layout,
                            const struct reap__accelerator *accelerator,
                            const struct reap__launch *command)
{
    size_t items = 1, most = MOST_THREADS;
    for (unsigned d = 0; d < command->range->dimensions; d++)
        items *= command->range->group[d];
    if (!layout->has_warps)
        return accelerator->is_processor || items <= MOST_THREADS ? 0 : items;
    while (most < items && most < MOST_GROUP_THREADS)
        most *= 2;
    return most;
}

size_t reap__layout_rows_beside(const struct reap__layout *layout)
{
    return 2 * layout->teams + 1 + (layout->has_warps ? REAP__SLOTS_BESIDE + 1 : 0);
}

size_t reap__layout_place(const struct reap__layout *layout, size_t s)
{
    size_t bytes = 0;
    for (size_t before = 0; before < s; before++)
        bytes += reap__align(reap__row_bytes(&layout->scalars[before]));
    return bytes / 64;
}

static bool are_alike(const struct reap__layout *layout)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].lanes % WARP != 0 || layout->scalars[s].lanes != layout->width)
            return false;
    return layout->scalar_count > 0;
}

/* The local memory that teams may have; beside spans, whose copies are there, less. */
static size_t most_shared_bytes(const struct reap__layout *layout,
                                const struct reap__accelerator *accelerator)
{
    const size_t most = layout->span_count > 0 && !layout->has_groups ? MOST_SHARED_BESIDE_SPANS
                                                                      : MOST_SHARED_BYTES;
    return layout->has_warps ? most
                             : reap__least(most, accelerator->device.info.local_memory_bytes);
}

/* The teams of a group that reduces lines, limited by the local memory for the words of exact sums.
 */
static size_t line_teams(const struct reap__layout *layout, size_t most)
{
    size_t teams = reap__least(MOST_TEAMS, most / layout->team_threads), sums = 0;
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].is_exact)
            sums += REAP__SUM_BYTES;
    while (teams > 1 && teams * sums > MOST_SHARED_BESIDE_SPANS)
        teams /= 2;
    return teams;
}

/* Chooses the threads of a team and the teams of a group, which has at most `most` threads. */
static void choose_teams(struct reap__layout *layout, const struct reap__accelerator *accelerator,
                         size_t most)
{
    const size_t most_shared = most_shared_bytes(layout, accelerator);
    const size_t node = 64 * reap__layout_place(layout, layout->scalar_count);
    layout->team_threads = reap__least(
        reap__least(most, layout->scalar_count > 0 ? TEAM_THREADS : most), layout->width);
    layout->teams = 1;
    layout->gathers = false;
    if (layout->scalar_count == 0 || most == 1)
        return;
    layout->teams = reap__least(MOST_TEAMS, most / layout->team_threads);
    while (layout->teams > 1 && reap__layout_rows_beside(layout) * node > most_shared)
        layout->teams /= 2;
    layout->gathers = are_alike(layout) && layout->teams * layout->team_threads >= WARP;
    if (layout->has_lines) {
        layout->gathers = false;
        layout->teams = line_teams(layout, most);
    } else if (!layout->gathers) {
        layout->teams = reap__least(TEAMS_APART, most / layout->team_threads);
    }
}

/* Where the order of the items does not matter, a thread takes as many neighbouring ones as make
 * one load of the array with the smallest elements. */
static size_t width_of_loads(const struct reap__layout *layout, size_t threads)
{
    size_t smallest = LOADED_BYTES / 4;
    for (size_t p = 1; p < layout->kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &layout->kernel->parameters[p];
        if (reap__is_array(parameter) && parameter->size < smallest)
            smallest = parameter->size;
    }
    return threads * (LOADED_BYTES / smallest);
}

/* The sizes of the scalars' leaves, the largest of which consist of whole leaves of the others, and
 * the offsets of their results. */
static void lay_out_scalars(struct reap__layout *layout)
{
    size_t most = 1;
    layout->results_bytes = REAP__OUTSIDE_BYTES;
    for (size_t s = 0; s < layout->scalar_count; s++)
        most = layout->scalars[s].lanes > most ? layout->scalars[s].lanes : most;
    layout->leaf_items = most * REAP__ROWS_OF_A_LEAF;
    for (size_t s = 0; s < layout->scalar_count; s++) {
        struct reap__layout_scalar *scalar = &layout->scalars[s];
        scalar->rows_of_lanes = scalar->lanes / layout->width;
        while (scalar->lanes << scalar->leaves_log2 < most)
            scalar->leaves_log2++;
        scalar->delivered = layout->results_bytes;
        layout->results_bytes += layout->delivers_rows && !scalar->is_exact
                                     ? reap__row_bytes(scalar)
                                     : reap__delivered_bytes(scalar);
    }
}

void reap__layout_make(struct reap__layout *layout, const struct reap__accelerator *accelerator,
                       const struct reap__launch *command)
{
    const struct reap_kernel *kernel = command->kernel;
    layout->kernel = kernel; /* member by member: most of the arrays are never used */
    layout->has_groups = reap__has_groups(kernel);
    layout->dimensions = command->range->dimensions;
    layout->delivers_rows = command->has_parts;
    layout->has_stride = command->stride > 0;
    layout->has_start = command->first > 0 || command->is_line;
    layout->has_lines = command->has_lines;
    layout->has_columns = command->has_lines && command->lines.are_columns;
    layout->logs_items = command->item_log != NULL;
    layout->width = REAP__PLAIN_WIDTH;
    layout->words = layout->has_start ? REAP__WORDS_FIXED : REAP__WORD_START;
    layout->max_parameter_bytes = accelerator->max_parameter_bytes;
    layout->memories = REAP__MEMORIES_FIXED;
    layout->has_warps = accelerator->driver->dialect == REAP__DIALECT_CUDA;
    layout->scalar_count = 0;
    layout->span_count = 0;
    layout->has_local_spans = false;
    layout->has_span_cache = false;
    layout->spans_are_resident = false;
    layout->commits_at_once = false;
    for (size_t p = 1; p < kernel->parameter_count; p++)
        add_parameter(layout, p);
    lay_out_scalars(layout);
    size_t most = accelerator->is_processor ? 1 : MOST_THREADS;
    while (most > 1 && most > accelerator->device.info.max_work_group_size)
        most /= 2;
    find_mode(layout, accelerator, command);
    find_exact_spans(layout);
    layout->log_word = layout->mode == REAP__SPANS_LOGGED ? take(layout, REAP__LOG_WORDS) : 0;
    layout->sort_threads = most;
    choose_teams(layout, accelerator, most);
    layout->fold_threads = layout->team_threads * layout->teams;
    layout->threads =
        layout->has_groups ? group_threads(layout, accelerator, command) : layout->fold_threads;
    if (layout->mode == REAP__SPANS_SHARED && layout->scalar_count == 0 &&
        !accelerator->is_processor && !layout->has_groups)
        layout->width = width_of_loads(layout, layout->threads);
    layout->folds_at_once = accelerator->orders_groups && layout->span_count == 0 &&
                            layout->scalar_count > 0 && !layout->logs_items && !layout->has_lines;
    layout->has_span_cache = layout->mode == REAP__SPANS_SHARED && !layout->has_groups &&
                             !layout->logs_items && has_room_for_cache(layout, accelerator) &&
                             has_shared_spans(layout);
    layout->has_near_places =
        layout->gathers && layout->has_warps && !layout->has_groups && !layout->logs_items;
    layout->bundles = layout->folds_at_once && layout->gathers && layout->has_warps &&
                      !layout->has_groups && layout->scalar_count <= REAP__MOST_BUNDLED;
}

void reap__layout_keep(struct reap__layout *layout, size_t s)
{
    struct reap__layout_scalar *scalar = &layout->scalars[s];
    scalar->is_resident = true;
    scalar->variable_memory = layout->memories++;
    scalar->location_memory = scalar->has_location ? layout->memories++ : 0;
    scalar->variable_word = take(layout, 1);
    scalar->location_word = take(layout, 1);
    scalar->initialize_word = take(layout, 1);
}

/* Log2 of the most replicas of all spans, `bytes` bytes in all, that fit in most_bytes. */
static unsigned local_replicas(size_t bytes, size_t most_bytes)
{
    unsigned log2 = 0;
    while (log2 < MOST_LOCAL_REPLICAS_LOG2 && bytes << (log2 + 1) <= most_bytes)
        log2++;
    return log2;
}

void reap__layout_place_spans(struct reap__layout *layout,
                              const struct reap__accelerator *accelerator,
                              const struct reap__launch *command)
{
    const size_t available = accelerator->device.info.local_memory_bytes / 2;
    size_t bytes = 0;
    if (layout->mode != REAP__SPANS_SHARED || layout->has_groups || layout->logs_items)
        return;
    for (size_t s = 0; s < layout->span_count; s++) {
        const size_t size = command->spans[s].parameter->size, count = command->spans[s].count;
        if (layout->spans[s].is_exact)
            continue;
        if (count > MOST_LOCAL_BYTES / size)
            return;
        bytes += reap__align(count * size);
    }
    if (bytes == 0 || bytes > MOST_LOCAL_BYTES || bytes > available)
        return;
    layout->has_local_spans = true;
    layout->has_span_cache = false;
    const unsigned replicas = local_replicas(bytes, reap__least(available, REPLICATED_BYTES));
    for (size_t s = 0; s < layout->span_count; s++)
        layout->spans[s].replicas_log2 = replicas;
    for (size_t s = 0; s < layout->span_count && layout->has_warps; s++)
        if (command->spans[s].count > UINT8_MAX)
            layout->spans[s].least = UINT8_MAX + 1;
}

static void take_variable(struct reap__layout *layout, size_t s, size_t memory)
{
    struct reap__layout_span *span = &layout->spans[s];
    span->variable_memory = memory;
    span->variable_word = take(layout, 1);
    span->initialize_word = take(layout, 1);
    span->identity_word = span->is_exact ? take(layout, 1) : 0;
}

void reap__layout_keep_spans(struct reap__layout *layout, bool orders_groups)
{
    layout->spans_are_resident = true;
    layout->commits_at_once = orders_groups && layout->has_local_spans &&
                              layout->scalar_count == 0 && !layout->has_exact_spans;
    for (size_t s = 0; s < layout->span_count; s++)
        take_variable(layout, s, layout->memories++);
}

void reap__layout_copy_spans(struct reap__layout *layout)
{
    for (size_t s = 0; s < layout->span_count; s++)
        if (reap__is_committed(layout, s))
            take_variable(layout, s, REAP__MEMORY_SCRATCH);
}
