/* SPDX-License-Identifier: Apache-2.0
 *
 * One cell of a table in text: where it ends, and its value (csv.h). The text ends with a newline,
 * followed by CLI_CSV_PADDING bytes that can be read.
 */
#ifndef CLI_CSV_CELL_H
#define CLI_CSV_CELL_H

#include "tools/read/csv.h"
#include "tools/read/csv_number.h"

/* Messages of errors. */
#define CLI_CSV_NO_MEMORY "there is not enough memory"
#define CLI_CSV_ZERO_BYTE "a byte is zero: not text, or UTF-16 text"

struct cli_csv_cell {
    char *begin, *end; /* within the quotes, if there are quotes */
    bool is_quoted;
    const char *failure; /* its error */
    bool is_open;        /* the error is an open quote */
};

static inline bool cli_csv_is_blank(const struct cli_csv *csv, char byte)
{
    return byte == ' ' || byte == '\r' || (byte == '\t' && csv->separator != '\t');
}

static inline char *cli_csv_skip_blanks(const struct cli_csv *csv, char *at)
{
    while (cli_csv_is_blank(csv, *at))
        at++;
    return at;
}

/* The recognised comment mark with which a line begins, after blanks; NULL: none. A cell that is
 * missing, such as #N/A, is not one. */
const char *cli_csv_find_mark(const char *line);

/* Whether the comment mark is here; the text ends with a newline, which no mark has. */
static inline bool cli_csv_is_mark(const struct cli_csv *csv, const char *at)
{
    const char *mark = csv->comment;
    while (*mark != '\0' && *mark == *at)
        mark++, at++;
    return *mark == '\0' && mark > csv->comment;
}

/* Whether the cell that begins here is one of the words for a missing value that begin with a
 * comment mark: #N/A, #NA, #N/A N/A. */
bool cli_csv_is_missing_mark(const struct cli_csv *csv, const char *at);

/* Whether a comment begins where a cell may begin. */
static inline bool cli_csv_is_comment(const struct cli_csv *csv, const char *at)
{
    return cli_csv_is_mark(csv, at) && !cli_csv_is_missing_mark(csv, at);
}

/* After a cell, skips blanks, and a comment to the end of its line. If blanks are separators, the
 * next cell may begin there. */
static inline char *cli_csv_skip_rest(const struct cli_csv *csv, char *at)
{
    at = cli_csv_skip_blanks(csv, at);
    if (csv->separator == ' ' ? cli_csv_is_comment(csv, at) : cli_csv_is_mark(csv, at))
        while (*at != '\n')
            at++;
    return at;
}

/* Continues from the end of a cell, which is not the end of a row, to the next one. */
static inline char *cli_csv_skip_separator(const struct cli_csv *csv, char *at)
{
    return csv->separator == ' ' ? cli_csv_skip_rest(csv, at) : at + 1;
}

/* Returns where the next row begins that is neither blank nor a comment, or the end; counts lines
 * of comments. */
char *cli_csv_find_row(const struct cli_csv *csv, char *at, const char *end, size_t *comment_lines);

/* Reads the cell that begins at a position. Returns the separator after it, or the newline; with
 * runs of blanks, where the next cell begins, or the newline; NULL: an error. */
char *cli_csv_take_cell(const struct cli_csv *csv, char *at, char *end, struct cli_csv_cell *cell);

/* Returns the closing quote of a quoted cell, one that is not doubled, or NULL. */
const char *cli_csv_find_quote(char quote, const char *at, const char *end);

/* The decimal mark in a cell. If it is the separator, too, only quoted cells have it; then '\0',
 * which no text has. */
static inline char cli_csv_decimal(const struct cli_csv *csv, bool is_quoted)
{
    return csv->decimal == csv->separator && !is_quoted ? '\0' : csv->decimal;
}

/* The type of a cell; stores the number, a boolean as the integer 0 or 1. */
enum cli_csv_type cli_csv_read_cell(const struct cli_csv *csv, const struct cli_csv_cell *cell,
                                    struct cli_number *number);

/* Whether the cell is a number with commas between thousands, two of them or a decimal point, so
 * that these cannot be decimal: 1,234,567 or 1,234.5. */
bool cli_csv_is_thousands(const struct cli_csv_cell *cell);

/* Whether a cell of text shows that the decimal mark is the other one: it is a number with that, or
 * has such commas. */
bool cli_csv_has_other_decimal(const struct cli_csv *csv, const struct cli_csv_cell *cell);

static inline double cli_csv_to_double(const struct cli_number *number)
{
    int64_t with_sign;
    memcpy(&with_sign, &number->integer, sizeof with_sign);
    if (cli_csv_is_double(number->type))
        return number->real;
    return number->type == CLI_CSV_UNSIGNED ? (double)number->integer : (double)with_sign;
}

#endif
