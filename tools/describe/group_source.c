/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of a table by groups. The rows of a block are sorted by group once; the values of a series
 * are collected when it is selected, in memory that the next selection overwrites.
 */
#include "tools/describe/group_source.h"

#include "tools/describe/table_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A thread's scratch memory. */
struct scratch {
    void *table; /* the table source's */
    size_t row_capacity;
    size_t *groups, *order; /* of each row: its group; the rows, sorted by group */
    size_t *starts;         /* the begin of each group in `order`, and the end of the last one */
    size_t column;          /* the column selected last; SIZE_MAX: none in this block */
    size_t *numbers;        /* of that column: the number of values before each row */
    uint64_t *values;       /* the selected ones */
    uint64_t *missing;      /* the bits of missing values and of rows of other groups */
};

static const struct cli_group_source *source_of(const struct cli_block_source *source)
{
    return source->data;
}

static void free_scratch(void *of)
{
    struct scratch *scratch = of;
    if (scratch == NULL)
        return;
    if (scratch->table != NULL)
        cli_table_source_free_scratch(scratch->table);
    free(scratch->groups);
    free(scratch->order);
    free(scratch->starts);
    free(scratch->numbers);
    free(scratch->values);
    free(scratch->missing);
    free(scratch);
}

static void *make_scratch(const struct cli_block_source *source)
{
    const struct cli_group_source *group_source = source_of(source);
    struct scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL)
        return NULL;
    scratch->table = group_source->table.make_scratch(&group_source->table);
    scratch->starts = calloc(group_source->keys->count + 1, sizeof *scratch->starts);
    if (scratch->table != NULL && scratch->starts != NULL)
        return scratch;
    free_scratch(scratch);
    return NULL;
}

static bool grow(struct scratch *scratch, size_t rows)
{
    if (rows <= scratch->row_capacity)
        return true;
    free(scratch->groups);
    free(scratch->order);
    free(scratch->numbers);
    free(scratch->values);
    free(scratch->missing);
    scratch->row_capacity = rows;
    scratch->groups = calloc(rows, sizeof *scratch->groups);
    scratch->order = calloc(rows, sizeof *scratch->order);
    scratch->numbers = calloc(rows, sizeof *scratch->numbers);
    scratch->values = calloc(rows, sizeof *scratch->values);
    scratch->missing = calloc((rows + 63) / 64, sizeof *scratch->missing);
    if (scratch->groups != NULL && scratch->order != NULL && scratch->numbers != NULL &&
        scratch->values != NULL && scratch->missing != NULL)
        return true;
    scratch->row_capacity = 0;
    return false;
}

/* ---- Blocks -----------------------------------------------------------------------------------*/

/* The block of the table source, with its scratch memory. */
static struct cli_block inner(const struct cli_block *block)
{
    const struct scratch *scratch = block->scratch;
    struct cli_block table = *block;
    table.scratch = scratch->table;
    return table;
}

static void take_over(struct cli_block *block, const struct cli_block *table)
{
    void *scratch = block->scratch;
    const size_t series_count = block->series_count;
    *block = *table;
    block->scratch = scratch;
    block->series_count = series_count;
}

static enum cli_next take(struct cli_block_source *source, struct cli_block *block,
                          struct cli_failure *failure)
{
    struct cli_group_source *group_source = source->data;
    struct cli_block table = inner(block);
    const enum cli_next next = group_source->table.take(&group_source->table, &table, failure);
    take_over(block, &table);
    return next;
}

/* Sorts the rows by group, with a counting sort. Returns false for an unknown key: the file has
 * changed. */
static bool sort_rows(const struct cli_group_source *source, struct scratch *scratch,
                      const struct cli_csv_block *block)
{
    const size_t groups = source->keys->count;
    memset(scratch->starts, 0, (groups + 1) * sizeof *scratch->starts);
    for (size_t r = 0; r < block->rows; r++) {
        scratch->groups[r] = cli_keys_find(source->keys, &block->texts[0][r], source->quote);
        if (scratch->groups[r] == SIZE_MAX)
            return false;
        scratch->starts[scratch->groups[r]]++;
    }
    size_t rows = 0;
    for (size_t g = 0; g <= groups; g++) {
        rows += scratch->starts[g];
        scratch->starts[g] = rows; /* first the end of the group, and finally its begin */
    }
    for (size_t r = block->rows; r-- > 0;)
        scratch->order[--scratch->starts[scratch->groups[r]]] = r;
    return true;
}

static bool load(const struct cli_block_source *source, struct cli_block *block,
                 struct cli_failure *failure)
{
    const struct cli_group_source *group_source = source_of(source);
    struct scratch *scratch = block->scratch;
    struct cli_block table = inner(block);
    const bool is_loaded = group_source->table.load(&group_source->table, &table, failure);
    take_over(block, &table);
    scratch->column = SIZE_MAX;
    if (!is_loaded)
        return false;
    const struct cli_csv_block *text = cli_table_source_block(scratch->table);
    if (!grow(scratch, text->rows))
        return cli_fail(failure, "%s", strerror(ENOMEM));
    return sort_rows(group_source, scratch, text) ||
           cli_fail(failure, "the file changed while it was read");
}

/* ---- Values -----------------------------------------------------------------------------------*/

static bool has_bit(const uint64_t *bits, size_t row)
{
    return (bits[row / 64] >> row % 64 & 1) != 0;
}

/* Counts an odd cell of the group. Of the block's odd cells only the first one's text is known, and
 * whether all would be numbers with the other decimal mark. */
static void add_odd(struct cli_csv_odd *odd, const struct cli_csv_odd *first, size_t row)
{
    odd->other_decimal_count += first->other_decimal_count == first->count;
    if (odd->count++ > 0)
        return;
    odd->row = row;
    if (row == first->row)
        memcpy(odd->text, first->text, sizeof odd->text);
}

/* The number of values before each row of a column, computed once for all groups, since there may
 * be as many groups as rows. */
static void number_values(struct scratch *scratch, const struct cli_values *column, size_t rows)
{
    size_t number = 0;
    for (size_t row = 0; row < rows; row++) {
        scratch->numbers[row] = number;
        number += !has_bit(column->missing, row);
    }
}

/* Collects the values of a group. */
static void collect(struct scratch *scratch, const struct cli_values *column, size_t first,
                    size_t end, struct cli_values *values)
{
    const uint64_t *from = column->elements;
    for (size_t i = first; i < end; i++) {
        const size_t row = scratch->order[i];
        if (!has_bit(column->missing, row)) {
            scratch->values[values->count++] = from[scratch->numbers[row]];
            scratch->missing[row / 64] &= ~((uint64_t)1 << row % 64);
        } else if (column->odd_bits != NULL && has_bit(column->odd_bits, row)) {
            add_odd(&values->odd, &column->odd, row);
        }
    }
}

static void select_values(const struct cli_block_source *source, const struct cli_block *block,
                          size_t series, struct cli_values *values)
{
    const struct cli_group_source *group_source = source_of(source);
    struct scratch *scratch = block->scratch;
    const size_t groups = group_source->keys->count, group = series % groups;
    const size_t first = scratch->starts[group], end = scratch->starts[group + 1];
    const struct cli_block table = inner(block);
    struct cli_values column;
    group_source->table.select(&group_source->table, &table, series / groups, &column);
    *values = column;
    values->count = 0;
    values->odd = (struct cli_csv_odd){.count = 0};
    values->elements = scratch->values;
    values->missing = scratch->missing;
    memset(scratch->missing, 0xff, (block->rows + 63) / 64 * sizeof *scratch->missing);
    if (scratch->column != series / groups)
        number_values(scratch, &column, (size_t)block->rows);
    scratch->column = series / groups;
    if (end > first)
        collect(scratch, &column, first, end, values);
    values->missing_count = block->rows - values->count;
    values->absent_count = block->rows - (end - first);
}

void cli_group_source_open(struct cli_group_source *source, struct cli_table *table,
                           const struct cli_keys *keys)
{
    source->keys = keys;
    source->quote = table->csv.quote;
    cli_table_source_open(&source->table, table);
    source->base = source->table;
    source->base.series_count = table->column_count * keys->count;
    source->base.is_grouped = true;
    source->base.data = source;
    source->base.make_scratch = make_scratch;
    source->base.free_scratch = free_scratch;
    source->base.take = take;
    source->base.load = load;
    source->base.select = select_values;
}
