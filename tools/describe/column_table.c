/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of figures.
 */
#include "tools/describe/column_table.h"

#include "tools/escape.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_LABEL_WIDTH = 20, INDENT = 2, GAP = 2, MOST_ROWS = 192, CELL_BYTES = 256 };

struct cli_column_table_row {
    char label[CLI_COLUMN_TABLE_LABEL_BYTES];
    size_t column_count;
    char **cells; /* NULL: empty */
};

struct cli_column_table_row *cli_column_table_add(struct cli_column_table *table, const char *label)
{
    if (table->rows == NULL)
        table->rows = calloc(MOST_ROWS, sizeof *table->rows);
    if (table->rows == NULL || table->row_count == MOST_ROWS)
        return NULL;
    struct cli_column_table_row *row = &table->rows[table->row_count];
    snprintf(row->label, sizeof row->label, "%s", label);
    row->column_count = table->column_count;
    row->cells = calloc(table->column_count, sizeof *row->cells);
    table->row_count += row->cells != NULL;
    return row->cells != NULL ? row : NULL;
}

bool cli_column_table_write(struct cli_column_table_row *row, size_t column, const char *format,
                            ...)
{
    char text[CELL_BYTES];
    va_list arguments;
    if (row == NULL)
        return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    free(row->cells[column]);
    row->cells[column] = cli_escape(text);
    return row->cells[column] != NULL;
}

/* ---- Printing ---------------------------------------------------------------------------------*/

static const char *cell(const struct cli_column_table_row *row, size_t column)
{
    return row->cells[column] != NULL ? row->cells[column] : "";
}

/* The approximate width of a UTF-8 text on a terminal: its number of characters. */
static size_t count_characters(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static size_t measure(const struct cli_column_table *table, size_t column)
{
    size_t width = 0;
    for (size_t r = 0; r < table->row_count; r++) {
        const size_t length = count_characters(cell(&table->rows[r], column));
        width = length > width ? length : width;
    }
    return width;
}

/* The width of labels, with the gap after them. */
static size_t measure_label(const struct cli_column_table *table)
{
    size_t width = LEAST_LABEL_WIDTH;
    for (size_t r = 0; r < table->row_count; r++) {
        const size_t length = strlen(table->rows[r].label) + GAP;
        width = length > width ? length : width;
    }
    return width;
}

static void print_one(const struct cli_column_table *table)
{
    const int label_width = (int)measure_label(table);
    for (size_t r = 0; r < table->row_count; r++)
        printf("%*s%-*s%s\n", INDENT, "", label_width, table->rows[r].label,
               cell(&table->rows[r], 0));
}

/* Prints the columns from `first` to before `end`. */
static void print_columns(const struct cli_column_table *table, size_t first, size_t end,
                          const size_t *widths)
{
    const int label_width = (int)measure_label(table) - GAP;
    for (size_t r = 0; r < table->row_count; r++) {
        printf("%*s%-*s", INDENT, "", label_width, table->rows[r].label);
        for (size_t c = first; c < end; c++) {
            const char *text = cell(&table->rows[r], c);
            printf("%*s%s", (int)(GAP + widths[c] - count_characters(text)), "", text);
        }
        putchar('\n');
    }
}

/* The end of the columns that fit next to `first`. */
static size_t find_end(const struct cli_column_table *table, size_t first, const size_t *widths,
                       size_t width)
{
    size_t end = first + 1, taken = INDENT + measure_label(table) + widths[first];
    while (end < table->column_count && taken + GAP + widths[end] <= width)
        taken += GAP + widths[end++];
    return end;
}

void cli_column_table_print(const struct cli_column_table *table, size_t width)
{
    size_t *widths = table->column_count > 1 ? calloc(table->column_count, sizeof *widths) : NULL;
    if (widths == NULL) {
        print_one(table);
        return;
    }
    for (size_t c = 0; c < table->column_count; c++)
        widths[c] = measure(table, c);
    for (size_t first = 0; first < table->column_count;) {
        const size_t end = find_end(table, first, widths, width);
        if (first > 0)
            putchar('\n');
        print_columns(table, first, end, widths);
        first = end;
    }
    free(widths);
}

void cli_column_table_free(struct cli_column_table *table)
{
    for (size_t r = 0; r < table->row_count; r++) {
        for (size_t c = 0; c < table->column_count; c++)
            free(table->rows[r].cells[c]);
        free(table->rows[r].cells);
    }
    free(table->rows);
    *table = (struct cli_column_table){.column_count = table->column_count};
}
