/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of figures: a row for each figure, with its label, and a column for each series. A single
 * column is printed without alignment. Several have a line of names and are right-aligned, as many
 * side by side as the width allows, and the others below.
 */
#ifndef CLI_COLUMN_TABLE_H
#define CLI_COLUMN_TABLE_H

#include "tools/failure.h"

#include <stdbool.h>
#include <stddef.h>

enum { CLI_COLUMN_TABLE_LABEL_BYTES = 80 };

struct cli_column_table {
    size_t column_count, row_count;
    struct cli_column_table_row *rows;
};

/* The initial table: {.column_count = n}. Adds a row; NULL: out of memory. The label is copied. */
struct cli_column_table_row *cli_column_table_add(struct cli_column_table *table,
                                                  const char *label);

/* Writes a cell of the row. */
bool cli_column_table_write(struct cli_column_table_row *row, size_t column, const char *format,
                            ...) __attribute__((format(printf, 3, 4)));

/* Prints it on standard output, within `width` characters if possible. */
void cli_column_table_print(const struct cli_column_table *table, size_t width);
void cli_column_table_free(struct cli_column_table *table);

#endif
