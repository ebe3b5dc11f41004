/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a unit of work-items by calls of the kernel's code. If all reductions have rows of the same
 * width, a call runs several leaves, whose rows of lanes are then combined to a node. If widths
 * differ, a call runs one row of the narrowest reduction. A strip of lanes is run row by row, too.
 */
#include "src/core/sizes.h"
#include "src/host/run.h"
#include "src/port/cpu.h"
#include "src/port/sanitizer.h"
#include "src/reduction/exact.h"
#include "src/reduction/tree.h"

#include <string.h>

/* ---- Lanes ------------------------------------------------------------------------------------*/

static void fill(const struct reap__host_scalar *scalar, const struct reap__lanes *lanes,
                 size_t rows, size_t used)
{
    const size_t size = scalar->reduction->value_size;
    const size_t count = !scalar->has_location ? (rows - 1) * scalar->width + used
                         : rows > 1            ? scalar->width
                                               : used;
    if (scalar->start != NULL)
        reap__repeat(lanes->values_, scalar->start, size, count);
    if (lanes->set_ != NULL)
        memset(lanes->set_, scalar->start != NULL, count);
    if (scalar->has_location)
        memset(lanes->rows_, 0xff, count * size); /* REAP__NO_ROW */
}

/* Initialises the rows of some leaves, of the last one `used` lanes. If there is a `start_row`, the
 * kernel's code copies it into whole rows. */
static void fill_leaves(const struct reap__host_scalar *scalar, struct reap__lanes *lanes,
                        size_t leaves, size_t used)
{
    const size_t size = scalar->reduction->value_size, last = (leaves - 1) * scalar->width;
    lanes->reap_start = scalar->start_row;
    if (scalar->start_row == NULL) {
        fill(scalar, lanes, leaves, used);
        return;
    }
    if (used < scalar->width)
        memcpy((unsigned char *)lanes->values_ + last * size, scalar->start_row, used * size);
    if (lanes->set_ != NULL)
        memset(lanes->set_, 1, last + used);
}

void reap__host_fill_lanes(const struct reap__host_run *run, const struct reap__lanes *lanes,
                           size_t rows, size_t used)
{
    for (size_t s = 0; s < run->scalar_count; s++)
        fill(&run->scalars[s], &lanes[s], rows, used);
}

void reap__host_fill(const struct reap__host_scalar *scalar, const struct reap__lanes *lanes,
                     size_t count)
{
    fill(scalar, lanes, 1, count);
}

static struct reap__results results_of(const struct reap__lanes *lanes)
{
    return (struct reap__results){.values = lanes->values_, .set = lanes->set_};
}

/* The lanes from lane `lane` on. */
static struct reap__lanes lanes_at(const struct reap__host_scalar *scalar,
                                   const struct reap__lanes *lanes, size_t lane)
{
    const size_t bytes = lane * scalar->reduction->value_size;
    const size_t beside = scalar->is_exact ? 0 : bytes;
    return (struct reap__lanes){
        .values_ = (unsigned char *)lanes->values_ + bytes,
        .set_ = lanes->set_ != NULL ? lanes->set_ + lane : NULL,
        .rows_ = lanes->rows_ != NULL ? (unsigned char *)lanes->rows_ + beside : NULL};
}

/* The node of a unit. */
static struct reap__results node_of(const struct reap__host_scalar *scalar, size_t unit)
{
    return reap__results_at(scalar->reduction, &scalar->nodes,
                            scalar->is_unordered ? unit : unit * scalar->width);
}

/* ---- Calls ------------------------------------------------------------------------------------*/

void reap__host_find_id(const reap_range *range, size_t item, size_t id[3])
{
    id[0] = id[1] = id[2] = 0;
    for (unsigned d = range->dimensions; d-- > 1;) {
        id[d] = item % range->size[d];
        item /= range->size[d];
    }
    id[0] = item;
}

static struct reap__items items_of(const struct reap__host_slot *slot,
                                   const struct reap__lanes *lanes)
{
    const struct reap__launch *command = slot->run->command;
    return (struct reap__items){.arguments_ = command->arguments,
                                .range_ = command->range,
                                .lanes_ = lanes,
                                .spans_ = slot->spans,
                                .group_ = &reap__host_no_group};
}

static void call_items(struct reap__host_run *run, struct reap__items *items, size_t first,
                       size_t count, size_t row)
{
    items->first_ = run->command->first + first;
    items->count_ = count;
    items->row_ = row;
    reap__host_find_id(items->range_, items->first_, items->id_);
    const int ran = (int)reap__host_items_for(run, items)(items);
    if (atomic_load_explicit(&run->ran, memory_order_relaxed) != ran)
        atomic_store_explicit(&run->ran, ran, memory_order_relaxed);
}

static void call(const struct reap__host_slot *slot, const struct reap__lanes *lanes, size_t first,
                 size_t count, size_t row)
{
    struct reap__items items = items_of(slot, lanes);
    call_items(slot->run, &items, first, count, row);
}

void reap__host_call(struct reap__host_run *run, struct reap__items items)
{
    items.arguments_ = run->command->arguments;
    items.range_ = run->command->range;
    items.group_ = &reap__host_no_group;
    call_items(run, &items, items.first_, items.count_, 0);
}

/* ---- Leaves -----------------------------------------------------------------------------------*/

/* Folds lanes with locations into the result of the unit, and initialises them. The next item would
 * be in row 0 of lane 0; its number is `end`. */
static void fold_located(struct reap__host_slot *slot, size_t s, size_t unit, size_t end)
{
    const struct reap__host_scalar *scalar = &slot->run->scalars[s];
    const size_t first = end - slot->rows[s] * scalar->width;
    reap__location_fold(scalar->reduction, &slot->lanes[s], scalar->width, first,
                        node_of(scalar, unit).values);
    fill(scalar, &slot->lanes[s], 1, scalar->width);
    slot->rows[s] = 0;
}

/* The number of further rows that the integers beside lanes with locations can represent. */
static size_t rows_left(const struct reap__host_slot *slot)
{
    size_t least = SIZE_MAX;
    for (size_t s = 0; s < slot->run->scalar_count; s++)
        if (slot->run->scalars[s].has_location)
            least = reap__least(least, reap__location_most_rows(slot->run->scalars[s].reduction) -
                                           slot->rows[s]);
    return least;
}

void reap__host_begin_sum(const struct reap__host_scalar *scalar, const struct reap__lanes *lanes,
                          void *sum)
{
    *(struct reap__exact_sink *)lanes->rows_ = reap__exact_sink_of(scalar->reduction, sum);
}

/* Adds the values of `items` items of a leaf to the sum of the unit. */
static void add_to_sum(struct reap__host_slot *slot, size_t s, size_t unit, size_t items,
                       const struct reap__ahead *ahead)
{
    const struct reap__host_scalar *scalar = &slot->run->scalars[s];
    reap__exact_add_ahead(scalar->reduction, (uint64_t *)(void *)node_of(scalar, unit).values,
                          slot->lanes[s].values_, items, ahead,
                          &slot->guesses[s % REAP__EXACT_GUESSES]);
}

/* Finds the elements that the next items probably read, since most kernels read element i of an
 * array for work-item i. While values are added to a sum, no load asks for them, so they are
 * prefetched: doubles from memory, on one thread of a Zen 4, took 0.45 ns an item instead of
 * 0.7. */
static struct reap__ahead find_ahead(const struct reap__host_run *run, size_t item)
{
    enum { MOST_BYTES = 64 };
    struct reap__ahead ahead = {.count = 0};
    for (size_t p = 1; p < run->kernel->parameter_count && ahead.count < REAP__MOST_STREAMS; p++) {
        const struct reap__parameter *parameter = &run->kernel->parameters[p];
        if (parameter->kind != REAP__IN || parameter->size > MOST_BYTES)
            continue;
        memcpy(&ahead.at[ahead.count], (const char *)run->command->arguments + parameter->offset,
               sizeof *ahead.at);
        ahead.at[ahead.count] += (run->command->first + item) * parameter->size;
        ahead.bytes[ahead.count++] = parameter->size;
    }
    return ahead;
}

/* Where the kernel reads other elements, prefetching costs as much as it saves elsewhere. So some
 * calls are timed, alternately without and with it, and the next ones do what was faster. */
static bool is_worth_fetching(struct reap__fetch_trial *trial)
{
    enum { CALLS = 16, ROUNDS = 8, PERIOD = 2048 };
    const unsigned call = trial->calls++ % PERIOD, round = call / CALLS;
    if (call % CALLS == 0 && round <= ROUNDS) {
        const uint64_t now = reap__now(), taken = now - trial->begin;
        uint64_t *const least = &trial->least[(round + 1) % 2];
        if (round == 0)
            trial->least[0] = trial->least[1] = UINT64_MAX;
        else if (taken < *least)
            *least = taken;
        trial->begin = now;
    }
    return round < ROUNDS ? round % 2 == 1 : trial->least[1] < trial->least[0];
}

static const struct reap__ahead no_ahead;

static void begin_unit(struct reap__host_slot *slot, size_t unit)
{
    const struct reap__host_run *run = slot->run;
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        slot->trees[s].count = 0;
        slot->rows[s] = 0;
        if (scalar->is_unordered)
            memcpy(node_of(scalar, unit).values, scalar->identity, scalar->reduction->result_size);
        if (scalar->is_exact)
            reap__host_begin_sum(scalar, &slot->lanes[s], node_of(scalar, unit).values);
        if (scalar->has_location)
            fill(scalar, &slot->lanes[s], 1, scalar->width);
    }
}

/* Combines the rows of the leaves of a call to a node of the unit's tree. The last row has `lanes`
 * lanes. */
static void add_leaves(const struct reap__host_slot *slot, size_t s, size_t leaves, size_t lanes)
{
    const struct reap__host_scalar *scalar = &slot->run->scalars[s];
    const struct reap__results rows = results_of(&slot->lanes[s]);
    reap__tree_add(&slot->trees[s], slot->run->call_log2, &rows,
                   reap__join(scalar->reduction, &rows, leaves, lanes));
}

static void end_unit(const struct reap__host_slot *slot, size_t unit, size_t s)
{
    size_t lanes;
    const struct reap__host_scalar *scalar = &slot->run->scalars[s];
    const struct reap__results node = node_of(scalar, unit);
    const struct reap__results root = reap__tree_finish(&slot->trees[s], &lanes);
    memcpy(node.values, root.values, scalar->width * scalar->reduction->result_size);
    if (node.set != NULL)
        memcpy(node.set, root.set, scalar->width);
}

static void run_call(struct reap__host_slot *slot, size_t unit, size_t first, size_t items)
{
    const struct reap__host_run *run = slot->run;
    const size_t leaf = (size_t)1 << run->leaf_log2, leaves = (items - 1) / leaf + 1;
    const size_t last = items - (leaves - 1) * leaf, used = reap__least(last, run->width);
    const size_t rows = (items - 1) / run->width + 1;
    if (rows > rows_left(slot) || run->has_exact) /* exact sums: a call begins with row 0 */
        for (size_t s = 0; s < run->scalar_count; s++)
            if (run->scalars[s].has_location)
                fold_located(slot, s, unit, first);
    for (size_t s = 0; s < run->scalar_count; s++)
        if (!run->scalars[s].is_unordered)
            fill_leaves(&run->scalars[s], &slot->lanes[s], leaves, used);
    size_t row = 0;
    for (size_t s = 0; s < run->scalar_count; s++)
        row = run->scalars[s].has_location ? slot->rows[s] : row;
    call(slot, slot->lanes, first, items, row);
    struct reap__ahead ahead = run->has_exact && is_worth_fetching(&slot->trial)
                                   ? find_ahead(run, first + items)
                                   : no_ahead;
    for (size_t s = 0; s < run->scalar_count; s++)
        if (run->scalars[s].has_location) {
            slot->rows[s] += rows;
        } else if (run->scalars[s].is_exact) {
            add_to_sum(slot, s, unit, items, &ahead);
            ahead.count = 0;
        } else {
            add_leaves(slot, s, leaves, used);
        }
}

/* The number of items of a call. If all reductions are exact sums, it need not be that of leaves.
 * One call stores the values, which are then read and added; at the same time the processor fetches
 * those of the next call, if they are few; but each call has a cost. (Doubles from memory, ns an
 * item, with calls of 512, 1024 and 2048 items: 16 threads of a Xeon 0.097, 0.078, 0.081; one
 * thread of a Zen 4 0.51, 0.60, 0.71.) */
static size_t items_of_a_call(const struct reap__host_run *run)
{
    enum { EXACT_BYTES = 8192, LEAST_ITEMS = REAP__MOST_LANES };
    size_t exact = 0, bytes = 0;
    for (size_t s = 0; s < run->scalar_count; s++) {
        exact += run->scalars[s].is_exact;
        bytes += run->scalars[s].reduction->value_size;
    }
    if (exact < run->scalar_count)
        return (size_t)1 << (run->call_log2 + (unsigned)run->leaf_log2);
    const size_t rows = EXACT_BYTES / LEAST_ITEMS / bytes;
    return rows > 1 ? rows * LEAST_ITEMS : LEAST_ITEMS;
}

/* Runs as many calls of eight complete leaves, or eight pairs of them, as there are; all reductions
 * are ordered. Returns the number of items. */
static size_t run_whole_calls(struct reap__host_slot *slot, size_t first, size_t items)
{
    struct reap__host_run *run = slot->run;
    const unsigned level = REAP__CALL_LEAVES_LOG2 + run->pairs_leaves;
    const size_t each = (size_t)1 << (level + (unsigned)run->leaf_log2);
    struct reap__items call = items_of(slot, slot->lanes);
    call.pairs_ = run->pairs_leaves;
    size_t done = 0;
    for (; done + each <= items; done += each) {
        for (size_t s = 0; s < run->scalar_count; s++)
            if (done == 0 || run->scalars[s].start_row == NULL)
                fill_leaves(&run->scalars[s], &slot->lanes[s], (size_t)1 << REAP__CALL_LEAVES_LOG2,
                            run->width);
        call_items(run, &call, first + done, each, 0);
        for (size_t s = 0; s < run->scalar_count; s++) {
            const struct reap__results rows = results_of(&slot->lanes[s]);
            reap__tree_add_eight(&slot->trees[s], level, &rows);
        }
    }
    return done;
}

static void run_leaves(struct reap__host_slot *slot, size_t unit, size_t first, size_t items)
{
    const struct reap__host_run *run = slot->run;
    const size_t most = items_of_a_call(run);
    begin_unit(slot, unit);
    size_t done = run->is_ordered && run->call_log2 == REAP__CALL_LEAVES_LOG2
                      ? run_whole_calls(slot, first, items)
                      : 0;
    for (size_t n; done < items; done += n) {
        n = reap__least(items - done, most);
        run_call(slot, unit, first + done, n);
    }
    for (size_t s = 0; s < run->scalar_count; s++)
        if (run->scalars[s].has_location)
            fold_located(slot, s, unit, (first + items - 1) / run->width * run->width + run->width);
        else if (!run->scalars[s].is_exact)
            end_unit(slot, unit, s);
}

/* ---- Reductions of several widths -------------------------------------------------------------*/

/* Ends a leaf of reduction s if the items before `end` complete one. */
static void end_leaf(struct reap__host_slot *slot, size_t unit, size_t s, size_t end)
{
    const struct reap__host_scalar *scalar = &slot->run->scalars[s];
    const size_t leaf = (size_t)1 << scalar->leaf_log2;
    const size_t items = (end - 1) % leaf + 1, lanes = reap__least(items, scalar->width);
    const struct reap__results row = results_of(&slot->lanes[s]);
    if (items < leaf && end < slot->run->command->items)
        return;
    if (scalar->has_location)
        reap__location_fold(scalar->reduction, &slot->lanes[s], lanes, end - items,
                            node_of(scalar, unit).values);
    else if (scalar->is_exact)
        add_to_sum(slot, s, unit, items, &no_ahead);
    else
        reap__tree_add(&slot->trees[s], 0, &row, lanes);
}

/* Runs a unit by rows of the narrowest reduction. The row of a location is counted from the begin
 * of its leaf. */
static void run_mixed(struct reap__host_slot *slot, size_t unit, size_t first, size_t items)
{
    const struct reap__host_run *run = slot->run;
    begin_unit(slot, unit);
    for (size_t at = first, n; at < first + items; at += n) {
        size_t row = 0;
        n = reap__least(first + items - at, run->width);
        for (size_t s = 0; s < run->scalar_count; s++) {
            const struct reap__host_scalar *scalar = &run->scalars[s];
            const size_t in_leaf = at & (((size_t)1 << scalar->leaf_log2) - 1);
            if (in_leaf == 0 && !scalar->is_exact)
                fill(scalar, &slot->lanes[s], 1, scalar->width);
            slot->part[s] = lanes_at(scalar, &slot->lanes[s], in_leaf & (scalar->width - 1));
            row = scalar->is_unordered ? in_leaf / scalar->width : row;
        }
        call(slot, slot->part, at, n, row);
        for (size_t s = 0; s < run->scalar_count; s++)
            end_leaf(slot, unit, s, at + n);
    }
    for (size_t s = 0; s < run->scalar_count; s++)
        if (!run->scalars[s].is_unordered)
            end_unit(slot, unit, s);
}

/* ---- Strips -----------------------------------------------------------------------------------*/

static void run_strip(struct reap__host_slot *slot, size_t leaf, size_t strip)
{
    const struct reap__host_run *run = slot->run;
    const struct reap__lanes *lanes = run->leaf_lanes + leaf * run->scalar_count;
    const size_t first = leaf << run->leaf_log2;
    const size_t items = reap__least(run->command->items - first, (size_t)1 << run->leaf_log2);
    const size_t used = reap__least(items, run->width);
    const size_t begin = strip * used / run->strips, end = (strip + 1) * used / run->strips;
    for (size_t s = 0; s < run->scalar_count; s++)
        slot->part[s] = lanes_at(&run->scalars[s], &lanes[s], begin);
    for (size_t row = 0; row * run->width + begin < items && begin < end; row++) {
        const size_t at = row * run->width + begin;
        call(slot, slot->part, first + at, reap__least(end - begin, items - at), row);
    }
}

void reap__host_begin_units(const struct reap__host_run *run)
{
    const size_t units = run->joints != NULL ? (run->grains - 1) / run->unit_grains + 1 : 0;
    for (size_t unit = 0; unit < units; unit++)
        atomic_init(&run->joints[unit].reached, false);
    const size_t leaf = (size_t)1 << run->leaf_log2;
    for (size_t l = 0; run->strips > 1 && l < run->grains; l++) {
        const size_t items = reap__least(run->command->items - l * leaf, leaf);
        reap__host_fill_lanes(run, run->leaf_lanes + l * run->scalar_count, 1,
                              reap__least(items, run->width));
    }
}

/* ---- Nodes of units ---------------------------------------------------------------------------*/

/* The first item of the last unit. The nodes of the units before it have all lanes. */
static size_t first_of_last(const struct reap__host_run *run)
{
    return (run->units - 1) * run->unit_grains << run->leaf_log2;
}

/* Combines the nodes that begin at units `left` and `right`, into that at `left`. */
static void join_nodes(const struct reap__host_run *run, size_t left, size_t right)
{
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        const struct reap__results into = node_of(scalar, left), from = node_of(scalar, right);
        const size_t lanes =
            scalar->is_unordered ? 1
            : right + 1 < run->units
                ? scalar->width
                : reap__least(run->command->items - first_of_last(run), scalar->width);
        reap__combine(scalar->reduction, &into, &from, lanes);
    }
}

/* Called when the node of a unit is complete. The second thread to reach a joint combines its two
 * nodes: so no thread waits, and not one thread combines all nodes, but each where they were
 * computed. */
static void climb(const struct reap__host_run *run, size_t unit)
{
    for (size_t stride = 1; stride < run->units; stride *= 2) {
        const size_t left = unit & ~(2 * stride - 1), right = left + stride;
        if (right >= run->units)
            continue;
        reap__tsan_note_release(&run->joints[right].reached);
        if (!atomic_exchange_explicit(&run->joints[right].reached, true, memory_order_acq_rel))
            return;
        reap__tsan_note_acquire(&run->joints[right].reached);
        join_nodes(run, left, right);
        unit = left;
    }
}

/* ---- Units ------------------------------------------------------------------------------------*/

void reap__host_run_unit(struct reap__host_slot *slot, size_t unit)
{
    const struct reap__host_run *run = slot->run;
    if (run->strips > 1) {
        run_strip(slot, unit / run->strips, unit % run->strips);
        return;
    }
    const size_t begin = run->first_grain + unit * run->unit_grains;
    const size_t end = reap__least(begin + run->unit_grains, run->batch_end);
    if (reap__has_groups(run->kernel)) {
        for (size_t group = begin; group < end; group++)
            reap__host_run_group(slot, group);
        return;
    }
    const size_t first = begin << run->leaf_log2;
    const size_t items = reap__least(end << run->leaf_log2, run->command->items) - first;
    if (run->scalar_count == 0)
        call(slot, NULL, first, items, 0);
    else if (run->is_uniform)
        run_leaves(slot, unit, first, items);
    else
        run_mixed(slot, unit, first, items);
    if (run->joints != NULL)
        climb(run, unit);
}

/* Combines `nodes` nodes of the shape, of which the last has `items` items, and folds the root to
 * the result. */
static void fold_nodes(const struct reap__host_scalar *scalar, size_t nodes, size_t items)
{
    const size_t last = reap__least(items, scalar->width);
    const size_t lanes =
        nodes > 1 ? reap__join(scalar->reduction, &scalar->nodes, nodes, last) : last;
    if (scalar->target->delivery != NULL)
        return; /* the lanes are delivered */
    reap__fold_by_halving(scalar->reduction, &scalar->nodes, lanes, scalar->width);
}

/* Strips: folds the lanes with locations of all leaves into the result. */
static void fold_located_leaves(const struct reap__host_run *run, size_t s)
{
    const struct reap__host_scalar *scalar = &run->scalars[s];
    memcpy(scalar->nodes.values, scalar->identity, scalar->reduction->result_size);
    for (size_t leaf = 0; leaf < run->grains; leaf++) {
        const struct reap__lanes *lanes = &run->leaf_lanes[leaf * run->scalar_count + s];
        const size_t first = leaf << run->leaf_log2;
        reap__location_fold(scalar->reduction, lanes,
                            reap__least(run->command->items - first, scalar->width), first,
                            scalar->nodes.values);
    }
}

void reap__host_end_units(const struct reap__host_run *run)
{
    const bool are_combined = run->joints != NULL; /* by climb */
    const size_t nodes = run->strips > 1 ? run->grains : are_combined ? 1 : run->units;
    const size_t before = (nodes - 1) * run->unit_grains << run->leaf_log2;
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        if (!scalar->is_unordered) {
            fold_nodes(scalar, nodes, run->command->items - before);
        } else if (run->strips > 1) {
            fold_located_leaves(run, s);
        } else {
            for (size_t unit = 1; unit < nodes; unit++) {
                const struct reap__results from = node_of(scalar, unit);
                reap__combine(scalar->reduction, &scalar->nodes, &from, 1);
            }
        }
    }
}

void reap__host_run_leaf(struct reap__host_slot *slot,
                         const struct reap__operator_functions *functions)
{
    const struct reap__host_scalar *scalar = slot->run->scalars;
    const size_t items = slot->run->command->items;
    fill_leaves(scalar, slot->lanes, 1, reap__least(items, REAP__MOST_LANES));
    call(slot, slot->lanes, 0, items, 0);
    if (items >= REAP__MOST_LANES)
        (functions->fold)(scalar->nodes.values);
    else
        reap__fold_by_halving(scalar->reduction, &scalar->nodes, items, REAP__MOST_LANES);
}

void reap__host_run_single_call(struct reap__host_slot *slot)
{
    const struct reap__host_run *run = slot->run;
    const size_t items = run->command->items;
    const size_t before = (run->grains - 1) << run->leaf_log2;
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        if (scalar->is_unordered)
            memcpy(scalar->nodes.values, scalar->identity, scalar->reduction->result_size);
        if (scalar->is_exact)
            reap__host_begin_sum(scalar, &slot->lanes[s], scalar->nodes.values);
        else
            fill_leaves(scalar, &slot->lanes[s], run->grains,
                        reap__least(items - before, run->width));
    }
    call(slot, slot->lanes, 0, items, 0);
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        if (scalar->is_exact)
            add_to_sum(slot, s, 0, items, &no_ahead);
        else if (scalar->has_location)
            reap__location_fold(scalar->reduction, &slot->lanes[s],
                                reap__least(items, scalar->width), 0, scalar->nodes.values);
        else
            fold_nodes(scalar, run->grains, items - before);
    }
}
