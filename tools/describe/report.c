/* SPDX-License-Identifier: Apache-2.0
 *
 * A data set's block: a line about the array, one for each figure, and notes about columns.
 */
#include "tools/describe/print.h"

#include "tools/describe/column_table.h"
#include "tools/describe/distribution_rows.h"
#include "tools/describe/figures.h"
#include "tools/message.h"
#include "tools/read/element.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, MOST_SIDE_BY_SIDE = 4, NAME_CELLS = 40 };

/* ---- The array --------------------------------------------------------------------------------*/

/* Prints a value in the first unit in which it is less than `step`, or in the last; a unit is
 * `step` times the previous one. */
static void print_scaled(double value, double step, const char *const *units)
{
    for (; value >= step && units[1] != NULL; units++)
        value /= step;
    printf("%.2f %s", value, *units);
}

static void print_bytes(uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", NULL};
    if (bytes < 1024)
        printf("%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
    else
        print_scaled((double)bytes / 1024, 1024, units);
}

static void print_layout(const struct cli_layout *layout)
{
    printf("%s, ", cli_element_name(layout->element.type));
    if (layout->count == CLI_COUNT_UNKNOWN) {
        fputs("to the end of the pipe", stdout);
        return;
    }
    for (unsigned d = 0; d < layout->dimensions; d++)
        printf("%s%" PRIu64, d > 0 ? " x " : "", layout->shape[d]);
    printf("%s, ", layout->dimensions == 0 ? "no dimensions" : "");
    if (layout->element.is_big_endian)
        printf("big-endian, ");
    if (layout->is_fortran)
        printf("Fortran order, ");
    print_bytes(cli_layout_bytes(layout));
}

static void print_table(const struct cli_description *description)
{
    const struct cli_csv *csv = &description->table->csv;
    printf("%" PRIu64 " row%s, %zu column%s", description->rows, description->rows == 1 ? "" : "s",
           csv->columns, csv->columns == 1 ? "" : "s");
    if (description->by != NULL) {
        printf(", %zu group%s by ", description->groups.count,
               description->groups.count == 1 ? "" : "s");
        cli_print_name(stdout, description->by);
    }
    size_t rounded = 0;
    for (size_t s = 0; s < description->series_count; s++)
        rounded += description->series[s].is_wide;
    if (description->text_count > 0)
        printf(", %zu of text", description->text_count);
    if (rounded > 0)
        printf(", %zu of integers rounded to f64", rounded);
    if (description->comment_lines > 0)
        printf(", %" PRIu64 " line%s of comments", description->comment_lines,
               description->comment_lines == 1 ? "" : "s");
}

void cli_print_heading(const struct cli_description *description)
{
    cli_print_name(stdout, description->file);
    if (description->name[0] != '\0') {
        putchar(':');
        cli_print_name(stdout, description->name);
    }
    fputs(": ", stdout);
    if (description->table != NULL)
        print_table(description);
    else
        print_layout(&description->layout);
    if (description->has_axis)
        printf(", along axis %u", description->axis);
    printf("%s%s\n", description->note[0] != '\0' ? ", " : "", description->note);
}

/* ---- Figures ----------------------------------------------------------------------------------*/

static const char *or_none(const char *figure)
{
    return figure[0] != '\0' ? figure : "none";
}

/* The figures of each series. */
struct block {
    const struct cli_description *description;
    struct cli_figures *figures;
};

/* Adds the row of extreme `e`; its position is in it, or with several series in a row below. */
static bool add_extreme(struct cli_column_table *table, const struct block *block, int e)
{
    const struct cli_description *description = block->description;
    static const char *const labels[] = {"minimum", "maximum"};
    const bool is_one = description->series_count == 1;
    struct cli_column_table_row *row = cli_column_table_add(table, labels[e]);
    struct cli_column_table_row *places = is_one ? NULL : cli_column_table_add(table, "  at");
    bool is_fine = true;
    for (size_t s = 0; s < description->series_count && is_fine; s++) {
        const struct cli_summary *summary = &description->series[s];
        char position[CLI_POSITION_BYTES] = "";
        const bool is_there = summary->extremes[e].is_there;
        if (is_there && description->table != NULL)
            snprintf(position, sizeof position, "row %" PRIu64, summary->extremes[e].row + 1);
        else if (is_there && description->has_axis)
            snprintf(position, sizeof position, "[%" PRIu64 "]", summary->extremes[e].row);
        else if (is_there)
            cli_layout_write_position(&description->layout, summary->extremes[e].row, position);
        is_fine =
            cli_column_table_write(row, s, "%s%s%s", or_none(block->figures[s].extremes[e]),
                                   is_one && is_there ? " at " : "", is_one ? position : "") &&
            (is_one || cli_column_table_write(places, s, "%s", position));
    }
    return is_fine;
}

/* A row of counts, or of figures. */
enum field { COUNT, MISSING, TEXT, NANS, INFINITIES, SUM, MEAN, DEVIATION, SKEWNESS };

static bool write_field(struct cli_column_table_row *row, size_t column, enum field field,
                        const struct block *block)
{
    const struct cli_summary *summary = &block->description->series[column];
    const struct cli_figures *figures = &block->figures[column];
    switch (field) {
    case COUNT:
        return cli_column_table_write(row, column, "%" PRIu64, summary->rows);
    case MISSING:
        return cli_column_table_write(row, column, "%" PRIu64, summary->missing);
    case TEXT:
        return cli_column_table_write(row, column, "%" PRIu64, summary->odd.count);
    case NANS:
        return cli_column_table_write(row, column, "%" PRIu64, summary->part.nans);
    case INFINITIES:
        return cli_column_table_write(row, column, "%" PRIu64, summary->part.infinities);
    case SUM:
        return cli_column_table_write(row, column, "%s", figures->sum);
    case MEAN:
        return cli_column_table_write(row, column, "%s", or_none(figures->mean));
    case DEVIATION:
        return cli_column_table_write(row, column, "%s", or_none(figures->deviation));
    default:
        return cli_column_table_write(row, column, "%s", or_none(figures->skewness));
    }
}

static bool add_field(struct cli_column_table *table, const struct block *block, const char *label,
                      enum field field)
{
    struct cli_column_table_row *row = cli_column_table_add(table, label);
    bool is_fine = true;
    for (size_t s = 0; s < block->description->series_count && is_fine; s++)
        is_fine = write_field(row, s, field, block);
    return is_fine;
}

/* The bytes of the name's first NAME_CELLS characters, which are printed. */
static size_t count_printed(const char *name)
{
    size_t bytes = 0;
    for (size_t cells = 0; name[bytes] != '\0'; bytes++) {
        cells += ((unsigned char)name[bytes] & 0xc0) != 0x80;
        if (cells > NAME_CELLS)
            break;
    }
    return bytes;
}

static bool add_names(struct cli_column_table *table, const struct cli_description *description)
{
    if (description->series_names == NULL)
        return true;
    struct cli_column_table_row *row = cli_column_table_add(table, "");
    bool is_fine = true;
    for (size_t s = 0; s < description->series_count && is_fine; s++) {
        const char *name = description->series_names[s];
        const size_t bytes = count_printed(name);
        is_fine = cli_column_table_write(row, s, "%.*s%s", (int)bytes, name,
                                         name[bytes] != '\0' ? "..." : "");
    }
    return is_fine;
}

static bool has_missing(const struct cli_description *description)
{
    for (size_t s = 0; s < description->series_count; s++)
        if (description->series[s].missing > 0)
            return true;
    return false;
}

static bool has_text(const struct cli_description *description)
{
    for (size_t s = 0; s < description->series_count; s++)
        if (description->series[s].odd.count > 0)
            return true;
    return false;
}

/* ---- Notes ------------------------------------------------------------------------------------*/

/* Prints the name at the beginning of a note; before the first note an empty line. */
static void print_name(const char *name, bool *has_notes)
{
    fputs(*has_notes ? "  " : "\n  ", stdout);
    *has_notes = true;
    cli_print_name(stdout, name);
    fputs(": ", stdout);
}

/* "row 17 has 'n.a.'", perhaps with a hint */
static void print_first(const struct cli_csv *csv, const struct cli_csv_odd *odd)
{
    printf("row %" PRIu64 " has '", odd->row + 1);
    cli_print_name(stdout, odd->text);
    printf("'%s", cli_csv_decimal_hint(csv, odd));
}

static void print_odd(const struct cli_csv *csv, const char *name,
                      const struct cli_column_total *total, bool *has_notes)
{
    const struct cli_csv_odd *odd = &total->odd;
    print_name(name, has_notes);
    printf("%" PRIu64 " cell%s %s%s, the first: ", odd->count,
           odd->count == 1 ? " is not a" : "s are not", total->is_boolean ? "boolean" : "number",
           odd->count == 1 ? "" : "s");
    print_first(csv, odd);
    putchar('\n');
}

/* Whether --missing takes the column's name, and a shell takes it without quotes. */
static bool is_plain_name(const struct cli_csv *csv, const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    size_t count = 0;
    for (size_t c = 0; c < csv->columns; c++)
        count += strcmp(csv->names[c], name) == 0;
    return count == 1 && strspn(name, plain) == strlen(name);
}

static void print_sentinel(const struct cli_description *description, size_t series,
                           const struct cli_edge *edge, bool *has_notes)
{
    const char *name = description->series_names[series];
    char value[CLI_NUMBER_BYTES], next[CLI_NUMBER_BYTES];
    cli_double_write(edge->value, value);
    cli_double_write(edge->next + 0.0, next); /* -0 depends on the order of threads */
    print_name(name, has_notes);
    printf("%s (%" PRIu64 " cell%s) is far from the others, which %s %s;\n", value, edge->count,
           edge->count == 1 ? "" : "s", edge->value < edge->next ? "begin at" : "end at", next);
    fputs("    --missing ", stdout);
    if (is_plain_name(&description->table->csv, name))
        fputs(name, stdout);
    else
        printf("@%zu", description->series_columns[series] + 1);
    printf("=%s leaves it out\n", value);
}

static void print_left_out(const struct cli_csv *csv, const struct cli_left_out *left_out,
                           bool *has_notes)
{
    const struct cli_csv_odd *odd = &left_out->odd;
    const char *which = left_out->is_unseen ? "the first " : "";
    print_name(left_out->name, has_notes);
    if (left_out->is_unseen && left_out->count == 0)
        printf("left out: text in its first %" PRIu64 " cells, ", odd->count);
    else
        printf("left out: %" PRIu64 " of %s%" PRIu64 " cells are %s, ", left_out->count, which,
               left_out->count + odd->count, left_out->is_boolean ? "booleans" : "numbers");
    print_first(csv, odd);
    putchar('\n');
}

static void print_notes(const struct cli_description *description)
{
    bool has_notes = false;
    if (description->table == NULL)
        return;
    for (size_t s = 0; s < description->series_count; s += cli_description_groups(description)) {
        struct cli_column_total total;
        const char *name = description->series_names[s];
        cli_description_total(description, s, &total);
        if (total.odd.count > 0)
            print_odd(&description->table->csv, name, &total, &has_notes);
        for (int e = 0; e < CLI_EXTREME_COUNT; e++)
            if (cli_edges_has_sentinel(&total.edges, e))
                print_sentinel(description, s, &total.edges.edges[e], &has_notes);
    }
    for (size_t l = 0; l < description->left_out_count; l++)
        print_left_out(&description->table->csv, &description->left_out[l], &has_notes);
}

/* ---- The block --------------------------------------------------------------------------------*/

static void print_rate(uint64_t bytes, const struct cli_rate *rate)
{
    static const char *const speeds[] = {"kB/s", "MB/s", "GB/s", NULL};
    static const char *const times[] = {"us", "ms", "s", NULL};
    const double reached = (double)bytes / rate->seconds, share = reached / rate->bandwidth;
    printf("  %-20s", "rate");
    print_scaled(reached / 1e3, 1000, speeds);
    printf(" (");
    print_bytes(bytes);
    printf(" in ");
    print_scaled(rate->seconds * 1e6, 1000, times);
    printf(share < 0.1 ? "), %.2g of\n" : "), %.2f of\n", share);
    printf("  %-20sthis machine's read bandwidth, ", "");
    print_scaled(rate->bandwidth / 1e3, 1000, speeds);
    putchar('\n');
}

static bool fill_column_table(struct cli_column_table *table, const struct block *block,
                              unsigned digits)
{
    const struct cli_description *description = block->description;
    return add_names(table, description) && add_field(table, block, "count", COUNT) &&
           (!has_missing(description) || add_field(table, block, "missing", MISSING)) &&
           (!has_text(description) || add_field(table, block, "text", TEXT)) &&
           add_field(table, block, "NaN", NANS) &&
           add_field(table, block, "infinite", INFINITIES) &&
           add_extreme(table, block, CLI_MINIMUM) && add_extreme(table, block, CLI_MAXIMUM) &&
           add_field(table, block, "sum", SUM) && add_field(table, block, "mean", MEAN) &&
           cli_add_medians(table, description, digits) &&
           add_field(table, block, "standard deviation", DEVIATION) &&
           add_field(table, block, "skewness", SKEWNESS) &&
           cli_add_distribution(table, description, digits);
}

/* Whether each series has a row: with groups, and by default for many series. */
static bool has_rows(const struct cli_description *description,
                     const struct cli_report_options *options)
{
    if (description->by != NULL)
        return true;
    return options->rows == CLI_ROWS_FOR_MANY ? description->series_count > MOST_SIDE_BY_SIDE
                                              : options->rows == CLI_ROWS;
}

static bool print_column_table(const struct block *block, const struct cli_report_options *options)
{
    const struct cli_description *description = block->description;
    struct cli_column_table table = {.column_count = description->series_count};
    for (size_t s = 0; s < description->series_count; s++)
        cli_figures_round_all(&block->figures[s], options->digits);
    const bool is_fine = fill_column_table(&table, block, options->digits);
    if (is_fine) {
        cli_print_heading(description);
        cli_column_table_print(&table, WIDTH);
        cli_print_histogram(description, WIDTH);
    }
    cli_column_table_free(&table);
    return is_fine;
}

bool cli_report(const struct cli_description *description, const struct cli_report_options *options,
                const struct cli_rate *rate)
{
    const struct block block = {description,
                                calloc(description->series_count + 1, sizeof *block.figures)};
    bool is_fine = block.figures != NULL;
    for (size_t s = 0; s < description->series_count && is_fine; s++)
        cli_figures_find(&description->series[s], &block.figures[s]);
    if (is_fine && description->series_count == 0) {
        cli_print_heading(description);
    } else if (is_fine && has_rows(description, options)) {
        cli_print_heading(description);
        cli_print_rows(description, block.figures, options->digits, WIDTH);
    } else if (is_fine) {
        is_fine = print_column_table(&block, options);
    }
    if (is_fine && description->distinct_count > 0) {
        fputs(description->series_count > 0 ? "\n" : "", stdout);
        cli_print_distinct(description->distinct, description->distinct_count, WIDTH);
    }
    if (is_fine)
        print_notes(description);
    if (is_fine && rate != NULL)
        print_rate(description->table != NULL ? description->table_bytes
                                              : cli_layout_bytes(&description->layout),
                   rate);
    free(block.figures);
    return is_fine;
}
