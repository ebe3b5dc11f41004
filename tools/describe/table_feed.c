/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of tables.
 */
#include "tools/describe/table_feed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A thread's. */
struct room {
    struct cli_table_text text;
    struct cli_csv_room *parser;
    struct cli_csv_block block;
};

void cli_table_feed_free_room(void *of)
{
    struct room *room = of;
    if (room == NULL)
        return;
    cli_csv_room_release(room->parser);
    free(room->text.text);
    free(room);
}

static bool want_key(const struct cli_table *table, struct room *room)
{
    bool *wants_text = calloc(table->csv.columns, sizeof *wants_text);
    if (wants_text == NULL)
        return false;
    wants_text[table->key] = true;
    const bool is_fine = cli_csv_room_want_text(room->parser, wants_text);
    free(wants_text);
    return is_fine;
}

static void *make_room(const struct cli_feed *feed)
{
    const struct cli_table *table = feed->data;
    struct room *room = calloc(1, sizeof *room);
    if (room != NULL)
        room->parser = cli_csv_room_create(&table->csv, table->is_wanted);
    if (room != NULL && room->parser != NULL && (!table->has_key || want_key(table, room)))
        return room;
    cli_table_feed_free_room(room);
    return NULL;
}

const struct cli_csv_block *cli_table_feed_block(const void *of)
{
    const struct room *room = of;
    return &room->block;
}

static enum cli_next take(struct cli_feed *feed, struct cli_block *block,
                          struct cli_failure *failure)
{
    struct room *room = block->room;
    if (!cli_table_read(feed->data, &room->text, failure))
        return CLI_NEXT_FAILED;
    return room->text.bytes > 0 ? CLI_NEXT : CLI_NO_MORE;
}

static bool load(const struct cli_feed *feed, struct cli_block *block, struct cli_failure *failure)
{
    struct room *room = block->room;
    struct cli_csv_error error;
    (void)feed;
    const bool is_right =
        cli_csv_parse(room->parser, room->text.text, room->text.bytes, &room->block, &error);
    if (is_right && !room->text.is_cut) {
        block->rows = room->block.rows;
        block->lines = room->block.lines;
        block->comment_lines = room->block.comment_lines;
        return true;
    }
    if (is_right)
        error = (struct cli_csv_error){.line = 1, .within = CLI_CSV_END_OF_ROW};
    if (room->text.is_cut)
        cli_csv_refuse_length(&error);
    block->bad_line = error.line;
    if (error.column > 0)
        return cli_fail(failure, "column %zu: %s", error.column, error.message);
    return cli_fail(failure, "%s", error.message);
}

static void select_values(const struct cli_feed *feed, const struct cli_block *block, size_t series,
                          struct cli_values *values)
{
    const struct room *room = block->room;
    const struct cli_csv_column *column = &room->block.columns[series];
    const bool is_double = cli_csv_is_double(column->type);
    const enum cli_element_type type = is_double                          ? CLI_ELEMENT_f64
                                       : column->type == CLI_CSV_UNSIGNED ? CLI_ELEMENT_u64
                                                                          : CLI_ELEMENT_i64;
    (void)feed;
    /* The numbers are this thread's until its next block. */
    *values = (struct cli_values){.element = cli_element_native(type),
                                  .elements = is_double ? (void *)column->values.reals
                                                        : (void *)column->values.integers,
                                  .column_type = column->type,
                                  .odd = column->odd,
                                  .odd_bits = column->odd_bits,
                                  .count = column->count,
                                  .missing_count = column->missing_count,
                                  .missing = column->missing};
}

void cli_table_feed_open(struct cli_feed *feed, struct cli_table *table)
{
    *feed = (struct cli_feed){.series_count = table->column_count,
                              .block_count = UINT64_MAX,
                              .stripe_blocks = 1, /* every rank reads the text of all */
                              .lines_before = table->csv.data_line,
                              .is_named = table->is_named,
                              .data = table,
                              .make_room = make_room,
                              .free_room = cli_table_feed_free_room,
                              .take = take,
                              .load = load,
                              .select = select_values};
}
