/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of columns. Each has the reduction shape (docs/reduction-shape.md) of its items: item
 * i of a column is in row i of the range. The columns are divided into strips. Lane l of all
 * columns of a strip is contiguous in memory: a call of the kernel's code runs some rows of the
 * strip, into the lanes that belong to them. So the elements of vectors are columns, and lanes,
 * leaves and nodes combine as in one column, for many columns at a time. A strip has at most as
 * many columns as the narrowest reduction has lanes, and its rows of lanes are that many elements
 * apart. If the range is narrow, they are not padded, and several of them are one row of lanes to
 * the kernel's code.
 *
 * A unit is a strip; or, if there are few strips, a segment of a strip: an aligned power of two of
 * leaves. The nodes of segments are combined at the end.
 *
 * For exact sums a call runs one item, since the kernel's code adds the second value that an item
 * combines to one sum for all items of a call.
 */
#include "src/host/columns.h"

#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/host/lines.h"
#include "src/reduction/exact.h"
#include "src/reduction/operators.h"

#include <string.h>

enum {
    UNITS_PER_THREAD = 8,
    ENOUGH_STRIPS = 4, /* for each thread: then strips are not divided into segments */
    NARROW = 4,        /* the most columns of a narrow range */
    MOST_NODES = 64    /* of a scalar, whose siblings are not complete */
};

/* One scalar of a slot: complete nodes whose siblings are not, each on a lower level than the one
 * before it, and after them the current leaf. Element l * apart + c of a node is lane l of column c
 * of the strip. An exact sum has one node, with a sum for each column. */
struct nodes {
    struct reap__results memory; /* of all nodes, one after the other */
    struct node {
        size_t lanes; /* how many have items */
        unsigned level;
    } list[MOST_NODES];
    size_t count;
    void *value;                  /* exact sums: the first value of an item, */
    struct reap__exact_sink sink; /* and the sink of its further values */
    void *temporary;              /* memory for a result */
};

/* The part of the range that belongs to a unit. */
struct part {
    size_t first_column, width;
    size_t begin, end; /* rows */
};

/* The plan, which slots share. */
struct reap__host_columns {
    struct reap__host_run run; /* a plan, for its scalars */
    struct reap__launch command;
    size_t columns; /* of a strip */
    size_t apart;   /* elements between two lanes of a column */
    bool is_packed; /* several rows are one row of lanes to the kernel's code */
    size_t strips;
    size_t segments;
    size_t segment_rows;
    size_t rows_of_call;         /* rows of the range that a call runs */
    size_t most_nodes;           /* of a scalar of a slot, with the leaf */
    struct reap__results *nodes; /* for each scalar the nodes of units, if there are segments */
};

struct slot {
    struct nodes *scalars;
    struct reap__lanes *lanes; /* of a call */
};

/* ---- Plans ------------------------------------------------------------------------------------*/

/* Decides the columns of a strip, and the rows of a call: its items are in one row of lanes of each
 * scalar. */
static void plan_strips(struct reap__host_columns *columns, const struct reap__lines *lines)
{
    const size_t width = columns->run.width;
    const bool is_narrow = lines->count <= NARROW && lines->count <= width;
    columns->columns = reap__least(width, lines->count);
    columns->strips = (lines->count - 1) / columns->columns + 1;
    columns->is_packed = is_narrow;
    columns->apart = is_narrow ? lines->count : width;
    columns->rows_of_call = is_narrow ? width / lines->count : width;
}

static int smallest_leaf_log2(const struct reap__host_columns *columns)
{
    int least = columns->run.leaf_log2;
    for (size_t s = 0; s < columns->run.scalar_count; s++)
        if (columns->run.scalars[s].leaf_log2 < least)
            least = columns->run.scalars[s].leaf_log2;
    return least;
}

/* Decides the segments, each a power of two of leaves. */
static void plan_segments(struct reap__host_columns *columns, size_t rows, size_t threads)
{
    const size_t leaf = (size_t)1 << columns->run.leaf_log2;
    columns->segment_rows = leaf;
    while (columns->segment_rows < rows &&
           (threads <= 1 || columns->strips >= ENOUGH_STRIPS * threads ||
            (rows - 1) / columns->segment_rows * columns->strips >= UNITS_PER_THREAD * threads))
        columns->segment_rows *= 2;
    columns->segments = (rows - 1) / columns->segment_rows + 1;
    columns->most_nodes = 2;
    for (size_t nodes = columns->segment_rows >> smallest_leaf_log2(columns); nodes > 1; nodes /= 2)
        columns->most_nodes++;
}

/* The number of results in `lanes` lanes of a node. */
static size_t elements(const struct reap__host_columns *columns,
                       const struct reap__host_scalar *scalar, size_t lanes)
{
    return scalar->is_exact ? columns->columns : lanes * columns->apart;
}

static size_t node_elements(const struct reap__host_columns *columns, size_t s)
{
    return elements(columns, &columns->run.scalars[s], columns->run.scalars[s].width);
}

static struct reap__results take(const struct reap__host_scalar *scalar,
                                 struct reap__scratch *scratch, size_t count)
{
    return (struct reap__results){
        reap__scratch_take(scratch, count, scalar->reduction->result_size),
        scalar->has_flags ? reap__scratch_take(scratch, count, 1) : NULL};
}

static reap_status take_nodes(struct reap__host_columns *columns, struct reap__scratch *scratch)
{
    const size_t scalars = columns->run.scalar_count, units = columns->strips * columns->segments;
    columns->nodes = reap__scratch_take(scratch, scalars, sizeof *columns->nodes);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t s = 0; s < scalars && columns->segments > 1; s++) {
        const size_t count = node_elements(columns, s);
        columns->nodes[s] = take(&columns->run.scalars[s], scratch, units * count);
    }
    return reap__scratch_check(scratch);
}

/* The scalars come from the plan of a launch of one item: they do not depend on the number. */
reap_status reap__host_plan_columns(struct reap__host_run *run, size_t threads,
                                    struct reap__scratch *scratch)
{
    const struct reap__lines *lines = &run->command->lines;
    struct reap__host_columns *columns = reap__scratch_take(scratch, 1, sizeof *columns);
    REAP_TRY(reap__scratch_check(scratch));
    columns->command = *run->command;
    columns->command.has_lines = false;
    columns->command.items = 1;
    columns->run = *run;
    columns->run.command = &columns->command;
    columns->run.has_lines = false;
    REAP_TRY(reap__host_plan(&columns->run, 1, scratch));
    columns->command.items = run->command->items;
    plan_strips(columns, lines);
    plan_segments(columns, lines->items, threads);
    run->columns = columns;
    run->grains = columns->strips * columns->segments;
    run->unit_grains = 1;
    return take_nodes(columns, scratch);
}

static void take_scalar(const struct reap__host_columns *columns, size_t s, struct nodes *nodes,
                        struct reap__scratch *scratch)
{
    const struct reap__host_scalar *scalar = &columns->run.scalars[s];
    const size_t most = scalar->is_exact ? 1 : columns->most_nodes;
    nodes->count = 0;
    nodes->memory = take(scalar, scratch, most * node_elements(columns, s));
    nodes->value = reap__scratch_take(scratch, 1, scalar->reduction->value_size);
    nodes->temporary = reap__scratch_take(scratch, 1, scalar->reduction->result_size);
}

static reap_status take_slot(const struct reap__host_columns *columns, struct slot **slot,
                             struct reap__scratch *scratch)
{
    const size_t scalars = columns->run.scalar_count;
    *slot = reap__scratch_take(scratch, 1, sizeof **slot);
    REAP_TRY(reap__scratch_check(scratch));
    (*slot)->scalars = reap__scratch_take(scratch, scalars, sizeof *(*slot)->scalars);
    (*slot)->lanes = reap__scratch_take(scratch, scalars, sizeof *(*slot)->lanes);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t s = 0; s < scalars; s++)
        take_scalar(columns, s, &(*slot)->scalars[s], scratch);
    return reap__scratch_check(scratch);
}

reap_status reap__host_take_columns(struct reap__host_run *run, struct reap__scratch *scratch)
{
    for (size_t i = 0; i < run->slot_count; i++) {
        struct slot *slot = NULL;
        REAP_TRY(take_slot(run->columns, &slot, scratch));
        run->slots[i].lines = slot;
    }
    return REAP_OK;
}

/* ---- Nodes ------------------------------------------------------------------------------------*/

static struct reap__results node_at(const struct reap__host_columns *columns, size_t s,
                                    const struct nodes *nodes, size_t node)
{
    return reap__results_at(columns->run.scalars[s].reduction, &nodes->memory,
                            node * node_elements(columns, s));
}

/* Combines the last node with the one before it. */
static void join_last(const struct reap__host_columns *columns, size_t s, struct nodes *nodes)
{
    const size_t last = --nodes->count;
    const struct reap__host_scalar *scalar = &columns->run.scalars[s];
    const struct reap__results into = node_at(columns, s, nodes, last - 1);
    const struct reap__results from = node_at(columns, s, nodes, last);
    reap__combine(scalar->reduction, &into, &from,
                  elements(columns, scalar, nodes->list[last].lanes));
    nodes->list[last - 1].level++;
}

/* Begins a leaf, whose first row is `row`. All its elements are initialised, even those after the
 * strip's last column. */
static void begin_leaf(const struct reap__host_columns *columns, size_t s, struct nodes *nodes,
                       const struct part *part, size_t row)
{
    const struct reap__host_scalar *scalar = &columns->run.scalars[s];
    const struct reap__results leaf = node_at(columns, s, nodes, nodes->count);
    const struct reap__lanes lanes = {.values_ = leaf.values, .set_ = leaf.set};
    const size_t used = reap__least(part->end - row, scalar->width);
    reap__host_fill(scalar, &lanes, elements(columns, scalar, used));
    nodes->list[nodes->count] = (struct node){.lanes = used};
}

static void end_leaf(const struct reap__host_columns *columns, size_t s, struct nodes *nodes)
{
    nodes->count++;
    while (nodes->count > 1 &&
           nodes->list[nodes->count - 2].level == nodes->list[nodes->count - 1].level)
        join_last(columns, s, nodes);
}

/* ---- Results ----------------------------------------------------------------------------------*/

/* Folds the lanes of a root by halving, for all columns at a time, and stores the results. */
static void store_root(const struct reap__host_run *run, size_t s, const struct part *part,
                       const struct reap__results *root, size_t lanes, void *temporary)
{
    const struct reap__host_scalar *scalar = &run->columns->run.scalars[s];
    const size_t apart = run->columns->apart;
    for (size_t half = scalar->is_exact ? 0 : scalar->width / 2; half > 0; half /= 2) {
        const size_t pairs = reap__fold_pairs(lanes, half);
        const struct reap__results from = reap__results_at(scalar->reduction, root, half * apart);
        if (pairs > 0)
            reap__combine(scalar->reduction, root, &from, pairs * apart);
    }
    reap__host_store_lines(run, s, part->first_column, part->width, root, temporary);
}

static struct reap__results unit_node(const struct reap__host_columns *columns, size_t s,
                                      size_t unit)
{
    return reap__results_at(columns->run.scalars[s].reduction, &columns->nodes[s],
                            unit * node_elements(columns, s));
}

static void end_unit(const struct reap__host_run *run, size_t s, const struct part *part,
                     struct nodes *nodes, size_t unit)
{
    const struct reap__host_scalar *scalar = &run->columns->run.scalars[s];
    while (nodes->count > 1)
        join_last(run->columns, s, nodes);
    const size_t lanes = scalar->is_exact ? 1 : nodes->list[0].lanes;
    if (run->columns->segments == 1) {
        store_root(run, s, part, &nodes->memory, lanes, nodes->temporary);
        return;
    }
    const size_t count = elements(run->columns, scalar, lanes);
    const struct reap__results node = unit_node(run->columns, s, unit);
    memcpy(node.values, nodes->memory.values, count * scalar->reduction->result_size);
    if (node.set != NULL)
        memcpy(node.set, nodes->memory.set, count);
}

/* ---- Units ------------------------------------------------------------------------------------*/

static struct part part_of(const struct reap__host_run *run, size_t unit)
{
    const struct reap__host_columns *columns = run->columns;
    const struct reap__lines *lines = &run->command->lines;
    const size_t strip = unit / columns->segments, segment = unit % columns->segments;
    const size_t first = strip * columns->columns, begin = segment * columns->segment_rows;
    return (struct part){.first_column = first,
                         .width = reap__least(columns->columns, lines->count - first),
                         .begin = begin,
                         .end = begin + reap__least(columns->segment_rows, lines->items - begin)};
}

/* Before row `row`: begins leaves, and finds the lanes of the row. */
static void begin_row(const struct reap__host_columns *columns, const struct slot *slot,
                      const struct part *part, size_t row)
{
    for (size_t s = 0; s < columns->run.scalar_count; s++) {
        const struct reap__host_scalar *scalar = &columns->run.scalars[s];
        struct nodes *nodes = &slot->scalars[s];
        if (scalar->is_exact)
            continue;
        if ((row & (((size_t)1 << scalar->leaf_log2) - 1)) == 0)
            begin_leaf(columns, s, nodes, part, row);
        const struct reap__results leaf = node_at(columns, s, nodes, nodes->count);
        const size_t lane = row % scalar->width * columns->apart;
        const struct reap__results at = reap__results_at(scalar->reduction, &leaf, lane);
        slot->lanes[s] = (struct reap__lanes){.values_ = at.values, .set_ = at.set};
    }
}

/* Before row `row`: ends the leaves that are complete. */
static void end_row(const struct reap__host_columns *columns, const struct slot *slot,
                    const struct part *part, size_t row)
{
    for (size_t s = 0; s < columns->run.scalar_count; s++) {
        const struct reap__host_scalar *scalar = &columns->run.scalars[s];
        const size_t leaf = (size_t)1 << scalar->leaf_log2;
        if (!scalar->is_exact && ((row & (leaf - 1)) == 0 || row == part->end))
            end_leaf(columns, s, &slot->scalars[s]);
    }
}

/* Finds the lanes of an item of a row; for an exact sum its first value, and its column's sum,
 * which receives further ones. */
static void begin_item(const struct reap__host_columns *columns, const struct slot *slot,
                       size_t column)
{
    for (size_t s = 0; s < columns->run.scalar_count; s++) {
        const struct reap__host_scalar *scalar = &columns->run.scalars[s];
        const struct reap__reduction *reduction = scalar->reduction;
        struct nodes *nodes = &slot->scalars[s];
        if (!scalar->is_exact) {
            const struct reap__results row = {slot->lanes[s].values_, slot->lanes[s].set_};
            const struct reap__results next = reap__results_at(reduction, &row, column > 0);
            slot->lanes[s] = (struct reap__lanes){.values_ = next.values, .set_ = next.set};
            continue;
        }
        slot->lanes[s] = (struct reap__lanes){.values_ = nodes->value, .rows_ = &nodes->sink};
        memcpy(nodes->value, reap__exact_start(reduction), reduction->value_size);
        reap__host_begin_sum(scalar, &slot->lanes[s],
                             reap__results_at(reduction, &nodes->memory, column).values);
    }
}

static void end_item(const struct reap__host_columns *columns, const struct slot *slot,
                     size_t column)
{
    for (size_t s = 0; s < columns->run.scalar_count; s++) {
        const struct reap__host_scalar *scalar = &columns->run.scalars[s];
        const struct nodes *nodes = &slot->scalars[s];
        if (scalar->is_exact)
            reap__exact_add(
                scalar->reduction,
                (uint64_t *)(void *)reap__results_at(scalar->reduction, &nodes->memory, column)
                    .values,
                nodes->value, 1);
    }
}

/* Runs the items of `rows` rows of a strip: with one call, or if there are exact sums, one for each
 * item. */
static void run_items(struct reap__host_run *run, const struct slot *slot, const struct part *part,
                      size_t row, size_t rows)
{
    const struct reap__host_columns *columns = run->columns;
    const size_t count = run->command->lines.count, first = row * count + part->first_column;
    if (!columns->run.has_exact) {
        reap__host_call(run, (struct reap__items){.lanes_ = slot->lanes,
                                                  .first_ = first,
                                                  .count_ = rows * part->width,
                                                  .leaf_ = columns->is_packed ? 0 : part->width,
                                                  .skip_ = count - part->width});
        return;
    }
    for (size_t c = 0; c < part->width; c++) {
        begin_item(columns, slot, c);
        reap__host_call(
            run, (struct reap__items){.lanes_ = slot->lanes, .first_ = first + c, .count_ = 1});
        end_item(columns, slot, c);
    }
}

/* The number of rows of a call from `row` on: their lanes are consecutive. */
static size_t rows_from(const struct reap__host_columns *columns, const struct part *part,
                        size_t row)
{
    const size_t width = columns->run.width,
                 most = columns->run.has_exact ? 1 : columns->rows_of_call;
    return reap__least(reap__least(most, width - row % width), part->end - row);
}

void reap__host_run_columns(struct reap__host_slot *host_slot, size_t unit)
{
    struct reap__host_run *run = host_slot->run;
    const struct reap__host_columns *columns = run->columns;
    const struct slot *slot = host_slot->lines;
    const struct part part = part_of(run, unit);
    for (size_t s = 0; s < columns->run.scalar_count; s++) {
        slot->scalars[s].count = 0;
        if (columns->run.scalars[s].is_exact)
            memset(slot->scalars[s].memory.values, 0,
                   part.width * columns->run.scalars[s].reduction->result_size);
    }
    for (size_t row = part.begin, rows; row < part.end; row += rows) {
        rows = rows_from(columns, &part, row);
        begin_row(columns, slot, &part, row);
        run_items(run, slot, &part, row, rows);
        end_row(columns, slot, &part, row + rows);
    }
    for (size_t s = 0; s < columns->run.scalar_count; s++)
        end_unit(run, s, &part, &slot->scalars[s], unit);
}

/* Combines the nodes of a strip's segments and stores the results. The last node may be a leaf
 * without items in some lanes. */
static void join_segments(const struct reap__host_run *run, size_t s, size_t strip, void *temporary)
{
    const struct reap__host_columns *columns = run->columns;
    const struct reap__host_scalar *scalar = &columns->run.scalars[s];
    const size_t first = strip * columns->segments, segments = columns->segments;
    const struct part whole = part_of(run, first), last = part_of(run, first + segments - 1);
    for (size_t apart = 1; apart < segments; apart *= 2)
        for (size_t n = 0; n + apart < segments; n += 2 * apart) {
            const struct reap__results into = unit_node(columns, s, first + n);
            const struct reap__results from = unit_node(columns, s, first + n + apart);
            const size_t lanes = n + apart + 1 < segments
                                     ? scalar->width
                                     : reap__least(last.end - last.begin, scalar->width);
            reap__combine(scalar->reduction, &into, &from, elements(columns, scalar, lanes));
        }
    const struct reap__results root = unit_node(columns, s, first);
    store_root(run, s, &whole, &root, scalar->width, temporary);
}

void reap__host_end_columns(const struct reap__host_run *run)
{
    const struct slot *slot = run->slots[0].lines;
    for (size_t strip = 0; strip < run->columns->strips && run->columns->segments > 1; strip++)
        for (size_t s = 0; s < run->columns->run.scalar_count; s++)
            join_segments(run, s, strip, slot->scalars[s].temporary);
}
