/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows. Cells are written twice, to measure the columns and to print them, so that thousands of
 * rows need no memory.
 */
#include "tools/describe/print.h"

#include "tools/describe/plot.h"
#include "tools/escape.h"
#include "tools/read/element.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW_DIGITS = 6,
    LEAST_DIGITS = 4,
    GAP = 2,
    MOST_NAME = 40,
    LEAST_NAME = 12,
    CELL_BYTES = 256
};

/* The kinds of columns, in their order; there is a QUANTILE column for each quantile. */
enum kind {
    NAME,
    COUNT,
    MISSING,
    ODD,
    NANS,
    INFINITIES,
    MINIMUM,
    MEDIAN,
    QUANTILE,
    MEAN,
    MAXIMUM,
    DEVIATION,
    SKEWNESS,
    HISTOGRAM,
};

enum { MOST_COLUMNS = HISTOGRAM + CLI_MOST_QUANTILES };

struct column {
    enum kind kind;
    size_t quantile;
    size_t width, after; /* in characters: of the column, and from the decimal point on */
};

struct grid {
    const struct cli_description *description;
    const struct cli_figures *figures;
    unsigned digits;
    size_t bins; /* of histograms */
    size_t column_count;
    struct column columns[MOST_COLUMNS];
};

/* ---- Cells ------------------------------------------------------------------------------------*/

static void write_name(const char *name, size_t width, char cell[CELL_BYTES])
{
    char *escaped = cli_escape(name != NULL ? name : "");
    size_t bytes = 0;
    for (size_t characters = 0; escaped != NULL && escaped[bytes] != '\0'; bytes++) {
        characters += ((unsigned char)escaped[bytes] & 0xc0) != 0x80;
        if (characters > width || bytes == CELL_BYTES - 4)
            break;
    }
    if (escaped != NULL && escaped[bytes] != '\0')
        while (bytes > 0 && ((unsigned char)escaped[--bytes] & 0xc0) == 0x80)
            continue;
    snprintf(cell, CELL_BYTES, "%.*s%s", (int)bytes, escaped != NULL ? escaped : "",
             escaped != NULL && escaped[bytes] != '\0' ? "~" : "");
    free(escaped);
}

/* Writes the names of the described column and of the key. */
static void write_group_head(const struct cli_description *description, char cell[CELL_BYTES])
{
    char name[CELL_BYTES], by[CELL_BYTES];
    write_name(description->series_names[0], MOST_NAME / 2, name);
    write_name(description->by, MOST_NAME / 2, by);
    snprintf(cell, CELL_BYTES, "%.100s by %.100s", name, by);
}

static const char *name_row(const struct cli_description *description, size_t s)
{
    if (description->by != NULL)
        return description->groups.keys[s].length > 0 ? description->groups.keys[s].text : "none";
    return description->series_names != NULL ? description->series_names[s] : "all";
}

static void write_head(const struct grid *grid, const struct column *column, char cell[CELL_BYTES])
{
    static const char *const heads[] = {
        [NAME] = "",
        [COUNT] = "count",
        [MISSING] = "missing",
        [ODD] = "text",
        [NANS] = "NaN",
        [INFINITIES] = "infinite",
        [MINIMUM] = "minimum",
        [MEDIAN] = "median",
        [QUANTILE] = "",
        [MEAN] = "mean",
        [MAXIMUM] = "maximum",
        [DEVIATION] = "std. dev.",
        [SKEWNESS] = "skewness",
        [HISTOGRAM] = "histogram",
    };
    const struct cli_description *description = grid->description;
    snprintf(cell, CELL_BYTES, "%s", heads[column->kind]);
    if (column->kind == NAME && description->by != NULL)
        write_group_head(description, cell);
    else if (column->kind == NAME)
        snprintf(cell, CELL_BYTES, "%s", description->table != NULL ? "column" : "series");
    if (column->kind != QUANTILE)
        return;
    const struct cli_distribution *distribution = description->series[0].distribution;
    assert(distribution != NULL);
    char number[CLI_NUMBER_BYTES];
    cli_double_write(distribution->quantiles[column->quantile].probability, number);
    snprintf(cell, CELL_BYTES, "q %s", number);
}

/* Writes a histogram with neighbouring bins combined, so that it fits. */
static void write_histogram(const struct grid *grid, const struct cli_distribution *distribution,
                            char cell[CELL_BYTES])
{
    struct cli_histogram few = distribution->histogram;
    const size_t each = (few.bins + grid->bins - 1) / grid->bins;
    char text[CLI_PLOT_CELL_BYTES] = "";
    for (size_t b = 0; b < few.bins && each > 1; b++) {
        const uint64_t count = few.counts[b];
        few.counts[b] = 0;
        few.counts[b / each] += count;
    }
    few.bins = each > 1 ? (few.bins + each - 1) / each : few.bins;
    if (distribution->has_histogram && few.bins > 0)
        cli_plot_cells(&few, text);
    snprintf(cell, CELL_BYTES, "%s", text);
}

static void write_count(uint64_t count, char cell[CELL_BYTES])
{
    snprintf(cell, CELL_BYTES, "%" PRIu64, count);
}

static void write_figure(const struct grid *grid, const char *figure, char cell[CELL_BYTES])
{
    cli_figure rounded;
    cli_figure_round(figure, grid->digits, rounded);
    snprintf(cell, CELL_BYTES, "%s", rounded[0] != '\0' ? rounded : "none");
}

static void write_cell(const struct grid *grid, const struct column *column, size_t s,
                       char cell[CELL_BYTES])
{
    const struct cli_description *description = grid->description;
    const struct cli_summary *summary = &description->series[s];
    const struct cli_figures *figures = &grid->figures[s];
    const struct cli_distribution *distribution = summary->distribution;
    switch (column->kind) {
    case NAME:
        write_name(name_row(description, s), column->width > 0 ? column->width : MOST_NAME, cell);
        return;
    case COUNT:
        write_count(summary->rows, cell);
        return;
    case MISSING:
        write_count(summary->missing, cell);
        return;
    case ODD:
        write_count(summary->odd.count, cell);
        return;
    case NANS:
        write_count(summary->part.nans, cell);
        return;
    case INFINITIES:
        write_count(summary->part.infinities, cell);
        return;
    case MEDIAN:
        write_figure(grid, distribution->median.text, cell);
        return;
    case QUANTILE:
        write_figure(grid, distribution->quantiles[column->quantile].text, cell);
        return;
    case HISTOGRAM:
        write_histogram(grid, distribution, cell);
        return;
    default:
        write_figure(grid,
                     column->kind == MINIMUM     ? figures->extremes[CLI_MINIMUM]
                     : column->kind == MAXIMUM   ? figures->extremes[CLI_MAXIMUM]
                     : column->kind == MEAN      ? figures->mean
                     : column->kind == DEVIATION ? figures->deviation
                                                 : figures->skewness,
                     cell);
    }
}

/* ---- Columns ----------------------------------------------------------------------------------*/

static size_t count_characters(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static bool is_left_aligned(const struct column *column)
{
    return column->kind == NAME || column->kind == HISTOGRAM;
}

/* The number of characters from the decimal point on. */
static size_t count_after(const struct column *column, const char *cell)
{
    const char *point = is_left_aligned(column) ? NULL : strchr(cell, '.');
    return point != NULL ? strlen(point) : 0;
}

static void measure(const struct grid *grid, struct column *column)
{
    char cell[CELL_BYTES];
    size_t before = 0;
    for (size_t s = 0; s < grid->description->series_count; s++) {
        write_cell(grid, column, s, cell);
        const size_t after = count_after(column, cell);
        const size_t rest = count_characters(cell) - after;
        before = rest > before ? rest : before;
        column->after = after > column->after ? after : column->after;
    }
    write_head(grid, column, cell);
    const size_t head = count_characters(cell);
    column->width = before + column->after > head ? before + column->after : head;
}

static void add_column(struct grid *grid, enum kind kind, size_t quantile)
{
    struct column *column = &grid->columns[grid->column_count++];
    *column = (struct column){.kind = kind, .quantile = quantile};
    measure(grid, column);
}

/* Whether any series has a value of this kind. */
static bool has_any(const struct cli_description *description, enum kind kind)
{
    for (size_t s = 0; s < description->series_count; s++) {
        const struct cli_summary *summary = &description->series[s];
        if ((kind == MISSING ? summary->missing
             : kind == ODD   ? summary->odd.count
             : kind == NANS  ? summary->part.nans
                             : summary->part.infinities) > 0)
            return true;
    }
    return false;
}

static void add_columns(struct grid *grid)
{
    const struct cli_distribution *first = grid->description->series[0].distribution;
    add_column(grid, NAME, 0);
    if (grid->description->by != NULL)
        add_column(grid, COUNT, 0);
    for (enum kind kind = MISSING; kind <= INFINITIES; kind++)
        if (has_any(grid->description, kind))
            add_column(grid, kind, 0);
    add_column(grid, MINIMUM, 0);
    if (first != NULL && first->has_median)
        add_column(grid, MEDIAN, 0);
    for (size_t q = 0; first != NULL && q < first->quantile_count; q++)
        add_column(grid, QUANTILE, q);
    add_column(grid, MEAN, 0);
    add_column(grid, MAXIMUM, 0);
    add_column(grid, DEVIATION, 0);
}

static size_t total_width(const struct grid *grid)
{
    size_t width = 0;
    for (size_t c = 0; c < grid->column_count; c++)
        width += GAP + grid->columns[c].width;
    return width;
}

/* Adds histograms and the skewness if they fit; otherwise shortens names, down to a limit. */
static void fit(struct grid *grid, size_t width)
{
    const struct cli_distribution *first = grid->description->series[0].distribution;
    struct column *name = &grid->columns[0];
    const size_t taken = total_width(grid);
    if (taken > width) {
        const size_t most = name->width + width > taken ? name->width + width - taken : 0;
        name->width = name->width < LEAST_NAME ? name->width
                      : most > LEAST_NAME      ? most
                                               : LEAST_NAME;
        return;
    }
    const size_t left = width - taken;
    grid->bins = left >= GAP + CLI_MOST_BINS ? CLI_MOST_BINS : CLI_MOST_BINS / 2;
    if (first != NULL && first->has_histogram && left >= GAP + grid->bins)
        add_column(grid, HISTOGRAM, 0);
    else if (first == NULL || !first->has_histogram) {
        add_column(grid, SKEWNESS, 0);
        grid->column_count -= total_width(grid) > width;
    }
}

/* ---- Printing ---------------------------------------------------------------------------------*/

/* Names and histograms are aligned at their left ends, figures at their decimal points. */
static void print_cell(const struct column *column, const char *cell, size_t after, bool is_last)
{
    const size_t length = count_characters(cell);
    const int rest = (int)(column->width > length ? column->width - length : 0);
    const int right = is_left_aligned(column) ? rest : (int)(column->after - after);
    printf("%*s%s", GAP + rest - right, "", cell);
    if (!is_last)
        printf("%*s", right, "");
}

static void print_row(const struct grid *grid, const size_t *series)
{
    char cell[CELL_BYTES];
    for (size_t c = 0; c < grid->column_count; c++) {
        const struct column *column = &grid->columns[c];
        if (series == NULL)
            write_head(grid, column, cell);
        else
            write_cell(grid, column, *series, cell);
        print_cell(column, cell, series == NULL ? column->after : count_after(column, cell),
                   c + 1 == grid->column_count);
    }
    putchar('\n');
}

static void print_grid(const struct cli_description *description, const struct cli_figures *figures,
                       unsigned digits, size_t width)
{
    struct grid grid = {.description = description,
                        .figures = figures,
                        .digits = digits > 0 ? digits : FEW_DIGITS,
                        .bins = CLI_MOST_BINS};
    add_columns(&grid);
    while (total_width(&grid) > width && digits == 0 && grid.digits > LEAST_DIGITS) {
        grid.column_count = 0;
        grid.digits--;
        add_columns(&grid);
    }
    fit(&grid, width);
    print_row(&grid, NULL);
    for (size_t s = 0; s < description->series_count; s++)
        print_row(&grid, &s);
}

/* With groups there is a table for each column. */
void cli_print_rows(const struct cli_description *description, const struct cli_figures *figures,
                    unsigned digits, size_t width)
{
    if (description->by == NULL) {
        print_grid(description, figures, digits, width);
        return;
    }
    struct cli_description column = *description;
    column.series_count = description->groups.count;
    for (size_t s = 0; s < description->series_count; s += column.series_count) {
        column.series = description->series + s;
        column.series_names = description->series_names + s;
        if (s > 0)
            putchar('\n');
        print_grid(&column, figures + s, digits, width);
    }
}
