/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of whole rows. Each cell of a selected column is read as a number followed by a separator;
 * only if it is not one, the cell's end is searched and its value determined. Cells of other
 * columns are skipped.
 */
#include "tools/read/csv_cell.h"
#include "tools/read/csv_missing.h"

#include <stdio.h>
#include <stdlib.h>

/* A column of the table, selected or not. */
struct column {
    bool is_wanted;
    struct cli_csv_text *texts; /* of each row; NULL: not wanted */
    enum cli_csv_type type;
    unsigned takes; /* a bit for each type that does not change it */
    size_t count, missing_count;
    union {
        uint64_t *integers; /* as in struct cli_number */
        double *reals;
    } values;
    uint64_t *missing, *odd_bits; /* the latter are not set before the first odd cell */
    size_t words;
    struct cli_csv_odd odd;
    size_t other_count;
};

struct cli_csv_scratch {
    const struct cli_csv *csv;
    struct column *columns;
    struct cli_csv_column *wanted; /* returned to the caller */
    size_t wanted_count;
    void *memory; /* of all columns' values and bits */
    size_t bytes;
    bool *wants_text; /* of each column; NULL: none */
    struct cli_csv_text **texts;
    size_t text_count, text_rows;
};

/* The block being read. */
struct parser {
    const struct cli_csv *csv;
    struct column *columns;
    char decimal; /* of cells without quotes */
    char *text, *at, *end;
    size_t row, comment_lines;
    struct cli_csv_error *error;
};

/* ---- Complaints -------------------------------------------------------------------------------*/

/* Counts in bytes, so that compilers vectorise the loop. */
static size_t count_newlines(const char *text, const char *end)
{
    size_t count = 0;
    while (text < end) {
        const size_t bytes = end - text < 255 ? (size_t)(end - text) : 255;
        unsigned char found = 0;
        for (size_t i = 0; i < bytes; i++)
            found = (unsigned char)(found + (text[i] == '\n'));
        count += found;
        text += bytes;
    }
    return count;
}

/* Records an error at a position; returns false, for the caller to return. column: from 0. */
static bool fail(const struct parser *parser, const char *place, size_t column, const char *what)
{
    parser->error->line = count_newlines(parser->text, place) + 1;
    parser->error->column = column + 1;
    parser->error->within = CLI_CSV_NO_END;
    snprintf(parser->error->message, sizeof parser->error->message, "%s", what);
    return false;
}

/* Whether the row is a number with a comma, and nothing else. */
static bool is_number_with_comma(const struct parser *parser, const char *row)
{
    struct cli_csv other = {.separator = ';', .decimal = ','};
    struct cli_csv_cell cell;
    struct cli_number number;
    char *at = parser->text + (row - parser->text);
    if (parser->csv->separator != ',' || parser->csv->decimal == ',')
        return false;
    at = cli_csv_take_cell(&other, at, parser->end, &cell);
    return *at == '\n' && cli_csv_read_cell(&other, &cell, &number) == CLI_CSV_REAL &&
           memchr(cell.begin, ',', (size_t)(cell.end - cell.begin)) != NULL;
}

static bool fail_count(const struct parser *parser, const char *row, size_t cells)
{
    const size_t columns = parser->csv->columns;
    fail(parser, row, 0, "");
    parser->error->column = 0;
    if (cells < columns && parser->at == parser->end)
        parser->error->within = CLI_CSV_END_OF_ROW;
    snprintf(parser->error->message, sizeof parser->error->message,
             cells > columns ? "the row has more than %zu cell%s"
                             : "the row has %zu cell%s, not %zu",
             cells > columns ? columns : cells, (cells > columns ? columns : cells) == 1 ? "" : "s",
             columns);
    const char *mark = parser->csv->comment[0] == '\0' ? cli_csv_find_mark(row) : NULL;
    const size_t length = strlen(parser->error->message);
    if (columns == 1 && is_number_with_comma(parser, row))
        snprintf(parser->error->message + length, sizeof parser->error->message - length,
                 " (decimal commas? --decimal ,)");
    if (mark != NULL)
        snprintf(parser->error->message + length, sizeof parser->error->message - length,
                 " (a comment? --comment '%s')", mark);
    return false;
}

/* ---- Values -----------------------------------------------------------------------------------*/

enum cli_csv_type cli_csv_join(enum cli_csv_type a, enum cli_csv_type b)
{
    const enum cli_csv_type less = a < b ? a : b, more = a < b ? b : a;
    if (less == CLI_CSV_BOOLEAN && more != CLI_CSV_BOOLEAN)
        return CLI_CSV_TEXT;
    return less == CLI_CSV_SIGNED && more == CLI_CSV_UNSIGNED ? CLI_CSV_WIDE : more;
}

static double make_real(enum cli_csv_type type, uint64_t integer)
{
    int64_t with_sign;
    memcpy(&with_sign, &integer, sizeof with_sign);
    return type == CLI_CSV_UNSIGNED ? (double)integer : (double)with_sign;
}

static void make_reals(struct column *column)
{
    for (size_t v = 0; v < column->count; v++)
        column->values.reals[v] = make_real(column->type, column->values.integers[v]);
}

static void put_missing(const struct parser *parser, struct column *column)
{
    column->missing[parser->row / 64] |= (uint64_t)1 << parser->row % 64;
    column->missing_count++;
}

/* Counts an odd cell; the text of the first one is kept. */
static void put_odd(const struct parser *parser, struct column *column,
                    const struct cli_csv_cell *cell)
{
    const char *at = cell->begin;
    size_t length = 0;
    put_missing(parser, column);
    if (column->odd.count == 0)
        memset(column->odd_bits, 0, column->words * sizeof *column->odd_bits);
    column->odd_bits[parser->row / 64] |= (uint64_t)1 << parser->row % 64;
    if (column->odd.count++ > 0)
        return;
    while (at < cell->end && length < CLI_CSV_ODD_BYTES - 1) {
        column->odd.text[length++] = *at;
        at += cell->is_quoted && *at == parser->csv->quote ? 2 : 1;
    }
    for (; at < cell->end && length > 0 && ((unsigned char)*at & 0xc0) == 0x80; at--)
        length--; /* of a character in UTF-8 */
    column->odd.row = parser->row;
    column->odd.text[length] = '\0';
}

static inline void put(struct column *column, const struct cli_number *number)
{
    if (!cli_csv_is_double(column->type))
        column->values.integers[column->count++] = number->integer;
    else
        column->values.reals[column->count++] = cli_csv_is_double(number->type)
                                                    ? number->real
                                                    : make_real(number->type, number->integer);
}

static unsigned find_taken(enum cli_csv_type type)
{
    unsigned taken = 0;
    for (unsigned t = CLI_CSV_INTEGER; t <= CLI_CSV_REAL; t++)
        taken |= (unsigned)(cli_csv_join((enum cli_csv_type)t, type) == type) << t;
    return taken;
}

/* Stores a value of a type that may change the column's. */
static void put_other(struct column *column, enum cli_csv_type type,
                      const struct cli_number *number)
{
    const enum cli_csv_type joined = cli_csv_join(column->type, type);
    if (cli_csv_is_double(joined) && !cli_csv_is_double(column->type))
        make_reals(column);
    if (joined != column->type || column->takes == 0)
        column->takes = find_taken(joined);
    column->type = joined;
    put(column, number);
}

/* Stores the cell's value, of any type. */
static void put_any(const struct parser *parser, struct column *column,
                    const struct cli_csv_cell *cell, enum cli_csv_type type,
                    const struct cli_number *number)
{
    const bool is_other = type != CLI_CSV_TEXT && column->type != CLI_CSV_MISSING &&
                          (type == CLI_CSV_BOOLEAN) != (column->type == CLI_CSV_BOOLEAN);
    if (type == CLI_CSV_MISSING) {
        put_missing(parser, column);
    } else if (type == CLI_CSV_TEXT || is_other) {
        put_odd(parser, column, cell);
        column->other_count += is_other;
        column->odd.other_decimal_count +=
            type == CLI_CSV_TEXT && cli_csv_has_other_decimal(parser->csv, cell);
    } else {
        put_other(column, type, number);
    }
}

/* ---- Rows -------------------------------------------------------------------------------------*/

/* The text of a cell without blanks around it; empty if the value is missing. */
static struct cli_csv_text find_text(const struct cli_csv *csv, size_t c, struct cli_csv_cell *cell)
{
    struct cli_number number = {0};
    while (cell->begin < cell->end && cli_csv_is_blank(csv, *cell->begin))
        cell->begin++;
    while (cell->begin < cell->end && cli_csv_is_blank(csv, cell->end[-1]))
        cell->end--;
    const enum cli_csv_type type = cli_csv_read_cell(csv, cell, &number);
    if (type == CLI_CSV_MISSING || cli_csv_is_missing(csv, c, cell, type, &number))
        return (struct cli_csv_text){.begin = cell->begin};
    const size_t length = (size_t)(cell->end - cell->begin);
    return (struct cli_csv_text){
        cell->begin, length, cell->is_quoted && memchr(cell->begin, csv->quote, length) != NULL};
}

/* Reads the column's next cell, of any kind. */
static bool take_any_cell(struct parser *parser, size_t c)
{
    struct column *column = &parser->columns[c];
    struct cli_csv_cell cell;
    struct cli_number number = {0};
    char *at = cli_csv_take_cell(parser->csv, parser->at, parser->end, &cell);
    if (at == NULL) {
        fail(parser, cell.begin, c, cell.failure);
        parser->error->within = cell.is_open ? CLI_CSV_END_OF_QUOTE : CLI_CSV_NO_END;
        return false;
    }
    if (column->texts != NULL)
        column->texts[parser->row] = find_text(parser->csv, c, &cell);
    if (column->is_wanted) {
        const enum cli_csv_type type = cli_csv_read_cell(parser->csv, &cell, &number);
        const bool is_missing = cli_csv_is_missing(parser->csv, c, &cell, type, &number);
        put_any(parser, column, &cell, is_missing ? CLI_CSV_MISSING : type, &number);
    }
    parser->at = at;
    return true;
}

/* By value, so that the caller's number may stay in registers. */
static bool is_missing_number(const struct cli_csv *csv, size_t c, struct cli_number number)
{
    return cli_csv_is_missing(csv, c, NULL, number.type, &number);
}

/* Reads the column's next cell; most are numbers. */
static inline bool take_cell(struct parser *parser, size_t c)
{
    const struct cli_csv *csv = parser->csv;
    struct column *column = &parser->columns[c];
    struct cli_number number = {.integer = 0};
    if (!column->is_wanted)
        return take_any_cell(parser, c);
    char *begin = parser->at + (*parser->at == ' ');
    char *end = cli_csv_read_number(begin, parser->decimal, &number);
    if (end == NULL)
        return take_any_cell(parser, c);
    end += *end == '\r' && end[1] == '\n';
    if (*end != csv->separator && *end != '\n')
        return take_any_cell(parser, c);
    if ((column->takes >> number.type & 1) == 0)
        return take_any_cell(parser, c);
    if (csv->missing_count > 0 && is_missing_number(csv, c, number))
        put_missing(parser, column);
    else
        put(column, &number);
    parser->at = csv->separator == ' ' ? cli_csv_skip_rest(csv, end) : end;
    return true;
}

static bool take_row(struct parser *parser)
{
    const struct cli_csv *csv = parser->csv;
    const char *row = parser->at;
    for (size_t c = 0; c < csv->columns; c++) {
        if (!take_cell(parser, c))
            return false;
        if (*parser->at == '\n') {
            parser->at++;
            parser->row++;
            return c + 1 == csv->columns || fail_count(parser, row, c + 1);
        }
        parser->at = cli_csv_skip_separator(csv, parser->at);
    }
    return fail_count(parser, row, csv->columns + 1);
}

static bool take_rows(struct parser *parser)
{
    const char *zero = memchr(parser->text, '\0', (size_t)(parser->end - parser->text));
    if (zero != NULL) {
        fail(parser, zero, 0, CLI_CSV_ZERO_BYTE);
        parser->error->column = 0;
        return false;
    }
    for (;;) {
        parser->at = cli_csv_find_row(parser->csv, parser->at, parser->end, &parser->comment_lines);
        if (parser->at >= parser->end)
            return true;
        if (!take_row(parser))
            return false;
    }
}

/* ---- Scratch memory ---------------------------------------------------------------------------*/

struct cli_csv_scratch *cli_csv_scratch_create(const struct cli_csv *csv, const bool *is_wanted)
{
    cli_csv_prepare_numbers();
    struct cli_csv_scratch *scratch = calloc(1, sizeof *scratch);
    struct column *columns = calloc(csv->columns, sizeof *columns);
    struct cli_csv_column *wanted = calloc(csv->columns, sizeof *wanted);
    if (scratch == NULL || columns == NULL || wanted == NULL) {
        free(scratch);
        free(columns);
        free(wanted);
        return NULL;
    }
    *scratch = (struct cli_csv_scratch){.csv = csv, .columns = columns, .wanted = wanted};
    for (size_t c = 0; c < csv->columns; c++) {
        columns[c].is_wanted = is_wanted == NULL || is_wanted[c];
        scratch->wanted_count += columns[c].is_wanted;
    }
    return scratch;
}

bool cli_csv_scratch_want_text(struct cli_csv_scratch *scratch, const bool *wants_text)
{
    const size_t columns = scratch->csv->columns;
    scratch->wants_text = calloc(columns, sizeof *scratch->wants_text);
    scratch->texts = calloc(columns, sizeof *scratch->texts);
    for (size_t c = 0; c < columns && scratch->wants_text != NULL; c++) {
        scratch->wants_text[c] = wants_text[c];
        scratch->text_count += wants_text[c];
    }
    return scratch->wants_text != NULL && scratch->texts != NULL;
}

void cli_csv_scratch_release(struct cli_csv_scratch *scratch)
{
    if (scratch == NULL)
        return;
    for (size_t t = 0; t < scratch->text_count; t++)
        free(scratch->texts[t]);
    free(scratch->texts);
    free(scratch->wants_text);
    free(scratch->columns);
    free(scratch->wanted);
    free(scratch->memory);
    free(scratch);
}

/* An upper bound: every row except the last has a newline, and every cell a separator or a newline.
 */
static size_t count_most_rows(const struct cli_csv *csv, size_t newlines, size_t bytes)
{
    const size_t most = bytes / csv->columns + 1;
    return newlines + 1 < most ? newlines + 1 : most;
}

/* The kind of a column's values, if the first rows determine it: numbers, booleans, or
 * CLI_CSV_MISSING. */
static enum cli_csv_type find_kind(const struct cli_csv *csv, size_t c)
{
    const enum cli_csv_type type = csv->types != NULL ? csv->types[c] : CLI_CSV_MISSING;
    if (type == CLI_CSV_MISSING || type == CLI_CSV_TEXT)
        return CLI_CSV_MISSING;
    return type == CLI_CSV_BOOLEAN ? CLI_CSV_BOOLEAN : CLI_CSV_INTEGER;
}

static bool prepare_texts(struct cli_csv_scratch *scratch, size_t rows)
{
    size_t t = 0;
    for (size_t c = 0; c < scratch->csv->columns && scratch->text_count > 0; c++) {
        if (!scratch->wants_text[c])
            continue;
        if (rows > scratch->text_rows) {
            free(scratch->texts[t]);
            scratch->texts[t] = calloc(rows, sizeof *scratch->texts[t]);
        }
        if (scratch->texts[t] == NULL)
            return false;
        scratch->columns[c].texts = scratch->texts[t++];
    }
    scratch->text_rows = rows > scratch->text_rows ? rows : scratch->text_rows;
    return true;
}

/* Makes all columns empty, with memory for `rows` rows. */
static bool prepare(struct cli_csv_scratch *scratch, size_t rows)
{
    const size_t words = (rows + 63) / 64, column_bytes = (rows + 2 * words) * sizeof(uint64_t);
    if (column_bytes * scratch->wanted_count > scratch->bytes) {
        free(scratch->memory);
        scratch->bytes = column_bytes * scratch->wanted_count;
        scratch->memory = malloc(scratch->bytes);
        if (scratch->memory == NULL) {
            scratch->bytes = 0;
            return false;
        }
    }
    unsigned char *memory = scratch->memory;
    for (size_t c = 0; c < scratch->csv->columns; c++) {
        struct column *column = &scratch->columns[c];
        *column =
            (struct column){.is_wanted = column->is_wanted, .type = find_kind(scratch->csv, c)};
        if (!column->is_wanted)
            continue;
        column->missing = (uint64_t *)(void *)memory;
        column->odd_bits = column->missing + words;
        column->words = words;
        column->values.integers = column->odd_bits + words;
        memset(column->missing, 0, words * sizeof(uint64_t));
        memory += column_bytes;
    }
    return prepare_texts(scratch, rows);
}

static void give(const struct cli_csv_scratch *scratch)
{
    struct cli_csv_column *next = scratch->wanted;
    for (size_t c = 0; c < scratch->csv->columns; c++) {
        const struct column *column = &scratch->columns[c];
        if (!column->is_wanted)
            continue;
        *next = (struct cli_csv_column){.type = column->type,
                                        .count = column->count,
                                        .missing_count = column->missing_count,
                                        .missing = column->missing,
                                        .odd_bits = column->odd.count > 0 ? column->odd_bits : NULL,
                                        .odd = column->odd,
                                        .other_count = column->other_count};
        if (cli_csv_is_double(column->type))
            next->values.reals = column->values.reals;
        else
            next->values.unsigneds = column->values.integers;
        next++;
    }
}

bool cli_csv_parse(struct cli_csv_scratch *scratch, char *text, size_t bytes,
                   struct cli_csv_block *block, struct cli_csv_error *error)
{
    const size_t newlines = count_newlines(text, text + bytes);
    if (bytes > 0 && text[bytes - 1] != '\n')
        text[bytes++] = '\n';
    struct parser parser = {.csv = scratch->csv,
                            .columns = scratch->columns,
                            .decimal = cli_csv_decimal(scratch->csv, false),
                            .text = text,
                            .at = text,
                            .end = text + bytes,
                            .error = error};
    if (!prepare(scratch, count_most_rows(scratch->csv, newlines, bytes))) {
        *error = (struct cli_csv_error){.message = CLI_CSV_NO_MEMORY};
        return false;
    }
    if (!take_rows(&parser))
        return false;
    give(scratch);
    *block = (struct cli_csv_block){.rows = parser.row,
                                    .lines = newlines,
                                    .comment_lines = parser.comment_lines,
                                    .columns = scratch->wanted,
                                    .texts = scratch->texts};
    return true;
}
