/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns, in the reduction shape of the items of each (docs/reduction-shape.md): item i of a
 * column is in row i of the range. Lane l of all columns of a strip lies side by side: a call of
 * the kernel's code runs some rows of the strip into the lanes that their numbers say. So vectors
 * are of columns, and lanes, leaves and nodes combine as in one column, many columns at a time. A
 * strip has as many columns as a reduction has lanes, at most, and its rows of lanes lie so far
 * apart; where a range is narrow, they lie one after the other, and several are one row of lanes to
 * the kernel's code.
 *
 * A unit is a strip; where there are few of them, a segment of a strip, which is an aligned power
 * of two of leaves, whose nodes combine in the end.
 *
 * Exact sums receive an item at a time, since the kernel's code adds the second value that an item
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
    ENOUGH_STRIPS = 4, /* for each thread: then none is cut into segments */
    NARROW = 4,        /* columns of a range that is */
    MOST_NODES = 64    /* that wait for their siblings */
};

/* One scalar of a slot: nodes that wait for their siblings, each on a level below its left
 * neighbour's, and after them the leaf at hand. Element l * apart + c of a node is lane l of column
 * c of the strip. Of exact sums there is one node, with a sum for each column. */
struct nodes {
    struct reap__results memory; /* of all of them, one after the other */
    struct node {
        size_t lanes; /* that have items */
        unsigned level;
    } list[MOST_NODES];
    size_t count;
    void *value;                  /* exact sums: that of an item, */
    struct reap__exact_sink sink; /* and what receives its further values */
    void *temporary;              /* a result */
};

/* The part of the range that a unit is. */
struct part {
    size_t first_column, width;
    size_t begin, end; /* rows */
};

/* What slots share. */
struct reap__host_columns {
    struct reap__host_run run; /* its scalars */
    struct reap__launch command;
    size_t columns; /* of a strip */
    size_t apart;   /* elements from a lane of a column to the next one */
    bool is_packed; /* several rows are one row of lanes to the kernel's code */
    size_t strips;
    size_t segments;
    size_t segment_rows;
    size_t rows_of_call;         /* rows of the range that a call runs */
    size_t most_nodes;           /* that wait, and the leaf */
    struct reap__results *nodes; /* of each scalar: those of units, if there are segments */
};

struct slot {
    struct nodes *scalars;
    struct reap__lanes *lanes; /* of a call */
};

/* ---- Plans ------------------------------------------------------------------------------------*/

/* The columns of a strip. The items of a call are of one row of lanes of each scalar. */
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

/* Segments of a power of two of leaves. */
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

/* The results of so many lanes of a node. */
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

/* The plan of one item has the scalars as they are for any. */
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

/* The last of the nodes combines with that on its left. */
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

/* Row `row` is the first of a leaf. All of its elements begin, whether there are columns or not. */
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

/* The lanes of a root fold by halving, those of all columns together. */
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

/* Before row `row`: leaves begin, and where its lanes are. */
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

/* After the rows before `row`. */
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

/* Where the lanes of the next item of a row are: of exact sums, a value, and the column's sum,
 * which receives more. */
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

/* The items of so many rows of a strip: a call, or with exact sums one for each. */
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

/* How many rows a call runs: their lanes follow each other. */
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

/* The nodes of a strip's segments, of which the last may be a leaf without items in all lanes. */
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
