/* SPDX-License-Identifier: Apache-2.0
 *
 * A sheet of figures: a row for each figure, with its label, and a column for each series. One
 * column is printed as it is; several get a line of names and stand aligned at their right ends, as
 * many beside one another as the width allows, and the others below.
 */
#ifndef CLI_SHEET_H
#define CLI_SHEET_H

#include "src/cli/failure.h"

#include <stdbool.h>
#include <stddef.h>

enum { CLI_SHEET_LABEL_BYTES = 20 };

struct cli_sheet {
    size_t column_count, row_count;
    struct cli_sheet_row *rows;
};

/* The sheet is empty at first: {.column_count = n}. Adds a row; NULL: there is no memory. The label
 * is copied. */
struct cli_sheet_row *cli_sheet_add(struct cli_sheet *sheet, const char *label);

/* Writes a cell of the row. */
bool cli_sheet_write(struct cli_sheet_row *row, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints it on standard output, within `width` characters where that is possible. */
void cli_sheet_print(const struct cli_sheet *sheet, size_t width);
void cli_sheet_free(struct cli_sheet *sheet);

#endif
