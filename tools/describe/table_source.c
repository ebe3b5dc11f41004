/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a table as blocks.
 */
#include "tools/describe/table_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A thread's scratch memory. */
struct scratch {
    struct cli_table_text text;
    struct cli_csv_scratch *parser;
    struct cli_csv_block block;
};

void cli_table_source_free_scratch(void *of)
{
    struct scratch *scratch = of;
    if (scratch == NULL)
        return;
    cli_csv_scratch_release(scratch->parser);
    free(scratch->text.text);
    free(scratch);
}

static bool want_key(const struct cli_table *table, struct scratch *scratch)
{
    bool *wants_text = calloc(table->csv.columns, sizeof *wants_text);
    if (wants_text == NULL)
        return false;
    wants_text[table->key] = true;
    const bool is_fine = cli_csv_scratch_want_text(scratch->parser, wants_text);
    free(wants_text);
    return is_fine;
}

static void *make_scratch(const struct cli_block_source *source)
{
    const struct cli_table *table = source->data;
    struct scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch != NULL)
        scratch->parser = cli_csv_scratch_create(&table->csv, table->is_wanted);
    if (scratch != NULL && scratch->parser != NULL && (!table->has_key || want_key(table, scratch)))
        return scratch;
    cli_table_source_free_scratch(scratch);
    return NULL;
}

const struct cli_csv_block *cli_table_source_block(const void *of)
{
    const struct scratch *scratch = of;
    return &scratch->block;
}

static enum cli_next take(struct cli_block_source *source, struct cli_block *block,
                          struct cli_failure *failure)
{
    struct scratch *scratch = block->scratch;
    if (!cli_table_read(source->data, &scratch->text, failure))
        return CLI_NEXT_FAILED;
    return scratch->text.bytes > 0 ? CLI_NEXT : CLI_NO_MORE;
}

static bool load(const struct cli_block_source *source, struct cli_block *block,
                 struct cli_failure *failure)
{
    struct scratch *scratch = block->scratch;
    struct cli_csv_error error;
    (void)source;
    const bool is_right = cli_csv_parse(scratch->parser, scratch->text.text, scratch->text.bytes,
                                        &scratch->block, &error);
    if (is_right && !scratch->text.is_cut) {
        block->rows = scratch->block.rows;
        block->lines = scratch->block.lines;
        block->comment_lines = scratch->block.comment_lines;
        return true;
    }
    if (is_right)
        error = (struct cli_csv_error){.line = 1, .within = CLI_CSV_END_OF_ROW};
    if (scratch->text.is_cut)
        cli_csv_refuse_length(&error);
    block->bad_line = error.line;
    if (error.column > 0)
        return cli_fail(failure, "column %zu: %s", error.column, error.message);
    return cli_fail(failure, "%s", error.message);
}

static void select_values(const struct cli_block_source *source, const struct cli_block *block,
                          size_t series, struct cli_values *values)
{
    const struct scratch *scratch = block->scratch;
    const struct cli_csv_column *column = &scratch->block.columns[series];
    const bool is_double = cli_csv_is_double(column->type);
    const enum cli_element_type type = is_double                          ? CLI_ELEMENT_f64
                                       : column->type == CLI_CSV_UNSIGNED ? CLI_ELEMENT_u64
                                                                          : CLI_ELEMENT_i64;
    (void)source;
    /* The numbers are in the thread's memory, valid until its next block. */
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

void cli_table_source_open(struct cli_block_source *source, struct cli_table *table)
{
    *source = (struct cli_block_source){
        .series_count = table->column_count,
        .block_count = UINT64_MAX,
        .stripe_blocks = 1, /* ranks take turns: each reads the text of all blocks anyway */
        .lines_before = table->csv.data_line,
        .is_named = table->is_named,
        .data = table,
        .make_scratch = make_scratch,
        .free_scratch = cli_table_source_free_scratch,
        .take = take,
        .load = load,
        .select = select_values};
}
