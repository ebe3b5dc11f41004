/* SPDX-License-Identifier: Apache-2.0
 *
 * Text files with a table. They have no signature: a file in none of the other formats is a table
 * if it has only bytes of text.
 */
#include "tools/interrupt.h"
#include "tools/read/csv_missing.h"
#include "tools/read/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 19 };

/* ---- Columns ----------------------------------------------------------------------------------*/

/* An element of the list of columns. */
struct word {
    const char *text;
    size_t length;
};

static bool is_named(const struct cli_csv *csv, size_t column, const struct word *word)
{
    return strlen(csv->names[column]) == word->length &&
           memcmp(csv->names[column], word->text, word->length) == 0;
}

/* Returns how many columns have the name; *column is the first of them. @3 is a number, even if a
 * column is called so. */
static size_t count_named(const struct cli_csv *csv, const struct word *word, size_t *column)
{
    size_t count = 0;
    const bool is_number = cli_csv_is_numbered(word->text, word->length);
    for (size_t c = csv->columns; c-- > 0 && !is_number;)
        if (is_named(csv, c, word)) {
            *column = c;
            count++;
        }
    return count;
}

/* Finds a column by its number, from 1, perhaps after an @. */
static bool find_numbered(const struct cli_csv *csv, const struct word *word, size_t *column)
{
    const size_t sign = word->length > 0 && *word->text == '@';
    *column = cli_csv_find_numbered(csv, word->text + sign, word->length - sign);
    return *column != SIZE_MAX;
}

/* "has 2 columns 'x': choose @3, @5" */
static bool fail_several(const struct cli_csv *csv, const struct word *word, size_t count,
                         struct cli_failure *failure)
{
    enum { SAID = 4, NUMBER_BYTES = 24 };
    char numbers[SAID * NUMBER_BYTES + 8] = "";
    size_t length = 0, said = 0;
    for (size_t c = 0; c < csv->columns && said < SAID; c++)
        if (is_named(csv, c, word))
            length += (size_t)snprintf(numbers + length, sizeof numbers - length, "%s@%zu",
                                       said++ > 0 ? ", " : "", c + 1);
    return cli_fail(failure, "has %zu columns '%.*s': choose %s%s", count, (int)word->length,
                    word->text, numbers, count > SAID ? ", ..." : "");
}

static bool fail_unknown(const struct cli_csv *csv, const struct word *word,
                         struct cli_failure *failure)
{
    return cli_fail(failure, "has no column '%.*s', but %zu: %s%s%s%s%s", (int)word->length,
                    word->text, csv->columns, csv->names[0], csv->columns > 1 ? ", " : "",
                    csv->columns > 1 ? csv->names[1] : "", csv->columns > 2 ? ", " : "",
                    csv->columns > 3   ? "..."
                    : csv->columns > 2 ? csv->names[2]
                                       : "");
}

/* A name has precedence over a number without an @. */
static bool find_column(const struct cli_csv *csv, const struct word *word, size_t *column,
                        struct cli_failure *failure)
{
    const size_t count = count_named(csv, word, column);
    if (count > 1)
        return fail_several(csv, word, count, failure);
    return count == 1 || find_numbered(csv, word, column) || fail_unknown(csv, word, failure);
}

static bool choose_named(struct cli_table *table, const char *list, struct cli_failure *failure)
{
    for (struct word word = {.text = list};; word.text++) {
        size_t column = 0;
        word.length = strcspn(word.text, ",");
        if (!find_column(&table->csv, &word, &column, failure))
            return false;
        table->is_wanted[column] = true;
        word.text += word.length;
        if (*word.text == '\0')
            return true;
    }
}

/* A value of one column, NAME=VALUE or @NUMBER=VALUE, needs that column: a mistyped name would
 * leave the value among the numbers. */
static bool check_missing(const struct cli_csv *csv, const char *list, struct cli_failure *failure)
{
    size_t column;
    for (const char *text = list; text != NULL && *text != '\0'; text += *text == ',') {
        text += strspn(text, " ");
        const size_t length = strcspn(text, ",");
        const struct word word = {text, strcspn(text, "=,")};
        const size_t count = count_named(csv, &word, &column);
        text += length;
        if (word.length == 0 || word.length == length || count == 1)
            continue;
        if (cli_csv_is_numbered(word.text, word.length) && find_numbered(csv, &word, &column))
            continue;
        return count > 1 ? fail_several(csv, &word, count, failure)
                         : fail_unknown(csv, &word, failure);
    }
    return true;
}

/* Reports a table without numbers, with the column that was left out as text and has most numbers,
 * if any has some.
 */
static bool fail_without_numbers(const struct cli_table *table, struct cli_failure *failure)
{
    const struct cli_csv *csv = &table->csv;
    const struct cli_csv_census none = {.count = 0}, *census = &none;
    size_t best = 0;
    if (table->is_named)
        return cli_fail(failure, table->column_count == 0
                                     ? "--columns has only the column of --by"
                                     : "has no numbers in the columns of --columns");
    for (size_t c = 0; c < csv->columns; c++)
        if (csv->census[c].count > census->count && !(table->has_key && c == table->key)) {
            best = c;
            census = &csv->census[c];
        }
    if (census->count == 0)
        return cli_fail(failure, "has no numbers%s%s",
                        table->has_key ? " beside the column of --by" : "",
                        csv->is_unsure_of_decimal ? " (decimal commas? --decimal ,)" : "");
    return cli_fail(failure,
                    "has no column of numbers; in '%s' %zu of %" PRIu64
                    " cells are %s, and row %" PRIu64 " has '%s' (--columns describes it)",
                    csv->names[best], census->count, census->count + census->odd.count,
                    census->is_boolean ? "booleans" : "numbers", census->odd.row + 1,
                    census->odd.text);
}

static bool choose_columns(struct cli_table *table, const struct cli_table_options *options,
                           struct cli_failure *failure)
{
    const char *list = options->columns;
    const size_t count = table->csv.columns;
    table->is_wanted = calloc(count, sizeof *table->is_wanted);
    table->columns = calloc(count, sizeof *table->columns);
    if (table->is_wanted == NULL || table->columns == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    table->is_named = list != NULL;
    if (!check_missing(&table->csv, options->csv.missing, failure))
        return false;
    if (list != NULL && !choose_named(table, list, failure))
        return false;
    if (options->by != NULL) {
        const struct word word = {options->by, strlen(options->by)};
        if (!find_column(&table->csv, &word, &table->key, failure))
            return false;
        table->has_key = true;
    }
    for (size_t c = 0; c < count; c++) {
        const bool is_key = table->has_key && c == table->key;
        if (list == NULL)
            table->is_wanted[c] = table->csv.types[c] != CLI_CSV_TEXT;
        if (is_key) {
            table->is_wanted[c] = false;
            continue;
        }
        table->text_count += list == NULL && !table->is_wanted[c];
        if (table->is_wanted[c])
            table->columns[table->column_count++] = c;
    }
    bool has_numbers = !table->is_all_seen;
    for (size_t c = 0; c < table->column_count; c++)
        has_numbers |= table->csv.types[table->columns[c]] != CLI_CSV_MISSING;
    return options->accepts_text || (table->column_count > 0 && has_numbers) ||
           fail_without_numbers(table, failure);
}

/* ---- Opening ----------------------------------------------------------------------------------*/

/* The number of bytes of the blank lines at the beginning; they are blank with any separator. */
static size_t count_blank(const unsigned char *bytes, size_t count, size_t *lines)
{
    size_t blank = 0;
    for (size_t i = 0; i < count && strchr(" \r\n", bytes[i]) != NULL && bytes[i] != '\0'; i++)
        if (bytes[i] == '\n') {
            blank = i + 1;
            ++*lines;
        }
    return blank;
}

/* Skips a byte order mark, and any number of blank lines, which it counts. */
static bool skip_blank_lines(struct cli_table *table, size_t *lines, struct cli_failure *failure)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const unsigned char *bytes;
    size_t count, blank;
    if (!cli_source_peek(table->source, 3, &bytes, &count, failure))
        return false;
    if (count == 3 && memcmp(bytes, byte_order_mark, 3) == 0)
        cli_source_skip(table->source, count);
    do {
        if (!cli_source_peek(table->source, CLI_CSV_SAMPLE_BYTES, &bytes, &count, failure))
            return false;
        blank = count_blank(bytes, count, lines);
        cli_source_skip(table->source, blank);
    } while (blank > 0);
    return true;
}

/* What follows the bytes that were seen; an interrupt may have truncated the last row. */
static enum cli_csv_rest find_rest(const struct cli_table *table)
{
    if (!table->is_all_seen)
        return CLI_CSV_MORE;
    return cli_is_interrupted() ? CLI_CSV_UNREAD : CLI_CSV_NOTHING;
}

/* Opens with as many bytes as the first two rows need, and a minimum. */
static bool open_csv(struct cli_table *table, const struct cli_csv_options *options,
                     struct cli_failure *failure)
{
    struct cli_csv_error error;
    const unsigned char *bytes;
    size_t count, lines = 0, wanted = CLI_CSV_SAMPLE_BYTES;
    if (!skip_blank_lines(table, &lines, failure))
        return false;
    for (;; wanted *= 2) {
        if (!cli_source_peek(table->source, wanted, &bytes, &count, failure))
            return false;
        table->is_all_seen = count < wanted;
        if (cli_csv_open((const char *)bytes, count, find_rest(table), options, &table->csv,
                         &error)) {
            cli_source_skip(table->source, table->csv.data_offset);
            table->csv.data_line += lines;
            return true;
        }
        if (error.within == CLI_CSV_NO_END || table->is_all_seen)
            break;
        if (wanted >= CLI_CSV_MOST_ROW_BYTES) {
            cli_csv_refuse_length(&error);
            break;
        }
    }
    if (error.line > 0)
        return cli_fail(failure, "line %zu: %s", error.line + lines, error.message);
    return cli_fail(failure, "%s", error.message);
}

struct cli_table *cli_table_open(struct cli_source *source, const struct cli_table_options *options,
                                 struct cli_failure *failure)
{
    struct cli_table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        cli_fail(failure, "%s", strerror(ENOMEM));
        return NULL;
    }
    table->source = source;
    if (open_csv(table, &options->csv, failure)) {
        if (choose_columns(table, options, failure))
            return table;
        cli_csv_close(&table->csv);
    }
    free(table->is_wanted);
    free(table->columns);
    free(table);
    return NULL;
}

void cli_table_close(struct cli_table *table)
{
    if (table == NULL)
        return;
    cli_csv_close(&table->csv);
    free(table->is_wanted);
    free(table->columns);
    free(table->tail);
    free(table);
}

/* ---- Blocks -----------------------------------------------------------------------------------*/

static bool grow(struct cli_table_text *text, size_t bytes, struct cli_failure *failure)
{
    if (bytes + CLI_CSV_PADDING <= text->capacity)
        return true;
    char *grown = realloc(text->text, bytes + CLI_CSV_PADDING);
    if (grown == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    text->text = grown;
    text->capacity = bytes + CLI_CSV_PADDING;
    return true;
}

/* Keeps the bytes after the block's last row for the next block. */
static bool keep_tail(struct cli_table *table, const struct cli_table_text *text, size_t bytes,
                      struct cli_failure *failure)
{
    if (bytes > table->tail_capacity) {
        unsigned char *grown = realloc(table->tail, bytes);
        if (grown == NULL)
            return cli_fail(failure, "%s", strerror(ENOMEM));
        table->tail = grown;
        table->tail_capacity = bytes;
    }
    if (bytes > 0)
        memcpy(table->tail, text->text + text->bytes, bytes);
    table->tail_bytes = bytes;
    return true;
}

/* Reads until the text has `bytes` bytes, or all. */
static bool fill(struct cli_table *table, struct cli_table_text *text, size_t bytes,
                 struct cli_failure *failure)
{
    size_t count;
    if (!grow(text, bytes, failure) || !cli_source_read(table->source, text->text + text->bytes,
                                                        bytes - text->bytes, &count, failure))
        return false;
    text->bytes += count;
    table->is_at_end = text->bytes < bytes;
    return true;
}

/* The end of the last whole row; an interrupt may have truncated the last one. */
static size_t find_end(const struct cli_table *table, const struct cli_table_text *text)
{
    if (table->is_at_end && !cli_is_interrupted())
        return text->bytes;
    return cli_csv_split(&table->csv, text->text, text->bytes);
}

bool cli_table_read(struct cli_table *table, struct cli_table_text *text,
                    struct cli_failure *failure)
{
    size_t wanted = BLOCK_BYTES > 2 * table->tail_bytes ? BLOCK_BYTES : 2 * table->tail_bytes;
    text->bytes = 0;
    text->is_cut = false;
    if (table->is_at_end && table->tail_bytes == 0)
        return true;
    if (!grow(text, table->tail_bytes, failure))
        return false;
    if (table->tail_bytes > 0)
        memcpy(text->text, table->tail, table->tail_bytes);
    text->bytes = table->tail_bytes;
    for (;; wanted *= 2) {
        wanted = wanted < CLI_CSV_MOST_ROW_BYTES ? wanted : CLI_CSV_MOST_ROW_BYTES;
        if (!fill(table, text, wanted, failure))
            return false;
        const size_t all = text->bytes, end = find_end(table, text);
        if (end == 0 && !table->is_at_end && all < CLI_CSV_MOST_ROW_BYTES)
            continue;
        if (end > 0 || table->is_at_end) {
            text->bytes = end;
            return keep_tail(table, text, table->is_at_end ? 0 : all - end, failure);
        }
        text->bytes = all; /* the parser may find an error in so long a row */
        text->is_cut = true;
        table->is_at_end = true;
        return keep_tail(table, text, 0, failure);
    }
}

/* ---- The format -------------------------------------------------------------------------------*/

/* Text has no control characters except white space. UTF-16 has zeros, or at least its byte order
 * mark. */
static bool recognise(const struct cli_file *file, const unsigned char *bytes, size_t count)
{
    (void)file;
    if (count >= 2 && bytes[0] >= 0xfe && bytes[0] + bytes[1] == 0xfe + 0xff)
        return false;
    for (size_t i = 0; i < count; i++)
        if (bytes[i] < ' ' && (bytes[i] == '\0' || strchr("\t\n\r", bytes[i]) == NULL))
            return false;
    return count > 0;
}

static enum cli_next next(struct cli_file *file, struct cli_dataset *dataset,
                          struct cli_failure *failure)
{
    file->data = dataset->table = cli_table_open(file->source, &file->options->table, failure);
    if (file->data == NULL)
        return CLI_NEXT_FAILED;
    if (dataset->table->csv.is_unsure_of_decimal)
        snprintf(dataset->note, sizeof dataset->note, "%s",
                 dataset->table->csv.decimal == ',' ? "1,234 read as 1.234 (thousands: --decimal .)"
                                                    : "1,234 read as text (1.234: --decimal ,)");
    return CLI_NEXT;
}

static void close_table(struct cli_file *file)
{
    cli_table_close(file->data);
}

const struct cli_format cli_csv_format = {
    .name = "csv", .single = "a table", .recognise = recognise, .next = next, .close = close_table};
