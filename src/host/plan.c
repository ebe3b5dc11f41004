/* SPDX-License-Identifier: Apache-2.0
 *
 * Divides a command's work-items into units and takes its memory. A unit is a node of the reduction
 * shape, so its result does not depend on which thread runs it. If there are too few leaves for the
 * threads, a unit is a strip of a leaf's lanes instead, since lanes, too, are independent of each
 * other.
 */
#include "src/host/run.h"

#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/host/lines.h"
#include "src/host/span.h"
#include "src/reduction/exact.h"
#include "src/reduction/tree.h"

#include <string.h>

enum {
    MOST_BATCH_GROUPS = 1 << 15,
    LEAST_BATCH_GROUPS = 64,
    BATCH_BYTES = 1 << 22, /* of the results of one reduction in a batch */
    MOST_UNIT_GROUPS = 8,
    UNITS_PER_THREAD = 16,
    BRIEF_UNITS_PER_THREAD = 2,
    ONE_UNIT_NANOSECONDS = 6000, /* one, if each thread takes less than this */
    FEW_UNITS_PER_THREAD = 8,
    UNIT_NANOSECONDS = 5000,
    MOST_UNITS_PER_THREAD = 64,
    STRIP_ITEM_NANOSECONDS = 10,   /* if a work-item costs less, leaves have no strips; */
    SCALAR_ITEM_NANOSECONDS = 100, /* if it costs less than this, strips of whole vectors */
    VECTOR_LANES = 16,
    PLAIN_LEAF_NANOSECONDS = 1000,
    UNKNOWN_LANES = 4,  /* of a strip where the cost is unknown */
    LANES_APART = 8192, /* bytes between slots: no processor prefetches the lanes of another */
    SPAN_LEAF_LOG2 =
        12 /* of a leaf, where neither a scalar reduction nor the order of chunks determines it */
};

/* ---- Sizes ------------------------------------------------------------------------------------*/

/* The flags are computed in local variables: to load several bools that have just been stored one
 * by one takes as long as the additions of a small launch. */
static void plan_scalar(struct reap__host_scalar *scalar, const struct reap__target *target)
{
    const bool has_location = target->reduction->location_offset > 0;
    const bool is_exact = reap__is_exact(target->reduction);
    scalar->target = target;
    scalar->reduction = target->reduction;
    scalar->width = (size_t)1 << target->reduction->lanes_log2;
    scalar->leaf_log2 = target->reduction->lanes_log2 + REAP__ROWS_LOG2;
    scalar->has_flags = !target->reduction->has_identity;
    scalar->has_location = has_location;
    scalar->is_exact = is_exact;
    scalar->is_unordered = has_location | is_exact;
    scalar->start_row = NULL;
}

/* The number of leaves, of 2^log2 items each, that so many items have. */
static size_t leaves_of(size_t items, int log2)
{
    return items > 0 ? ((items - 1) >> log2) + 1 : 0;
}

/* Without reductions, a leaf is any number of items: fewer than usual if there would be few leaves
 * for the threads, and if the items of a leaf are still worth a unit. */
static int plain_leaf_log2(const struct reap__host_run *run, size_t threads)
{
    const double cost = run->item_nanoseconds;
    int log2 = REAP__PLAIN_LEAF_LOG2;
    while (log2 > 0 && leaves_of(run->command->items, log2) < threads * FEW_UNITS_PER_THREAD &&
           (cost > 0 ? cost * (1 << (log2 - 1)) >= PLAIN_LEAF_NANOSECONDS
                     : 1 << (log2 - 1) >= VECTOR_LANES))
        log2--;
    return log2;
}

static void plan_leaves(struct reap__host_run *run, size_t threads)
{
    int least = REAP__PLAIN_LEAF_LOG2, most = run->scalar_count > 0 ? 0 : REAP__PLAIN_LEAF_LOG2;
    for (size_t s = 0; s < run->scalar_count; s++) {
        const int leaf = run->scalars[s].leaf_log2;
        least = leaf < least ? leaf : least;
        most = leaf > most ? leaf : most;
    }
    run->width = (size_t)1 << (least - REAP__ROWS_LOG2);
    run->is_uniform = most == least;
    run->leaf_log2 = most;
    if (run->span_count > 0 && run->scalar_count == 0 && !run->merges_in_order)
        run->leaf_log2 = SPAN_LEAF_LOG2;
    else if (run->span_count + run->scalar_count == 0 && threads > 1)
        run->leaf_log2 = plain_leaf_log2(run, threads);
    run->grains = leaves_of(run->command->items, run->leaf_log2);
    run->batch_grains = run->grains;
}

/* A batch is limited by the memory of its groups' results. With chunks it consists of whole
 * chunks. */
static void plan_groups(struct reap__host_run *run)
{
    const size_t *group = run->command->range->group;
    const size_t items = run->command->items > 0 ? group[0] * group[1] * group[2] : 1;
    size_t groups = MOST_BATCH_GROUPS;
    run->is_uniform = true;
    run->leaf_log2 = 0;
    run->grains = run->command->items / items;
    for (size_t s = 0; s < run->scalar_count; s++) {
        const size_t most = BATCH_BYTES / run->scalars[s].reduction->result_size;
        groups = most < groups ? most : groups;
    }
    groups = groups > LEAST_BATCH_GROUPS ? groups : LEAST_BATCH_GROUPS;
    if (run->merges_in_order) {
        const size_t chunk = reap__span_chunk_items(reap__span_longest(run)) / items;
        run->unit_grains = chunk > 1 ? chunk : 1;
        groups = (groups + run->unit_grains - 1) / run->unit_grains * run->unit_grains;
    }
    run->batch_grains = run->grains < groups ? run->grains : groups;
}

static size_t clamp(size_t value, size_t least, size_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* The number of units of leaves. Each unit has a cost, but there should be enough for all threads
 * to end at about the same time: on two threads of a Zen 4, launches of 90 to 180 us took 0.96
 * times as long with units of 5 us as with units of 1.3 us. */
static size_t units_of_leaves(const struct reap__host_run *run, size_t threads)
{
    const size_t most = clamp(run->grains >> REAP__CALL_LEAVES_LOG2, threads * UNITS_PER_THREAD,
                              threads * MOST_UNITS_PER_THREAD);
    const double nanoseconds = run->item_nanoseconds * (double)run->command->items;
    if (run->is_brief)
        return nanoseconds < (double)threads * ONE_UNIT_NANOSECONDS
                   ? threads
                   : threads * BRIEF_UNITS_PER_THREAD;
    if (nanoseconds == 0 || nanoseconds >= (double)most * UNIT_NANOSECONDS)
        return most;
    return clamp((size_t)(nanoseconds / UNIT_NANOSECONDS), threads * FEW_UNITS_PER_THREAD, most);
}

/* A unit of leaves is a node: a power of two of them. */
static size_t unit_leaves(const struct reap__host_run *run, size_t threads)
{
    size_t leaves = 1;
    if (run->merges_in_order)
        return reap__span_chunk_items(reap__span_longest(run)) >> run->leaf_log2;
    if (threads <= 1) {
        while (leaves < run->grains)
            leaves *= 2;
        return leaves;
    }
    const size_t units = units_of_leaves(run, threads);
    while (run->grains / (2 * leaves) >= units)
        leaves *= 2;
    return leaves;
}

static size_t unit_groups(const struct reap__host_run *run, size_t threads)
{
    if (run->merges_in_order)
        return run->unit_grains;
    if (threads <= 1)
        return run->batch_grains > 0 ? run->batch_grains : 1;
    return clamp(run->batch_grains / (threads * UNITS_PER_THREAD), 1, MOST_UNIT_GROUPS);
}

/* The fewest lanes of a strip. A strip of few lanes reads all cache lines of a leaf and its code is
 * not vectorised, which pays off only for expensive work-items. */
static size_t least_strip(const struct reap__host_run *run)
{
    return run->item_nanoseconds == 0                        ? UNKNOWN_LANES
           : run->item_nanoseconds < SCALAR_ITEM_NANOSECONDS ? VECTOR_LANES
                                                             : 1;
}

/* The number of strips of each leaf: more than 1 where there are few leaves for the threads. */
static size_t count_strips(const struct reap__host_run *run, size_t threads)
{
    const bool has_enough =
        (run->is_brief && run->grains >= threads) ||
        (run->item_nanoseconds > 0 && run->item_nanoseconds < STRIP_ITEM_NANOSECONDS);
    if (threads <= 1 || has_enough || run->scalar_count == 0 || run->span_count > 0 ||
        !run->is_uniform || run->has_exact || reap__has_groups(run->kernel) ||
        run->grains >= 4 * threads || run->grains == 0)
        return 1;
    const size_t used = run->command->items < run->width ? run->command->items : run->width;
    const size_t lanes = (used - 1) / least_strip(run) + 1;
    const size_t each = run->is_brief ? BRIEF_UNITS_PER_THREAD : UNITS_PER_THREAD;
    const size_t strips = (threads * each + run->grains - 1) / run->grains;
    return strips < lanes ? strips : lanes;
}

/* The most leaves of a call, as a power of two. The row of a location is an integer as large as the
 * value, which limits the rows; and the lanes of an exact sum are the values of one leaf. */
static unsigned most_call_log2(const struct reap__host_run *run)
{
    unsigned log2 = run->has_exact ? 0 : REAP__CALL_LEAVES_LOG2;
    for (size_t s = 0; s < run->scalar_count; s++)
        while (log2 > 0 && run->scalars[s].has_location &&
               (size_t)REAP__ROWS_OF_A_LEAF << log2 >
                   reap__location_most_rows(run->scalars[s].reduction))
            log2--;
    return log2;
}

/* Decides the number of threads, slots, and grains of a unit. */
static void plan_units(struct reap__host_run *run, size_t threads)
{
    run->threads = 1;
    run->slot_count = 1;
    run->strips = count_strips(run, threads);
    run->unit_grains = reap__has_groups(run->kernel) ? unit_groups(run, threads)
                       : run->strips > 1             ? 1
                                                     : unit_leaves(run, threads);
    if (run->unit_grains == 0)
        run->unit_grains = 1;
    run->call_log2 = most_call_log2(run);
    if (!reap__has_groups(run->kernel) && run->unit_grains >> run->call_log2 == 0)
        run->call_log2 = (unsigned)reap__log2_of(run->unit_grains);
    if (threads <= 1 || run->grains == 0)
        return;
    const size_t units = ((run->grains + run->unit_grains - 1) / run->unit_grains) * run->strips;
    run->threads = units < threads ? units : threads;
    /* A thread whose chunk cannot be merged yet begins another. */
    run->slot_count = run->threads;
    if (run->merges_in_order && run->threads > 1)
        run->slot_count = units < 2 * run->threads ? units : 2 * run->threads;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

static reap_status take_reductions(struct reap__host_run *run, struct reap__scratch *scratch)
{
    const struct reap__launch *command = run->command;
    run->scalar_count = command->scalar_count;
    run->span_count = command->span_count;
    run->scalars = reap__scratch_take(scratch, run->scalar_count, sizeof *run->scalars);
    run->spans = reap__scratch_take(scratch, run->span_count, sizeof *run->spans);
    REAP_TRY(reap__scratch_check(scratch));
    run->has_exact = false;
    run->is_ordered = true;
    for (size_t s = 0; s < run->scalar_count; s++) {
        plan_scalar(&run->scalars[s], &command->scalars[s]);
        run->has_exact |= run->scalars[s].is_exact;
        run->is_ordered &= !run->scalars[s].is_unordered;
    }
    run->merges_in_order = false;
    if (run->span_count > 0)
        reap__span_plan(run);
    return REAP_OK;
}

/* Memory beside `lanes` lanes: the sink of an exact sum, or the rows of locations. */
static void *take_rows(const struct reap__host_scalar *scalar, struct reap__scratch *scratch,
                       size_t lanes)
{
    if (scalar->is_exact)
        return reap__scratch_take(scratch, 1, sizeof(struct reap__exact_sink));
    return scalar->has_location ? reap__scratch_take(scratch, lanes, scalar->reduction->value_size)
                                : NULL;
}

/* Lanes for `leaves` leaves. */
static void take_lanes(const struct reap__host_run *run, struct reap__scratch *scratch,
                       struct reap__lanes *lanes, size_t leaves)
{
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        const size_t rows = scalar->has_location ? 1
                            : scalar->is_exact   ? REAP__ROWS_OF_A_LEAF
                                                 : leaves;
        const size_t size = scalar->reduction->value_size;
        lanes[s].values_ = reap__scratch_take(scratch, rows * scalar->width, size);
        lanes[s].set_ =
            scalar->has_flags ? reap__scratch_take(scratch, rows * scalar->width, 1) : NULL;
        lanes[s].reap_start = NULL;
        lanes[s].rows_ = take_rows(scalar, scratch, scalar->width);
    }
}

static size_t group_items(const struct reap__host_run *run)
{
    const size_t *group = run->command->range->group;
    return run->command->items > 0 ? group[0] * group[1] * group[2] : 1;
}

/* A lane for each work-item of a group. */
static void take_group_lanes(const struct reap__host_run *run, struct reap__scratch *scratch,
                             struct reap__lanes *lanes)
{
    const size_t items = group_items(run);
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        const size_t size = scalar->reduction->value_size;
        lanes[s].values_ = reap__scratch_take(scratch, items, size);
        lanes[s].set_ = scalar->has_flags ? reap__scratch_take(scratch, items, 1) : NULL;
        lanes[s].reap_start = NULL;
        lanes[s].rows_ = take_rows(scalar, scratch, items);
    }
}

static void take_trees(const struct reap__host_run *run, struct reap__scratch *scratch,
                       struct reap__tree *trees)
{
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        const size_t leaves = run->unit_grains << (run->leaf_log2 - scalar->leaf_log2);
        if (scalar->is_unordered)
            continue;
        void *memory = reap__scratch_take(scratch, reap__tree_bytes(scalar->reduction, leaves), 1);
        if (memory != NULL)
            reap__tree_begin(&trees[s], scalar->reduction, leaves, memory);
    }
}

static reap_status take_slot(struct reap__host_run *run, struct reap__scratch *scratch,
                             struct reap__host_slot *slot)
{
    const size_t scalars = run->scalar_count;
    slot->lanes = reap__scratch_take(scratch, scalars, sizeof *slot->lanes);
    slot->part = reap__scratch_take(scratch, scalars, sizeof *slot->part);
    slot->trees = reap__scratch_take(scratch, scalars, sizeof *slot->trees);
    slot->rows = reap__scratch_take(scratch, scalars, sizeof *slot->rows);
    REAP_TRY(reap__scratch_check(scratch));
    if (reap__has_groups(run->kernel)) {
        take_group_lanes(run, scratch, slot->lanes);
    } else if (run->strips == 1) {
        take_lanes(run, scratch, slot->lanes, (size_t)1 << run->call_log2);
        take_trees(run, scratch, slot->trees);
    }
    return REAP_OK;
}

/* Strips: lanes for all leaves. The lanes of a scalar without a location are its nodes. */
static reap_status take_leaf_lanes(struct reap__host_run *run, struct reap__scratch *scratch)
{
    const size_t scalars = run->scalar_count;
    run->leaf_lanes = NULL;
    if (run->strips == 1)
        return REAP_OK;
    run->leaf_lanes = reap__scratch_take(scratch, run->grains * scalars, sizeof *run->leaf_lanes);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t leaf = 0; leaf < run->grains; leaf++) {
        struct reap__lanes *lanes = run->leaf_lanes + leaf * scalars;
        take_lanes(run, scratch, lanes, 1);
        REAP_TRY(reap__scratch_check(scratch));
        for (size_t s = 0; s < scalars; s++) {
            const struct reap__host_scalar *scalar = &run->scalars[s];
            if (scalar->has_location)
                continue;
            const struct reap__results row =
                reap__results_at(scalar->reduction, &scalar->nodes, leaf * scalar->width);
            lanes[s].values_ = row.values;
            lanes[s].set_ = row.set;
            lanes[s].reap_start = NULL;
        }
    }
    return REAP_OK;
}

static reap_status take_joints(struct reap__host_run *run, struct reap__scratch *scratch)
{
    run->joints = NULL;
    if (run->threads <= 1 || run->strips > 1 || run->scalar_count == 0 ||
        reap__has_groups(run->kernel))
        return REAP_OK;
    const size_t units = (run->grains - 1) / run->unit_grains + 1;
    run->joints = reap__scratch_take(scratch, units, sizeof *run->joints);
    return reap__scratch_check(scratch);
}

/* The members that not every kernel uses. */
static void clear_slot(struct reap__host_slot *slot)
{
    slot->memory = NULL;
    slot->trial.calls = 0;
    memset(slot->guesses, 0, sizeof slot->guesses);
    slot->spans = NULL;
    slot->copies = NULL;
    slot->group = NULL;
    slot->lines = NULL;
    slot->is_begun = false;
    slot->state = SLOT_FREE;
}

void reap__host_begin_slot(struct reap__host_slot *slot)
{
    struct reap__scratch own = {.at = slot->memory, .left = slot->bytes};
    if (slot->memory == NULL)
        return;
    clear_slot(slot);
    take_slot(slot->run, &own, slot); /* cannot fail: the first slot needed as much */
}

/* Each slot needs as much memory as the first. If there are only scalars, the thread of a slot
 * divides its memory, so that only its processor has the members of the slot in its caches. */
static reap_status take_slots(struct reap__host_run *run, struct reap__scratch *scratch)
{
    const bool is_divided_later =
        run->scalar_count > 0 && run->span_count == 0 && !reap__has_groups(run->kernel);
    size_t bytes = 0;
    run->slots = reap__scratch_take(scratch, run->slot_count, sizeof *run->slots);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t i = 0; i < run->slot_count; i++) {
        struct reap__host_slot *slot = &run->slots[i];
        slot->run = run;
        if (bytes > 0) {
            slot->memory = reap__scratch_take(scratch, 1, bytes);
            slot->bytes = bytes;
        } else {
            const struct reap__block *const block = scratch->blocks;
            const unsigned char *const at = scratch->at;
            clear_slot(slot);
            if (run->scalar_count > 0)
                REAP_TRY(take_slot(run, scratch, slot));
            if (is_divided_later && scratch->blocks == block)
                bytes = (size_t)(scratch->at - at);
        }
        if (i + 1 < run->slot_count)
            reap__scratch_take(scratch, LANES_APART, 1);
    }
    return run->span_count > 0 ? reap__span_take(run, scratch) : reap__scratch_check(scratch);
}

/* The bytes of a result, rounded up to its alignment. */
static size_t aligned_size(const struct reap__reduction *reduction)
{
    return (reduction->result_size + REAP__MEMORY_ALIGNMENT - 1) &
           ~(size_t)(REAP__MEMORY_ALIGNMENT - 1);
}

static void take_identity(struct reap__host_scalar *scalar, struct reap__scratch *scratch)
{
    const size_t temporary = aligned_size(scalar->reduction);
    const bool has_identity = scalar->reduction->has_identity || scalar->target->identity != NULL;
    unsigned char *memory = reap__scratch_take(scratch, 2, temporary);
    scalar->temporary = memory;
    scalar->identity = has_identity ? memory + temporary : NULL;
    scalar->start = NULL;
}

/* Memory for `count` results. */
static void take_results(const struct reap__host_scalar *scalar, struct reap__scratch *scratch,
                         struct reap__results *results, size_t count)
{
    results->values = reap__scratch_take(scratch, count, scalar->reduction->result_size);
    results->set = scalar->has_flags ? reap__scratch_take(scratch, count, 1) : NULL;
}

/* The row with which the kernel's code begins leaves whose lanes it holds in registers. */
static void take_start_row(const struct reap__host_run *run, struct reap__host_scalar *scalar,
                           struct reap__scratch *scratch)
{
    if (scalar->identity != NULL && !scalar->is_unordered && run->strips == 1 && run->is_uniform &&
        run->command->range->dimensions == 1 && run->span_count == 0 &&
        scalar->width == REAP__MOST_LANES &&
        scalar->reduction->value_size <= REAP__MOST_LOCAL_BYTES)
        scalar->start_row =
            reap__scratch_take(scratch, scalar->width, scalar->reduction->value_size);
}

/* Whether the kernel's code combines pairs of leaves: it can with built-in operators, of types that
 * it does not convert to float, for newer instruction sets than the baseline. A unit must have
 * eight pairs. */
static bool pairs_leaves(const struct reap__host_run *run)
{
    if (run->unit_grains >> REAP__CALL_LEAVES_LOG2 <= 1 ||
        run->command->first + run->command->items > REAP__MOST_FITTING) /* the baseline's code */
        return false;
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__reduction *reduction = run->scalars[s].reduction;
        if (run->scalars[s].start_row == NULL || !reduction->is_builtin ||
            reduction->number == REAP__IS_HALF || reduction->number == REAP__IS_BFLOAT16)
            return false;
    }
    return run->scalar_count > 0 && run->isa != REAP__ISA_PLAIN && run->compiled == NULL;
}

/* The result will be in lane 0 of the first node. */
static void take_nodes(struct reap__host_run *run, struct reap__host_scalar *scalar,
                       struct reap__scratch *scratch)
{
    const size_t units = run->grains > 0 ? (run->grains - 1) / run->unit_grains + 1 : 1;
    take_results(scalar, scratch, &scalar->nodes,
                 scalar->is_unordered ? units : units * scalar->width);
    scalar->result = scalar->nodes;
    take_start_row(run, scalar, scratch);
}

static void take_group_results(struct reap__host_run *run, struct reap__host_scalar *scalar,
                               struct reap__scratch *scratch)
{
    const struct reap__reduction *reduction = scalar->reduction;
    const size_t leaves = leaves_of(run->grains, scalar->leaf_log2);
    take_results(scalar, scratch, &scalar->batch, run->batch_grains > 0 ? run->batch_grains : 1);
    take_results(scalar, scratch, &scalar->leaf, scalar->is_unordered ? 1 : scalar->width);
    scalar->result = scalar->leaf;
    if (scalar->is_unordered)
        return;
    void *memory = reap__scratch_take(scratch, reap__tree_bytes(reduction, leaves), 1);
    if (memory != NULL)
        reap__tree_begin(&scalar->tree, reduction, leaves, memory);
}

static reap_status take_all_results(struct reap__host_run *run, struct reap__scratch *scratch)
{
    for (size_t s = 0; s < run->scalar_count; s++) {
        take_identity(&run->scalars[s], scratch);
        if (reap__has_groups(run->kernel))
            take_group_results(run, &run->scalars[s], scratch);
        else
            take_nodes(run, &run->scalars[s], scratch);
    }
    return reap__scratch_check(scratch);
}

/* ---- Values -----------------------------------------------------------------------------------*/

static void make_identity(struct reap__host_scalar *scalar)
{
    const struct reap__reduction *reduction = scalar->reduction;
    if (scalar->identity == NULL)
        return;
    reap__identity_of(reduction, scalar->identity);
    if (scalar->target->identity != NULL && !scalar->is_exact)
        memcpy(scalar->identity, scalar->target->identity, reduction->value_size);
    scalar->start = scalar->has_location ? reap__location_start(reduction, scalar->identity)
                    : scalar->is_exact   ? reap__exact_start(reduction)
                                         : scalar->identity;
    if (scalar->start_row != NULL)
        reap__repeat(scalar->start_row, scalar->start, reduction->value_size, scalar->width);
}

reap_status reap__host_plan(struct reap__host_run *run, size_t threads,
                            struct reap__scratch *scratch)
{
    if (run->has_lines)
        return reap__host_plan_lines(run, threads, scratch);
    REAP_TRY(take_reductions(run, scratch));
    if (reap__has_groups(run->kernel))
        plan_groups(run);
    else
        plan_leaves(run, threads);
    plan_units(run, reap__span_threads(run, threads));
    REAP_TRY(take_all_results(run, scratch));
    run->pairs_leaves = pairs_leaves(run);
    REAP_TRY(take_leaf_lanes(run, scratch));
    REAP_TRY(take_joints(run, scratch));
    REAP_TRY(take_slots(run, scratch));
    for (size_t s = 0; s < run->scalar_count; s++)
        make_identity(&run->scalars[s]);
    return reap__has_groups(run->kernel) && run->grains > 0 ? reap__host_take_groups(run, scratch)
                                                            : REAP_OK;
}

/* ---- A call -----------------------------------------------------------------------------------*/

bool reap__host_is_single_call(const struct reap__launch *command)
{
    if (command->items == 0 || command->span_count > 0 || command->scalar_count == 0 ||
        reap__has_groups(command->kernel))
        return false;
    const int lanes_log2 = command->scalars[0].reduction->lanes_log2;
    int leaves_log2 = REAP__CALL_LEAVES_LOG2;
    for (size_t s = 0; s < command->scalar_count; s++) {
        const struct reap__reduction *reduction = command->scalars[s].reduction;
        if (reduction->lanes_log2 != lanes_log2 ||
            (reduction->location_offset > 0 && reduction->value_size == 1))
            return false;
        leaves_log2 = reap__is_exact(reduction) ? 0 : leaves_log2;
    }
    return command->items <= (size_t)REAP__ROWS_OF_A_LEAF << (lanes_log2 + leaves_log2);
}

reap_status reap__host_plan_single_call(struct reap__host_run *run, struct reap__host_slot *slot,
                                        struct reap__scratch *scratch)
{
    run->has_lines = false;
    memset(slot->guesses, 0, sizeof slot->guesses);
    REAP_TRY(take_reductions(run, scratch));
    run->width = run->scalars[0].width;
    run->leaf_log2 = run->scalars[0].leaf_log2;
    run->grains = leaves_of(run->command->items, run->leaf_log2);
    run->unit_grains = run->units = run->strips = 1;
    run->is_uniform = true;
    slot->lanes = reap__scratch_take(scratch, run->scalar_count, sizeof *slot->lanes);
    REAP_TRY(reap__scratch_check(scratch));
    take_lanes(run, scratch, slot->lanes, run->grains);
    for (size_t s = 0; s < run->scalar_count; s++) {
        struct reap__host_scalar *scalar = &run->scalars[s];
        take_identity(scalar, scratch);
        take_start_row(run, scalar, scratch);
        if (scalar->is_unordered)
            take_results(scalar, scratch, &scalar->nodes, 1);
        else
            scalar->nodes = (struct reap__results){slot->lanes[s].values_, slot->lanes[s].set_};
        scalar->result = scalar->nodes;
    }
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t s = 0; s < run->scalar_count; s++)
        make_identity(&run->scalars[s]);
    return REAP_OK;
}
