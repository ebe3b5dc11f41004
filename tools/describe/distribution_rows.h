/* SPDX-License-Identifier: Apache-2.0
 *
 * The report's part about distributions: rows of the column table, and one series' histogram below
 * it.
 */
#ifndef CLI_DISTRIBUTION_ROWS_H
#define CLI_DISTRIBUTION_ROWS_H

#include "tools/describe/column_table.h"
#include "tools/describe/description.h"

/* Adds the medians, if the data set was small. */
bool cli_add_medians(struct cli_column_table *table, const struct cli_description *description,
                     unsigned digits);

/* Adds the quantiles, and the histograms of several series; false: out of memory. */
bool cli_add_distribution(struct cli_column_table *table, const struct cli_description *description,
                          unsigned digits);

/* Prints the histogram of a single series, if it has one. */
void cli_print_histogram(const struct cli_description *description, size_t width);

#endif
