/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of figures: a row for each figure, with its label, and a column for each series. A single
 * column is printed without alignment. Several have a line of names and are right-aligned, as many
 * side by side as the width allows, and the others below.
 */
#ifndef CLI_SHEET_H
#define CLI_SHEET_H

#include "tools/failure.h"

#include <stdbool.h>
#include <stddef.h>

enum { CLI_SHEET_LABEL_BYTES = 20 };

struct cli_sheet {
    size_t column_count, row_count;
    struct cli_sheet_row *rows;
};

/* The initial table: {.column_count = n}. Adds a row; NULL: out of memory. The label is copied. */
struct cli_sheet_row *cli_sheet_add(struct cli_sheet *sheet, const char *label);

/* Writes a cell of the row. */
bool cli_sheet_write(struct cli_sheet_row *row, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints it on standard output, within `width` characters if possible. */
void cli_sheet_print(const struct cli_sheet *sheet, size_t width);
void cli_sheet_free(struct cli_sheet *sheet);

#endif
