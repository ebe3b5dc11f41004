/* SPDX-License-Identifier: Apache-2.0
 *
 * The pass over text, on one thread: cells of other columns are skipped, which is fast. Groups of
 * rows.
 */
#include "tools/describe/text_pass.h"

#include "tools/interrupt.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct pass {
    struct cli_table *table;
    const bool *wants_text;
    size_t most;
    struct cli_keys *keys;
    uint64_t *rows; /* counted to the end; NULL: not */
    size_t lines;   /* before the block */
};

static bool fail_line(const struct pass *pass, const struct cli_csv_error *error,
                      struct cli_failure *failure)
{
    if (error->line == 0)
        return cli_fail(failure, "%s", error->message);
    return cli_fail(failure, "line %zu: %s", pass->lines + error->line, error->message);
}

/* Sets *is_full to whether all columns have too many values, and nothing is left to count. */
static bool add_block(const struct pass *pass, const struct cli_csv_block *block, bool *is_full)
{
    bool is_fine = true;
    size_t t = 0;
    *is_full = pass->rows == NULL;
    if (pass->rows != NULL)
        *pass->rows += block->rows;
    for (size_t c = 0; c < pass->table->csv.columns; c++) {
        if (!pass->wants_text[c])
            continue;
        struct cli_keys *keys = &pass->keys[t];
        for (size_t r = 0; r < block->rows && is_fine && !cli_keys_are_many(keys, pass->most); r++)
            is_fine = cli_keys_add(keys, &block->texts[t][r], pass->table->csv.quote);
        *is_full &= cli_keys_are_many(keys, pass->most);
        t++;
    }
    return is_fine;
}

static bool read_blocks(struct pass *pass, struct cli_csv_scratch *scratch,
                        struct cli_table_text *text, struct cli_failure *failure)
{
    struct cli_csv_error error = {.line = 1, .within = CLI_CSV_END_OF_ROW};
    struct cli_csv_block block;
    bool is_full = false;
    while (!is_full && !cli_is_interrupted()) {
        if (!cli_table_read(pass->table, text, failure))
            return false;
        if (text->bytes == 0)
            return true;
        const bool is_right = cli_csv_parse(scratch, text->text, text->bytes, &block, &error);
        if (text->is_cut)
            cli_csv_refuse_length(&error);
        if (!is_right || text->is_cut)
            return fail_line(pass, &error, failure);
        if (!add_block(pass, &block, &is_full))
            return cli_fail(failure, "%s", strerror(ENOMEM));
        pass->lines += block.lines;
    }
    return true;
}

static bool read_table(struct cli_table *table, const bool *wants_text, size_t most,
                       struct cli_keys *keys, uint64_t *rows, struct cli_failure *failure)
{
    assert(table != NULL);
    struct pass pass = {table, wants_text, most, keys, rows, table->csv.data_line};
    struct cli_table_text text = {.text = NULL};
    bool *nothing = calloc(table->csv.columns, sizeof *nothing);
    struct cli_csv_scratch *scratch =
        nothing != NULL ? cli_csv_scratch_create(&table->csv, nothing) : NULL;
    bool is_fine = scratch != NULL && cli_csv_scratch_want_text(scratch, wants_text);
    if (is_fine)
        is_fine = read_blocks(&pass, scratch, &text, failure);
    else
        cli_fail(failure, "%s", strerror(ENOMEM));
    cli_csv_scratch_release(scratch);
    free(text.text);
    free(nothing);
    return is_fine;
}

bool cli_text_pass_run(const struct cli_subject *subject, const bool *wants_text, size_t most,
                       struct cli_keys *keys, uint64_t *rows, struct cli_failure *failure)
{
    struct cli_file file;
    struct cli_dataset dataset;
    if (!cli_dataset_source_can_repeat(subject))
        return cli_fail(failure,
                        "is read twice for --by and --distinct, which needs a file with a name, "
                        "not a pipe or standard input");
    if (!cli_file_open(&file, subject->file->called, subject->file->options, failure))
        return false;
    bool is_fine = cli_file_next(&file, &dataset, failure) == CLI_NEXT;
    if (is_fine && (dataset.table == NULL ||
                    dataset.table->csv.columns != subject->dataset->table->csv.columns))
        is_fine = cli_fail(failure, "the file changed while it was read");
    is_fine = is_fine && read_table(dataset.table, wants_text, most, keys, rows, failure);
    cli_file_close(&file);
    return is_fine;
}

/* ---- Groups -----------------------------------------------------------------------------------*/

static bool find_groups(const struct cli_subject *subject, struct cli_keys *keys,
                        struct cli_failure *failure)
{
    const struct cli_table *table = subject->dataset->table;
    const size_t most = CLI_MOST_GROUP_SERIES / (table->column_count > 0 ? table->column_count : 1);
    bool *wants_text = calloc(table->csv.columns, sizeof *wants_text);
    if (wants_text == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    wants_text[table->key] = true;
    const bool is_fine = cli_text_pass_run(subject, wants_text, most, keys, NULL, failure);
    free(wants_text);
    if (!is_fine)
        return false;
    if (keys->count > most)
        return cli_fail(failure, "column '%s' has more than %zu different values",
                        table->csv.names[table->key], most);
    if (cli_keys_are_many(keys, most))
        return cli_fail(failure, "the different values of column '%s' have more than %d MiB",
                        table->csv.names[table->key], CLI_MOST_KEY_BYTES >> 20);
    if (keys->count == 0)
        return cli_fail(failure, "has no rows");
    return cli_keys_sort(keys, &table->csv) || cli_fail(failure, "%s", strerror(ENOMEM));
}

bool cli_groups_find(const struct cli_subject *subject, struct cli_keys *keys,
                     struct cli_failure *failure)
{
    struct cli_packet packet = {.bytes = NULL};
    *keys = (struct cli_keys){.count = 0};
    bool is_fine = cli_job_agree(subject->job, find_groups(subject, keys, failure), failure);
    for (size_t k = 0; k < keys->count && is_fine && subject->job != NULL; k++)
        cli_packet_put(&packet, keys->keys[k].text, keys->keys[k].length + 1);
    if (is_fine && subject->job != NULL)
        is_fine = cli_job_agree_on(subject->job, &packet, "it is not the file that rank 0 reads",
                                   failure);
    cli_packet_free(&packet);
    if (!is_fine)
        cli_keys_free(keys);
    return is_fine;
}
