/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's values for missing cells (struct cli_csv_options.missing). A value that is
 * a number, with a decimal point, matches every cell with that number (-999 matches -999.0);
 * another one matches cells with that text. A value applies to all columns, or to one: NAME=VALUE
 * or @NUMBER=VALUE.
 */
#ifndef CLI_CSV_MISSING_H
#define CLI_CSV_MISSING_H

#include "tools/read/csv_cell.h"

struct cli_csv_missing {
    size_t column; /* SIZE_MAX: all */
    const char *text;
    size_t length;
    bool is_number;
    struct cli_number number;
};

/* Reads the list, whose text is borrowed, into csv->missing: values of all columns, since their
 * names are unknown. False: out of memory. */
bool cli_csv_missing_read(struct cli_csv *csv, const char *list);

/* Whether a word is an @ and digits: a column's number, never a name. */
bool cli_csv_is_numbered(const char *word, size_t length);

/* The column with this number, from 1; SIZE_MAX: there is none. */
size_t cli_csv_find_numbered(const struct cli_csv *csv, const char *digits, size_t length);

/* Once the columns have names: finds the columns of values NAME=VALUE. Returns whether there are
 * any. */
bool cli_csv_missing_find_columns(struct cli_csv *csv);

/* Whether a cell of column c has one of the values. The cell is used for text and booleans. */
bool cli_csv_is_missing(const struct cli_csv *csv, size_t c, const struct cli_csv_cell *cell,
                        enum cli_csv_type type, const struct cli_number *number);

#endif
