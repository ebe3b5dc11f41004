/* SPDX-License-Identifier: Apache-2.0
 *
 * The parameters of an entry: the parameter block, the plan of the scratch buffer, and the memories
 * of arrays and of resident variables.
 */
#include "src/accelerator/runtime/launch.h"

#include "src/accelerator/codegen/codegen.h"
#include "src/combined/division.h"
#include "src/core/allocate.h"
#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/memory/buffer.h"
#include "src/reduction/exact.h"
#include "src/reduction/operators.h"
#include "src/reduction/store.h"

#include <assert.h>
#include <string.h>

static bool lies_in_buffer(const void *memory)
{
    struct reap__extent extent;
    return reap__buffer_find(memory, 1, &extent);
}

bool reap__is_copied_line(const struct reap__target *target)
{
    return !lies_in_buffer(target->variable);
}

/* ---- Tiles ------------------------------------------------------------------------------------*/

/* The smallest tile of a processor; groups of each multiprocessor, which run one tile after
 * another; most groups. */
enum { PROCESSOR_TILE = 1 << 15, GROUPS_OF_A_UNIT = 4, MOST_GROUPS = 1 << 20 };

/* Groups of a multiprocessor that suffice: then tiles are not shortened (spread_plain). */
enum { MANY_GROUPS = 8, FEW_GROUPS = 4 };

size_t reap__most_tiles = REAP__MOST_TILES;

/* In a short range a tile has fewer leaves than a group has teams, so that more groups read: up to
 * 64 tiles of any size, or up to 128 of some leaves each. More tiles are more nodes for the last
 * group to combine. (Back to back on an H100, us, by the most tiles:
 *
 *   sum of doubles   2^16   2^17   2^18   2^19   2^20   2^21
 *   whole tiles      6.64   6.66   6.88   7.23   7.78   8.21
 *   64               5.64   5.76   5.84   6.09   6.63   8.21
 *   128              5.64   5.76   6.13   6.25   6.56   7.57
 *
 * Sums of floats are similar. For argmax, whose nodes are larger, 128 tiles are slower than 64.) */
enum { SPREAD_TILES = 64, MORE_TILES = 128, LEAVES_OF_MORE = 4, MOST_SPREAD_BYTES = 1 << 16 };

static size_t most_groups(const struct reap__device_launch *launch)
{
    const size_t units = launch->accelerator->device.info.compute_units;
    const size_t beside = reap__entry_groups_beside(&launch->layout);
    if (beside > 0)
        return beside * units;
    return launch->layout.scalar_count > 0 || launch->layout.has_local_spans
               ? GROUPS_OF_A_UNIT * (units > 0 ? units : 1)
               : MOST_GROUPS;
}

/* Log2 of a tile's size in units of the smallest tile. */
static size_t levels_of(const struct reap__device_launch *launch)
{
    size_t levels = 0;
    while (reap__least_tile(&launch->layout) << levels < launch->tile_items)
        levels++;
    return levels;
}

/* Teams that do not gather have a tile each, so a card needs more tiles. */
static size_t most_tiles(const struct reap__device_launch *launch)
{
    const bool are_few = !launch->layout.gathers && !launch->accelerator->is_processor;
    return are_few ? 4 * reap__most_tiles : reap__most_tiles;
}

/* Whether a warp takes so long to combine the lanes of a round that a second group of the
 * multiprocessor has to run meanwhile: those of locations. */
static bool are_lanes_slow(const struct reap__layout *layout)
{
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (layout->scalars[s].has_location)
            return true;
    return false;
}

/* The most tiles that have no bundles. */
static size_t most_unbundled(const struct reap__device_launch *launch)
{
    return are_lanes_slow(&launch->layout) ? most_tiles(launch) / 2 : most_tiles(launch);
}

/* Whether the range has too many tiles of launch->tile_items items. With bundles it may have more,
 * since the last group then combines the nodes of bundles. If tiles are shorter than bundled ones,
 * half as many tiles are faster on cards: on an H100, sums of 2^23 floats took 0.95 of the time, of
 * 2^25 0.99; but a sum of 2^26, whose tiles are not shorter, 1.01. Not those of locations: argmax
 * of 2^25 floats took 44.4 us on an H200 with 128 tiles, 41.8 with 256, and 40.7 if these have
 * bundles; of 2^22, with 128 tiles, 9.7, and 11.1 with bundles. */
static bool are_too_many(const struct reap__device_launch *launch, size_t items)
{
    const struct reap__layout *layout = &launch->layout;
    const size_t tiles = reap__divide_up(items, launch->tile_items), most = most_tiles(launch);
    const bool are_long = launch->tile_items >> REAP__BUNDLED_TILE_LOG2 >= reap__least_tile(layout);
    if (!are_long && layout->gathers && layout->has_warps && most > 1)
        return tiles > (are_lanes_slow(layout) && layout->bundles ? most : most / 2);
    return tiles > most << (layout->bundles && are_long ? REAP__BUNDLE_LOG2 : 0);
}

/* Whether tiles may be halved, so that more groups run. */
static bool may_halve(const struct reap__device_launch *launch, size_t items)
{
    const struct reap__layout *layout = &launch->layout;
    const size_t leaves = launch->tile_items / layout->leaf_items / 2;
    const size_t tiles = reap__divide_up(items, launch->tile_items / 2);
    const size_t node = 64 * reap__layout_place(layout, layout->scalar_count);
    const size_t most = leaves >= LEAVES_OF_MORE ? MORE_TILES : SPREAD_TILES;
    return leaves > 0 && tiles <= most && tiles * node <= MOST_SPREAD_BYTES;
}

/* A tile is a line. Few lines are divided among many multiprocessors: a group uses several teams
 * only if there are more lines than groups. */
static void plan_lines(struct reap__device_launch *launch)
{
    const struct reap__layout *layout = &launch->layout;
    const size_t groups = most_groups(launch);
    launch->tile_items = launch->command->lines.items;
    launch->tiles = launch->groups = launch->command->lines.count;
    launch->levels = levels_of(launch);
    launch->bundle_log2 = 0;
    launch->nodes = 0;
    launch->teams = launch->tiles > groups ? reap__divide_up(launch->tiles, groups) : 1;
    launch->teams = reap__least(launch->teams, layout->teams);
    launch->tile_groups = reap__least(reap__divide_up(launch->tiles, launch->teams), groups);
    launch->places = launch->tile_groups * layout->teams;
}

/* Shortens the tiles of a range without reductions if there are too few to occupy a card: first to
 * the rows that threads load at a time; then, for still fewer groups, to one row. */
static void spread_plain(struct reap__device_launch *launch, size_t items)
{
    const struct reap__layout *layout = &launch->layout;
    const size_t units = launch->accelerator->device.info.compute_units;
    size_t least_items = reap__rows_at_once(layout) * REAP__PLAIN_WIDTH, groups = MANY_GROUPS;
    if (layout->scalar_count > 0 || layout->span_count > 0 || layout->has_groups ||
        launch->accelerator->is_processor)
        return;
    for (int pass = 0; pass < 2; pass++, least_items = REAP__PLAIN_WIDTH, groups = FEW_GROUPS)
        while (launch->tile_items > least_items &&
               reap__divide_up(items, launch->tile_items) < groups * units)
            launch->tile_items /= 2;
}

static void plan_tiles(struct reap__device_launch *launch)
{
    const struct reap__layout *layout = &launch->layout;
    const size_t items = layout->has_groups ? launch->groups : launch->command->items;
    launch->tile_items = reap__least_tile(layout);
    while (layout->scalar_count > 0 &&
           (are_too_many(launch, items) ||
            (launch->accelerator->is_processor && launch->tile_items < PROCESSOR_TILE)))
        launch->tile_items *= 2;
    while (layout->gathers && layout->has_warps && items > launch->tile_items &&
           may_halve(launch, items))
        launch->tile_items /= 2;
    spread_plain(launch, items);
    launch->tiles = reap__divide_up(items, launch->tile_items);
    launch->levels = levels_of(launch);
    launch->bundle_log2 =
        layout->bundles && launch->tiles > most_unbundled(launch) ? REAP__BUNDLE_LOG2 : 0;
    launch->nodes = reap__divide_up(launch->tiles, (size_t)1 << launch->bundle_log2);
    const size_t teams = layout->gathers ? 1 : layout->teams;
    launch->tile_groups = reap__least(reap__divide_up(launch->tiles, teams), most_groups(launch));
    launch->places = launch->tile_groups * teams;
    if (!layout->has_groups)
        launch->groups = launch->tiles;
}

/* The rows of a team: one for lanes that do not fit in registers, one for each level of the
 * scalar's nodes, and one for the node of a line. */
static size_t slots_bytes(const struct reap__device_launch *launch, size_t s)
{
    const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
    const size_t rows = launch->levels + scalar->leaves_log2 + 1 + launch->layout.has_lines;
    return launch->places * rows * reap__row_bytes(scalar);
}

/* A log of items: their values, and then the numbers of values or the locations. */
static void plan_log(struct reap__device_launch *launch, size_t s, size_t *bytes)
{
    const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
    const size_t items = launch->command->items, values = reap__logged_bytes(scalar, items);
    launch->start_of[s] = reap__append_aligned(bytes, scalar->start.in_block ? 0 : scalar->size);
    launch->parts_of[s] = *bytes;
    launch->nodes_of[s] = reap__append_aligned(bytes, values + items * sizeof(uint64_t));
    launch->slots_of[s] = launch->nodes_of[s] + values;
}

void reap__kernel_params_plan(struct reap__device_launch *launch)
{
    const struct reap__layout *layout = &launch->layout;
    size_t bytes = REAP__SCRATCH_RESULTS;
    launch->block_at = reap__append_aligned(
        &bytes, reap__block_is_in_memory(layout) ? layout->words * sizeof *launch->block : 0);
    launch->results_bytes = layout->results_bytes;
    if (layout->has_lines)
        plan_lines(launch);
    else
        plan_tiles(launch);
    for (size_t s = 0; s < layout->scalar_count; s++) {
        const struct reap__layout_scalar *scalar = &layout->scalars[s];
        if (layout->logs_items) {
            plan_log(launch, s, &bytes);
            continue;
        }
        launch->start_of[s] =
            reap__append_aligned(&bytes, scalar->start.in_block ? 0 : scalar->size);
        launch->parts_of[s] = reap__append_aligned(
            &bytes, layout->has_groups ? reap__parts_bytes(scalar, launch->groups) : 0);
        launch->nodes_of[s] = reap__append_aligned(
            &bytes, (launch->nodes + (launch->bundle_log2 > 0 ? launch->tiles : 0)) *
                        reap__row_bytes(scalar));
        launch->slots_of[s] = reap__append_aligned(&bytes, slots_bytes(launch, s));
        if (layout->has_lines && reap__is_copied_line(&launch->command->scalars[s]))
            launch->variables_of[s] = reap__append_aligned(&bytes, launch->command->lines.count *
                                                                       layout->scalars[s].size);
    }
    launch->scratch_bytes = bytes;
    reap__spans_plan(launch);
}

enum { SMALL_BYTES = 512 };

/* ---- The parameter block ----------------------------------------------------------------------*/

const void *reap__lane_start(const struct reap__target *target, void *temporary)
{
    const struct reap__reduction *reduction = target->reduction;
    if (reap__is_exact(reduction))
        return reap__exact_start(reduction);
    if (target->identity != NULL && reduction->location_offset == 0)
        return target->identity;
    return reap__identity_of(reduction, temporary) ? temporary : NULL;
}

/* The start value of lanes or elements, in the block or in the scratch buffer. */
static reap_status set_start(struct reap__device_launch *launch,
                             const struct reap__layout_start *start, const void *value, size_t size,
                             size_t offset)
{
    const struct reap__memory *scratch = &launch->memories[0];
    launch->block[start->set_word] = value != NULL;
    if (start->in_block && value != NULL)
        memcpy(&launch->block[start->word], value, size);
    if (start->in_block)
        return REAP_OK;
    launch->block[start->word] = offset;
    return value == NULL
               ? REAP_OK
               : reap__accelerator_write(launch->accelerator, scratch, offset, value, size);
}

/* Copies the variable of a reduction of lines that is not in a buffer to the scratch buffer. */
static reap_status set_variable(struct reap__device_launch *launch, size_t s)
{
    const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
    const struct reap__target *target = &launch->command->scalars[s];
    if (!reap__is_copied_line(target))
        return REAP_OK;
    launch->memories[scalar->variable_memory] = launch->memories[REAP__MEMORY_SCRATCH];
    launch->block[scalar->variable_word] = launch->variables_of[s];
    return reap__accelerator_write(launch->accelerator, &launch->memories[REAP__MEMORY_SCRATCH],
                                   launch->variables_of[s], target->variable,
                                   target->count * target->parameter->size);
}

static reap_status set_scalar(struct reap__device_launch *launch, size_t s, void *temporary)
{
    const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
    if (launch->layout.has_lines)
        REAP_TRY(set_variable(launch, s));
    launch->block[scalar->parts_word] = launch->parts_of[s];
    launch->block[scalar->nodes_word] = launch->nodes_of[s];
    launch->block[scalar->slots_word] = launch->slots_of[s];
    return set_start(launch, &scalar->start,
                     reap__lane_start(&launch->command->scalars[s], temporary), scalar->size,
                     launch->start_of[s]);
}

/* `identity` is NULL if the operator has none. */
static reap_status set_committed_span(struct reap__device_launch *launch, size_t s,
                                      const void *identity)
{
    const struct reap__layout_span *span = &launch->layout.spans[s];
    const size_t size = span->reduction->value_size;
    launch->block[span->initialize_word] = launch->command->spans[s].initialize;
    if (span->variable_memory == REAP__MEMORY_SCRATCH)
        launch->block[span->variable_word] = launch->variables_of[s];
    if (span->is_exact) {
        launch->block[span->capacity_word] = launch->slots_of_span[s];
        launch->block[span->table_word] = launch->table_of[s];
        if (identity != NULL)
            memcpy(&launch->block[span->identity_word], identity, size);
        return REAP_OK;
    }
    return identity == NULL ? REAP_OK
                            : reap__accelerator_write(launch->accelerator, &launch->memories[0],
                                                      launch->identity_of[s], identity, size);
}

static reap_status set_span(struct reap__device_launch *launch, size_t s, void *temporary)
{
    const struct reap__layout_span *span = &launch->layout.spans[s];
    const struct reap__target *target = &launch->command->spans[s];
    const size_t size = span->reduction->value_size;
    void *start = (char *)temporary + size;
    const bool has_identity = target->identity != NULL || reap__has_identity(target->reduction);
    reap__span_start(target, has_identity ? temporary : NULL, start);
    launch->block[span->count_word] = target->count;
    launch->block[span->values_word] = launch->values_of[s];
    launch->block[span->replicas_word] =
        span->is_exact ? reap__spans_exact_replicas(launch, s) : span->replicas_log2;
    launch->block[span->local_word] = launch->local_bytes;
    if (reap__is_committed(&launch->layout, s))
        REAP_TRY(set_committed_span(launch, s, has_identity ? temporary : NULL));
    else if (launch->layout.has_local_spans)
        launch->local_bytes +=
            reap__align(target->count * size << launch->block[span->replicas_word]);
    return set_start(launch, &span->start, has_identity ? start : NULL, size,
                     launch->span_start_of[s]);
}

static void set_range(struct reap__device_launch *launch)
{
    const reap_range *range = launch->command->range;
    launch->block[REAP__WORD_ITEMS] = launch->command->items;
    for (unsigned d = 0; d < 3; d++) {
        launch->block[REAP__WORD_SIZE + d] = range->size[d];
        launch->block[REAP__WORD_LOCAL + d] = range->group[d] > 0 ? range->group[d] : 1;
    }
    launch->block[REAP__WORD_TILE_ITEMS] = launch->tile_items;
    launch->block[REAP__WORD_TILES] = launch->tiles;
    launch->block[REAP__WORD_NODES] = launch->nodes;
    launch->block[REAP__WORD_NODE_ITEMS] = launch->tile_items << launch->bundle_log2;
    launch->block[REAP__WORD_LEVELS] = launch->levels;
    launch->block[REAP__WORD_TILE_LOG2] = reap__log2_of(
        launch->tile_items /
        (launch->layout.scalar_count > 0 ? launch->layout.leaf_items : REAP__PLAIN_WIDTH));
    launch->block[REAP__WORD_HAS_BUNDLES] = launch->bundle_log2 > 0;
    launch->block[REAP__WORD_TILE_NODES] = launch->bundle_log2 > 0 ? launch->nodes : 0;
    launch->block[REAP__WORD_IS_ROOT] = launch->tiles == 1 && launch->levels == 0;
    launch->block[REAP__WORD_TEAMS] = launch->layout.has_lines ? launch->teams : 0;
    launch->block[REAP__WORD_PARTS] = launch->layout.has_groups ? launch->groups : 0;
    launch->block[REAP__WORD_COUNTER] = REAP__SCRATCH_COUNTER;
    if (launch->layout.has_start) {
        launch->block[REAP__WORD_START] = launch->command->first / launch->group_items;
        launch->block[REAP__WORD_STRIDE] = launch->command->stride;
    }
}

/* The sizes of a local array of two or three dimensions follow its offset in the block. */
static void set_extents(struct reap__device_launch *launch, size_t p)
{
    size_t extents[3];
    const size_t dimensions =
        reap__local_extents(launch->command, &launch->command->kernel->parameters[p], extents);
    for (size_t d = 0; d < dimensions && dimensions > 1; d++)
        launch->block[launch->layout.word_of[p] + 1 + d] = extents[d];
}

/* Plans local memory: `bytes` for the values that items exchange, then the kernel's arrays, which
 * begin where any type may. There is always some: the entry has a parameter for it. */
static void plan_local(struct reap__device_launch *launch, size_t bytes)
{
    const struct reap_kernel *kernel = launch->command->kernel;
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (reap__is_local(&kernel->parameters[p])) {
            set_extents(launch, p);
            bytes = reap__align(bytes);
            launch->block[launch->layout.word_of[p]] = bytes;
            bytes += reap__local_count(launch->command, &kernel->parameters[p]) *
                     kernel->parameters[p].size;
        }
    launch->local_bytes = bytes > 0 ? bytes : reap__align(1);
}

/* A kernel in whose text items exchange nothing needs memory for the fold of its reductions alone:
 * then more groups fit in a multiprocessor. */
static reap_status set_local(struct reap__device_launch *launch)
{
    const struct reap_kernel *kernel = launch->command->kernel;
    const reap_device_info *device = &launch->accelerator->device.info;
    size_t fold = 0;
    for (size_t s = 0; s < launch->layout.scalar_count; s++) {
        const size_t bytes = reap__parts_bytes(&launch->layout.scalars[s], launch->group_items);
        fold = bytes > fold ? bytes : fold;
    }
    size_t exchange = 16 * launch->group_items;
    if (exchange < fold || !reap__may_exchange(kernel, launch->accelerator->has_warps))
        exchange = fold;
    plan_local(launch, exchange);
    if (launch->local_bytes <= device->local_memory_bytes)
        return REAP_OK;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': a work-group of %zu work-items needs %zu bytes of local memory "
                      "(%zu of them for values that work-items exchange in group algorithms and "
                      "reductions), and device '%s' has %zu",
                      kernel->name, launch->group_items, launch->local_bytes, exchange,
                      device->name, device->local_memory_bytes);
}

reap_status reap__kernel_params_set(struct reap__device_launch *launch)
{
    const struct reap_kernel *kernel = launch->command->kernel;
    set_range(launch);
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (reap__is_value(&kernel->parameters[p]))
            memcpy(&launch->block[launch->layout.word_of[p]],
                   (const char *)launch->command->arguments + kernel->parameters[p].offset,
                   kernel->parameters[p].size);
    return launch->layout.has_groups ? set_local(launch) : REAP_OK;
}

/* The bytes of two results of the largest reduction. */
static size_t temporary_bytes(const struct reap__launch *command)
{
    size_t most = sizeof(uint64_t);
    for (size_t s = 0; s < command->scalar_count; s++)
        if (command->scalars[s].reduction->result_size > most)
            most = command->scalars[s].reduction->result_size;
    for (size_t s = 0; s < command->span_count; s++)
        if (command->spans[s].reduction->result_size > most)
            most = command->spans[s].reduction->result_size;
    return 2 * most;
}

reap_status reap__kernel_params_set_reductions(struct reap__device_launch *launch)
{
    _Alignas(64) unsigned char small[SMALL_BYTES];
    const size_t bytes = temporary_bytes(launch->command);
    void *temporary = bytes <= sizeof small ? small : reap__allocate(bytes);
    reap_status status = REAP_OK;
    if (temporary == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its results",
                          launch->command->kernel->name);
    for (size_t s = 0; s < launch->layout.scalar_count && status == REAP_OK; s++)
        status = set_scalar(launch, s, temporary);
    for (size_t s = 0; s < launch->layout.span_count && status == REAP_OK; s++)
        status = set_span(launch, s, temporary);
    if (temporary != small)
        reap__free(temporary);
    return status;
}

/* ---- Arrays and resident variables ------------------------------------------------------------*/

static void note_access(struct reap__device_launch *launch, const struct reap__memory *memory,
                        bool writes)
{
    if (memory->last_access != NULL)
        launch->accesses[launch->access_count++] =
            (struct reap__memory_access){memory->last_access, writes};
}

static reap_status place_array(struct reap__device_launch *launch, size_t p)
{
    const struct reap__launch *command = launch->command;
    const struct reap__parameter *parameter = &command->kernel->parameters[p];
    const reap_device *device = &launch->accelerator->device;
    struct reap__layout *layout = &launch->layout;
    struct reap__resolved_pointer found;
    const void *array = reap__array(command, parameter);
    if (array == NULL)
        return REAP_OK;
    if (reap__is_divided(command, p))
        found = command->division->arrays[p].place;
    else
        REAP_TRY(reap__buffer_on_device(array, device, parameter->kind != REAP__IN, &found));
    assert(found.is_found); /* the core has checked it */
    launch->memories[layout->memory_of[p]] = found.memory;
    launch->block[layout->word_of[p]] = found.offset;
    layout->is_aligned[p] = found.offset % 16 == 0;
    note_access(launch, &found.memory, parameter->kind != REAP__IN);
    return REAP_OK;
}

/* Makes the buffer of a reduction's variable valid on the device, and fills its memory and word. */
static reap_status keep_on_device(struct reap__device_launch *launch, const void *memory,
                                  size_t number, size_t word)
{
    struct reap__resolved_pointer found;
    REAP_TRY(reap__buffer_on_device(memory, &launch->accelerator->device, true, &found));
    launch->memories[number] = found.memory;
    launch->block[word] = found.offset;
    note_access(launch, &found.memory, true);
    return REAP_OK;
}

static bool is_resident(const struct reap__target *target)
{
    return target->part == NULL && lies_in_buffer(target->variable) &&
           (target->location == NULL || lies_in_buffer(target->location)) &&
           (target->location == NULL || target->identity == NULL);
}

static reap_status place_scalar(struct reap__device_launch *launch, size_t s)
{
    const struct reap__target *target = &launch->command->scalars[s];
    const struct reap__layout_scalar *scalar = &launch->layout.scalars[s];
    if (launch->layout.has_lines && reap__is_copied_line(target)) {
        launch->block[scalar->initialize_word] = target->initialize;
        return REAP_OK;
    }
    if (scalar->is_resident) {
        launch->block[scalar->initialize_word] = target->initialize;
        REAP_TRY(keep_on_device(launch, target->variable, scalar->variable_memory,
                                scalar->variable_word));
        return target->location != NULL
                   ? keep_on_device(launch, target->location, scalar->location_memory,
                                    scalar->location_word)
                   : REAP_OK;
    }
    if (target->part != NULL)
        return REAP_OK;
    REAP_TRY(reap__buffer_on_host(target->variable, true));
    return target->location != NULL ? reap__buffer_on_host(target->location, true) : REAP_OK;
}

static reap_status place_span(struct reap__device_launch *launch, size_t s)
{
    const struct reap__target *target = &launch->command->spans[s];
    const struct reap__layout_span *span = &launch->layout.spans[s];
    if (!launch->layout.spans_are_resident)
        return reap__buffer_on_host(target->variable, true);
    launch->block[span->initialize_word] = target->initialize;
    return keep_on_device(launch, target->variable, span->variable_memory, span->variable_word);
}

reap_status reap__bind_all(struct reap__device_launch *launch)
{
    const struct reap__launch *command = launch->command;
    for (size_t p = 1; p < command->kernel->parameter_count && command->items > 0; p++)
        if (reap__is_array(&command->kernel->parameters[p]))
            REAP_TRY(place_array(launch, p));
    for (size_t s = 0; s < launch->layout.scalar_count; s++)
        REAP_TRY(place_scalar(launch, s));
    for (size_t s = 0; s < launch->layout.span_count; s++)
        REAP_TRY(place_span(launch, s));
    return REAP_OK;
}

/* The array of a part that stays on the device is in the device's memory (reduction/part_device.c).
 */
static bool is_span_resident(const struct reap__target *target)
{
    return lies_in_buffer(target->variable);
}

/* Whether a launch may have a memory for each variable and location: beside them there are others,
 * the block (or its offset) and local memory. */
static bool has_room(const struct reap__device_launch *launch)
{
    const struct reap__layout *layout = &launch->layout;
    size_t memories = layout->memories + layout->span_count;
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (is_resident(&launch->command->scalars[s]))
            memories += layout->scalars[s].has_location ? 2 : 1;
    return (memories + 2) * sizeof(uint64_t) <= layout->max_parameter_bytes;
}

/* Whether the host stores a result into a buffer, where others would be on the device. */
static bool mixes(const struct reap__device_launch *launch, bool all_spans)
{
    const struct reap__launch *command = launch->command;
    for (size_t s = 0; s < launch->layout.scalar_count; s++) {
        const struct reap__target *target = &command->scalars[s];
        if (target->part == NULL && !is_resident(target) &&
            (lies_in_buffer(target->variable) ||
             (target->location != NULL && lies_in_buffer(target->location))))
            return true;
    }
    for (size_t s = 0; s < launch->layout.span_count && !all_spans; s++)
        if (is_span_resident(&command->spans[s]))
            return true;
    return false;
}

/* Without work-items the host stores all results; also where a launch has no room for all that may
 * stay, or cannot keep all of those in buffers. */
void reap__bind_choose_resident(struct reap__device_launch *launch)
{
    const bool has_lines = launch->layout.has_lines;
    bool all_spans = launch->layout.span_count > 0;
    if (launch->command->items == 0)
        return;
    for (size_t s = 0; s < launch->layout.span_count; s++)
        all_spans = all_spans && is_span_resident(&launch->command->spans[s]);
    const bool may_stay = has_lines || (has_room(launch) && !mixes(launch, all_spans));
    for (size_t s = 0; s < launch->layout.scalar_count && may_stay; s++)
        if (has_lines || is_resident(&launch->command->scalars[s]))
            reap__layout_keep(&launch->layout, s);
    if (all_spans && may_stay)
        reap__layout_keep_spans(&launch->layout, launch->accelerator->orders_groups);
    else
        reap__layout_copy_spans(&launch->layout);
}

bool reap__bind_must_complete(const struct reap__device_launch *launch)
{
    for (size_t s = 0; s < launch->layout.scalar_count && launch->layout.has_lines; s++)
        if (reap__is_copied_line(&launch->command->scalars[s]))
            return true;
    for (size_t s = 0; s < launch->layout.scalar_count; s++) {
        const struct reap__target *target = &launch->command->scalars[s];
        if (launch->layout.scalars[s].is_resident || target->part != NULL)
            continue;
        if (lies_in_buffer(target->variable) ||
            (target->location != NULL &&
             (lies_in_buffer(target->location) || target->identity != NULL)))
            return true;
    }
    for (size_t s = 0; s < launch->layout.span_count && !launch->layout.spans_are_resident; s++)
        if (lies_in_buffer(launch->command->spans[s].variable))
            return true;
    return false;
}
