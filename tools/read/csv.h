/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables in text: comma-separated values, and those with other separators. Pure functions on
 * memory; the caller reads the file. cli_csv_open recognises the dialect and the columns from a
 * file's first bytes; cli_csv_split finds where a block of whole rows ends; cli_csv_parse reads the
 * numbers of a block, any number of blocks at a time, each with its own scratch memory.
 *
 * A row ends with a newline, or a carriage return and a newline; the last one may lack it. A row
 * that is blank is skipped, and so is a comment: a line that begins with the comment mark, if the
 * table has one, and the rest of a line from a mark after a blank on, outside quotes. Every other
 * row has as many cells as the first one: more or fewer are an error. A cell that begins with the
 * quote continues to the next quote that is not doubled, over separators and newlines; after it
 * only blanks may follow. A quote elsewhere in a cell is an ordinary character. Blanks around a
 * cell, and inside its quotes, are ignored.
 *
 * The value of a cell, in quotes or not:
 *   missing   nothing, or one of pandas' words: NA N/A n/a #N/A <NA> null NULL None and such
 *   boolean   true True TRUE false False FALSE
 *   integer   digits, perhaps after a sign
 *   real      digits with a decimal point or an exponent, rounded to the nearest double; inf,
 *             infinity and nan in upper or lower case, perhaps after a sign, and 1.#INF, 1.#IND and
 *             1.#QNAN, as older C libraries of Windows write them (of pandas' words for a
 *             missing value nan is one; here it is a value)
 *   text      all else: hexadecimal numbers, digits in groups, dates, words
 */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CLI_CSV_SAMPLE_BYTES = 1 << 20,   /* how many first bytes cli_csv_open needs */
    CLI_CSV_MOST_ROW_BYTES = 1 << 26, /* with the newline; a caller refuses a longer row */
    CLI_CSV_MOST_COLUMNS = 1 << 16,
    CLI_CSV_PADDING = 16, /* bytes after a block that the caller owns, too */
    CLI_CSV_MESSAGE_BYTES = 160,
    CLI_CSV_ODD_BYTES = 40,
    CLI_CSV_COMMENT_BYTES = 4, /* of a mark, with the zero at its end */
};

/* ---- How a table is written -------------------------------------------------------------------*/

enum cli_csv_header { CLI_CSV_GUESS_HEADER, CLI_CSV_HEADER, CLI_CSV_NO_HEADER };

/* The user's options; all zero: everything is recognised. */
struct cli_csv_options {
    char
        separator; /* ' ': runs of blanks. 0: the one of , ; tab | blanks that fits the rows best */
    char quote;    /* 0: '"' */
    bool has_no_quotes;
    char decimal; /* '.' or ','. 0: ',' if cells have it as a decimal comma and none has a '.'; else
                     '.'. If the separator is ',', too, only quoted cells have decimals */
    enum cli_csv_header header;
    char comment[CLI_CSV_COMMENT_BYTES]; /* "": the one of # % // with which the first line begins,
                                            or else a line that has not the number of cells */
    bool has_no_comments;
    const char *missing; /* values with commas, each of all columns, or COLUMN=VALUE,
                            where COLUMN is a name or @NUMBER; NULL: none */
};

/* The type of a cell, and the common type of the cells of a column: cli_csv_join. Integers are
 * distinguished by the type that represents them. */
enum cli_csv_type {
    CLI_CSV_MISSING, /* nothing */
    CLI_CSV_BOOLEAN,
    CLI_CSV_INTEGER,  /* int64_t and uint64_t */
    CLI_CSV_SIGNED,   /* int64_t: some are negative */
    CLI_CSV_UNSIGNED, /* uint64_t: some are 2^63 or more */
    CLI_CSV_WIDE,     /* neither: they are rounded to doubles */
    CLI_CSV_REAL,
    CLI_CSV_TEXT,
};

/* Cells of a column whose value is of another kind: text among numbers, numbers among booleans. */
struct cli_csv_odd {
    uint64_t count;
    uint64_t other_decimal_count; /* of text that would be a number with the other decimal mark */
    uint64_t row;                 /* of the first one, from 0 */
    char text[CLI_CSV_ODD_BYTES]; /* the beginning of its text; doubled quotes are one */
};

/* The hint that follows the first odd cell in a message: " (decimal commas? --decimal ,)" if all of
 * them would be numbers then, and the option is not given; or "". */
struct cli_csv;
const char *cli_csv_decimal_hint(const struct cli_csv *csv, const struct cli_csv_odd *odd);

/* The cells of a column in some rows that have a value. */
struct cli_csv_census {
    size_t count; /* of numbers, or of booleans */
    bool is_boolean;
    struct cli_csv_odd odd;
};

/* A value that means that a cell has none: a word, or a number. */
struct cli_csv_missing;

struct cli_csv {
    char separator; /* ' ': runs of blanks */
    char quote;     /* '\0': none */
    char decimal;
    bool is_decimal_given; /* by the option */
    /* Whether commas might as well be of the other kind: every number that has one has three digits
     * after it, and the option is not given. */
    bool is_unsure_of_decimal;
    char comment[CLI_CSV_COMMENT_BYTES]; /* "": none */
    bool has_header;
    size_t data_offset;   /* bytes before the first row of values: a byte order mark, the header */
    size_t data_line;     /* lines before it */
    size_t comment_lines; /* of these */
    size_t columns;
    char **names; /* of the columns, by the header, or else by a comment before the first
                     row that has as many words: "column 3" where a name is empty or
                     there is none; two may be the same, with any byte but '\0' */
    enum cli_csv_type *types;        /* of the columns in the rows that cli_csv_open read */
    struct cli_csv_census *census;   /* of these rows, too */
    struct cli_csv_missing *missing; /* of options.missing */
    size_t missing_count;
};

/* An error, and where it is. */
struct cli_csv_error {
    size_t line;   /* from 1, in the given text; 0: not in a line */
    size_t column; /* from 1; 0: not in a column */
    char message[CLI_CSV_MESSAGE_BYTES];
    /* Where the text ends too early; with more text it may have no error. */
    enum { CLI_CSV_NO_END, CLI_CSV_END_OF_ROW, CLI_CSV_END_OF_QUOTE } within;
};

/* After CLI_CSV_MOST_ROW_BYTES of a row: it is too long. */
void cli_csv_refuse_length(struct cli_csv_error *error);

/* What follows the first bytes of a table. */
enum cli_csv_rest {
    CLI_CSV_MORE,
    CLI_CSV_NOTHING, /* they are the whole table, whose last row may lack its newline */
    CLI_CSV_UNREAD,  /* bytes that will not be read: the last row may be truncated */
};

/* Recognises the dialect of a table from its first bytes: CLI_CSV_SAMPLE_BYTES of them, or fewer if
 * no more will be read. The first row is a header if it has text in a column that has numbers
 * below, or if no column has numbers. Returns false and the error, or the table's description,
 * which the caller closes. If the first two rows are not among the bytes, error->within says so,
 * and the caller passes more bytes, up to CLI_CSV_MOST_ROW_BYTES, for which one row is enough. */
bool cli_csv_open(const char *text, size_t bytes, enum cli_csv_rest rest,
                  const struct cli_csv_options *options, struct cli_csv *csv,
                  struct cli_csv_error *error);
void cli_csv_close(struct cli_csv *csv);

/* The type of a column with cells of both types: booleans among numbers are text, integers among
 * reals are reals. */
enum cli_csv_type cli_csv_join(enum cli_csv_type a, enum cli_csv_type b);

/* Whether a column is one of numbers, or of booleans, although it has odd cells: it has one in ten
 * at most. */
static inline bool cli_csv_is_nearly_all(uint64_t count, uint64_t odd)
{
    return count / 9 >= odd && count > 0;
}

/* Whether the values of a column are doubles. */
static inline bool cli_csv_is_double(enum cli_csv_type type)
{
    return type == CLI_CSV_WIDE || type == CLI_CSV_REAL;
}

/* ---- Blocks -----------------------------------------------------------------------------------*/

/* Returns the number of bytes up to and including the last end of a row; the text begins with a
 * row. 0: the text has only a part of a row. A caller that has CLI_CSV_MOST_ROW_BYTES of it refuses
 * the row (usually a quote is open; cli_csv_parse, of this part of a row, reports it). */
size_t cli_csv_split(const struct cli_csv *csv, const char *text, size_t bytes);

/* A column's cells in a block. Whether it has numbers or booleans is known from the first rows, or
 * else by its first cell with a value; cells with other values, and text, are odd. */
struct cli_csv_column {
    enum cli_csv_type type; /* of the values; never text */
    size_t count;           /* of values, in the order of rows */
    union {
        const int64_t *integers;   /* of booleans (0 and 1) and integers */
        const uint64_t *unsigneds; /* if the type is CLI_CSV_UNSIGNED */
        const double *reals;       /* each cell's, if cli_csv_is_double */
    } values;
    size_t missing_count;     /* of cells without a value, and of odd ones */
    const uint64_t *missing;  /* bit r % 64 of word r / 64: row r's cell is one of these */
    const uint64_t *odd_bits; /* the same bits, of odd cells; NULL: there are none */
    struct cli_csv_odd odd;
    size_t other_count; /* of odd cells: numbers among booleans, or booleans among numbers */
};

/* A cell's text, within the block; empty if it has no value. */
struct cli_csv_text {
    const char *begin;
    size_t length;
    bool has_quotes; /* doubled ones: the text has the first of each */
};

struct cli_csv_block {
    size_t rows;  /* without blank ones; a column has count + missing_count of them */
    size_t lines; /* newlines, to count lines on */
    size_t comment_lines;
    const struct cli_csv_column *columns; /* the selected ones, in the order of the table */
    struct cli_csv_text **texts; /* of each row, of the columns of cli_csv_scratch_want_text */
};

/* A thread's memory for blocks: it grows with the largest block, to at most 10 times its size and
 * some bytes for each column. */
struct cli_csv_scratch;

/* Returns NULL if memory runs out. is_wanted: for each column; NULL: all. The cells of the others
 * are skipped. The description must outlive this. */
struct cli_csv_scratch *cli_csv_scratch_create(const struct cli_csv *csv, const bool *is_wanted);
/* Also returns the text of these columns, which are not among the selected ones. False: out of
 * memory. */
bool cli_csv_scratch_want_text(struct cli_csv_scratch *scratch, const bool *wants_text);
void cli_csv_scratch_release(struct cli_csv_scratch *scratch);

/* Reads a block of whole rows. It ends with a newline, except perhaps the table's last one. It is
 * followed by CLI_CSV_PADDING bytes that can be read, one of which is written if the newline is
 * missing; bytes within are overwritten and restored. Returns false and the error, or the block,
 * whose columns are valid until the next block. */
bool cli_csv_parse(struct cli_csv_scratch *scratch, char *text, size_t bytes,
                   struct cli_csv_block *block, struct cli_csv_error *error);

#endif
