/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of a table by groups. The rows of a block are sorted by group once; the values of a series
 * are collected when it is selected, in memory that the next selection overwrites.
 */
#include "tools/describe/group_feed.h"

#include "tools/describe/table_feed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A thread's. */
struct room {
    void *table; /* the table feed's room */
    size_t row_room;
    size_t *groups, *order; /* of each row; the rows by group, */
    size_t *starts;         /* and where each group begins, and the last one ends */
    size_t column;          /* the one selected last; SIZE_MAX: none of the block */
    size_t *numbers;        /* of it: how many values are before each row */
    uint64_t *values;       /* selected ones */
    uint64_t *missing;      /* their bits: those of other groups' rows are set, too */
};

static const struct cli_group_feed *feed_of(const struct cli_feed *feed)
{
    return feed->data;
}

static void free_room(void *of)
{
    struct room *room = of;
    if (room == NULL)
        return;
    if (room->table != NULL)
        cli_table_feed_free_room(room->table);
    free(room->groups);
    free(room->order);
    free(room->starts);
    free(room->numbers);
    free(room->values);
    free(room->missing);
    free(room);
}

static void *make_room(const struct cli_feed *feed)
{
    const struct cli_group_feed *group_feed = feed_of(feed);
    struct room *room = calloc(1, sizeof *room);
    if (room == NULL)
        return NULL;
    room->table = group_feed->table.make_room(&group_feed->table);
    room->starts = calloc(group_feed->keys->count + 1, sizeof *room->starts);
    if (room->table != NULL && room->starts != NULL)
        return room;
    free_room(room);
    return NULL;
}

static bool grow(struct room *room, size_t rows)
{
    if (rows <= room->row_room)
        return true;
    free(room->groups);
    free(room->order);
    free(room->numbers);
    free(room->values);
    free(room->missing);
    room->row_room = rows;
    room->groups = calloc(rows, sizeof *room->groups);
    room->order = calloc(rows, sizeof *room->order);
    room->numbers = calloc(rows, sizeof *room->numbers);
    room->values = calloc(rows, sizeof *room->values);
    room->missing = calloc((rows + 63) / 64, sizeof *room->missing);
    if (room->groups != NULL && room->order != NULL && room->numbers != NULL &&
        room->values != NULL && room->missing != NULL)
        return true;
    room->row_room = 0;
    return false;
}

/* ---- Blocks -----------------------------------------------------------------------------------*/

/* A block of the table feed, in its room. */
static struct cli_block inner(const struct cli_block *block)
{
    const struct room *room = block->room;
    struct cli_block table = *block;
    table.room = room->table;
    return table;
}

static void take_over(struct cli_block *block, const struct cli_block *table)
{
    void *room = block->room;
    const size_t series_count = block->series_count;
    *block = *table;
    block->room = room;
    block->series_count = series_count;
}

static enum cli_next take(struct cli_feed *feed, struct cli_block *block,
                          struct cli_failure *failure)
{
    struct cli_group_feed *group_feed = feed->data;
    struct cli_block table = inner(block);
    const enum cli_next next = group_feed->table.take(&group_feed->table, &table, failure);
    take_over(block, &table);
    return next;
}

/* Sorts the rows by counting; false: a key is new, so the file has changed. */
static bool sort_rows(const struct cli_group_feed *feed, struct room *room,
                      const struct cli_csv_block *block)
{
    const size_t groups = feed->keys->count;
    memset(room->starts, 0, (groups + 1) * sizeof *room->starts);
    for (size_t r = 0; r < block->rows; r++) {
        room->groups[r] = cli_keys_find(feed->keys, &block->texts[0][r], feed->quote);
        if (room->groups[r] == SIZE_MAX)
            return false;
        room->starts[room->groups[r]]++;
    }
    size_t rows = 0;
    for (size_t g = 0; g <= groups; g++) {
        rows += room->starts[g];
        room->starts[g] = rows; /* the end, and, once it is filled, the beginning */
    }
    for (size_t r = block->rows; r-- > 0;)
        room->order[--room->starts[room->groups[r]]] = r;
    return true;
}

static bool load(const struct cli_feed *feed, struct cli_block *block, struct cli_failure *failure)
{
    const struct cli_group_feed *group_feed = feed_of(feed);
    struct room *room = block->room;
    struct cli_block table = inner(block);
    const bool is_loaded = group_feed->table.load(&group_feed->table, &table, failure);
    take_over(block, &table);
    room->column = SIZE_MAX;
    if (!is_loaded)
        return false;
    const struct cli_csv_block *text = cli_table_feed_block(room->table);
    if (!grow(room, text->rows))
        return cli_fail(failure, "%s", strerror(ENOMEM));
    return sort_rows(group_feed, room, text) ||
           cli_fail(failure, "the file changed while it was read");
}

/* ---- Values -----------------------------------------------------------------------------------*/

static bool has_bit(const uint64_t *bits, size_t row)
{
    return (bits[row / 64] >> row % 64 & 1) != 0;
}

/* Odd cells of the group. The text is known of the first one of the block only. */
static void add_odd(struct cli_csv_odd *odd, const struct cli_csv_odd *first, size_t row)
{
    if (odd->count++ > 0)
        return;
    odd->row = row;
    if (row == first->row)
        memcpy(odd->text, first->text, sizeof odd->text);
}

/* The values of a column are in the order of rows. They are numbered once for all groups, of which
 * there may be as many as rows. */
static void number_values(struct room *room, const struct cli_values *column, size_t rows)
{
    size_t number = 0;
    for (size_t row = 0; row < rows; row++) {
        room->numbers[row] = number;
        number += !has_bit(column->missing, row);
    }
}

/* Moves the values of a group. */
static void collect(struct room *room, const struct cli_values *column, size_t first, size_t end,
                    struct cli_values *values)
{
    const uint64_t *from = column->elements;
    for (size_t i = first; i < end; i++) {
        const size_t row = room->order[i];
        if (!has_bit(column->missing, row)) {
            room->values[values->count++] = from[room->numbers[row]];
            room->missing[row / 64] &= ~((uint64_t)1 << row % 64);
        } else if (column->odd_bits != NULL && has_bit(column->odd_bits, row)) {
            add_odd(&values->odd, &column->odd, row);
        }
    }
}

static void select_values(const struct cli_feed *feed, const struct cli_block *block, size_t series,
                          struct cli_values *values)
{
    const struct cli_group_feed *group_feed = feed_of(feed);
    struct room *room = block->room;
    const size_t groups = group_feed->keys->count, group = series % groups;
    const size_t first = room->starts[group], end = room->starts[group + 1];
    const struct cli_block table = inner(block);
    struct cli_values column;
    group_feed->table.select(&group_feed->table, &table, series / groups, &column);
    *values = column;
    values->count = 0;
    values->odd = (struct cli_csv_odd){.count = 0};
    values->elements = room->values;
    values->missing = room->missing;
    memset(room->missing, 0xff, (block->rows + 63) / 64 * sizeof *room->missing);
    if (room->column != series / groups)
        number_values(room, &column, (size_t)block->rows);
    room->column = series / groups;
    if (end > first)
        collect(room, &column, first, end, values);
    values->missing_count = block->rows - values->count;
    values->absent_count = block->rows - (end - first);
}

void cli_group_feed_open(struct cli_group_feed *feed, struct cli_table *table,
                         const struct cli_keys *keys)
{
    feed->keys = keys;
    feed->quote = table->csv.quote;
    cli_table_feed_open(&feed->table, table);
    feed->feed = feed->table;
    feed->feed.series_count = table->column_count * keys->count;
    feed->feed.is_grouped = true;
    feed->feed.data = feed;
    feed->feed.make_room = make_room;
    feed->feed.free_room = free_room;
    feed->feed.take = take;
    feed->feed.load = load;
    feed->feed.select = select_values;
}
