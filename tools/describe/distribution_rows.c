/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the report for distributions.
 */
#include "tools/describe/distribution_rows.h"

#include "tools/describe/figures.h"
#include "tools/describe/plot.h"
#include "tools/read/element.h"

#include <stdio.h>
#include <string.h>

/* ---- Quantiles --------------------------------------------------------------------------------*/

static bool is_inexact(const struct cli_description *description, size_t q)
{
    for (size_t s = 0; s < description->series_count; s++)
        if (description->series[s].distribution->quantiles[q].error > 0)
            return true;
    return false;
}

/* Adds a quantile's row; the error is in it, or with several series in a row below. */
static bool add_quantile(struct cli_column_table *table, const struct cli_description *description,
                         size_t q, unsigned digits)
{
    const bool is_one = description->series_count == 1;
    char label[CLI_COLUMN_TABLE_LABEL_BYTES], number[CLI_NUMBER_BYTES];
    cli_double_write(description->series[0].distribution->quantiles[q].probability, number);
    snprintf(label, sizeof label, "quantile %s", number);
    struct cli_column_table_row *row = cli_column_table_add(table, label);
    struct cli_column_table_row *errors =
        is_one || !is_inexact(description, q) ? NULL : cli_column_table_add(table, "  within");
    bool is_fine = row != NULL;
    for (size_t s = 0; s < description->series_count && is_fine; s++) {
        const struct cli_quantile *quantile = &description->series[s].distribution->quantiles[q];
        char error[32] = "";
        cli_figure text;
        cli_figure_round(quantile->text, digits, text);
        if (quantile->error > 0)
            snprintf(error, sizeof error, "%.2g", quantile->error);
        if (is_one && quantile->error > 0)
            is_fine = cli_column_table_write(row, s, "%s (within %s)", text, error);
        else
            is_fine = cli_column_table_write(row, s, "%s", quantile->is_there ? text : "none");
        if (errors != NULL)
            is_fine = is_fine && cli_column_table_write(errors, s, "%s", error);
    }
    return is_fine;
}

/* ---- Histograms -------------------------------------------------------------------------------*/

static bool add_histograms(struct cli_column_table *table,
                           const struct cli_description *description)
{
    struct cli_column_table_row *row = cli_column_table_add(table, "histogram");
    bool is_fine = row != NULL;
    for (size_t s = 0; s < description->series_count && is_fine; s++) {
        const struct cli_distribution *distribution = description->series[s].distribution;
        char cells[CLI_PLOT_CELL_BYTES] = "";
        if (distribution->has_histogram && distribution->histogram.bins > 0)
            cli_plot_cells(&distribution->histogram, cells);
        is_fine = cli_column_table_write(row, s, "%s", cells[0] != '\0' ? cells : "none");
    }
    return is_fine;
}

bool cli_add_medians(struct cli_column_table *table, const struct cli_description *description,
                     unsigned digits)
{
    const struct cli_distribution *first = description->series[0].distribution;
    if (first == NULL || !first->has_median)
        return true;
    struct cli_column_table_row *row = cli_column_table_add(table, "median");
    bool is_fine = row != NULL;
    for (size_t s = 0; s < description->series_count && is_fine; s++) {
        const struct cli_quantile *median = &description->series[s].distribution->median;
        cli_figure text;
        cli_figure_round(median->text, digits, text);
        is_fine = cli_column_table_write(row, s, "%s", median->is_there ? text : "none");
    }
    return is_fine;
}

bool cli_add_distribution(struct cli_column_table *table, const struct cli_description *description,
                          unsigned digits)
{
    const struct cli_distribution *first = description->series[0].distribution;
    bool is_fine = true;
    if (first == NULL)
        return true;
    for (size_t q = 0; q < first->quantile_count && is_fine; q++)
        is_fine = add_quantile(table, description, q, digits);
    if (is_fine && first->has_histogram &&
        (description->series_count > 1 || first->histogram.bins == 0))
        is_fine = add_histograms(table, description);
    return is_fine;
}

void cli_print_histogram(const struct cli_description *description, size_t width)
{
    const struct cli_distribution *distribution = description->series[0].distribution;
    if (description->series_count > 1 || distribution == NULL || !distribution->has_histogram ||
        distribution->histogram.bins == 0)
        return;
    printf("  histogram%s\n", distribution->histogram.is_exact ? "" : ", about");
    cli_plot_bars(&distribution->histogram, width);
}
