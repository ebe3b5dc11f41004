/* SPDX-License-Identifier: Apache-2.0
 *
 * Histograms as text: bars one below the other, or a line of cells. They are block elements if the
 * locale has UTF-8, and ASCII characters otherwise.
 */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "tools/describe/histogram.h"

enum { CLI_PLOT_CELL_BYTES = 3 * CLI_MOST_BINS + 1 };

/* Prints a line for each bin on standard output: its left edge or its number, a bar, the count and
 * its share; and the last edge. At most this wide, if possible. */
void cli_plot_bars(const struct cli_histogram *histogram, size_t width);

/* Writes a cell for each bin. */
void cli_plot_cells(const struct cli_histogram *histogram, char text[CLI_PLOT_CELL_BYTES]);

#endif
