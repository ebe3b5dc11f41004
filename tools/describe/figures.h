/* SPDX-License-Identifier: Apache-2.0
 *
 * The figures of a summary as they are printed: text that is a number, "inf", "-inf" or "nan".
 */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include "tools/describe/series.h"

enum { CLI_FIGURE_BYTES = 64 };

/* "" if the figure does not exist. */
typedef char cli_figure[CLI_FIGURE_BYTES];

struct cli_figures {
    cli_figure extremes[CLI_EXTREME_COUNT];
    cli_figure sum; /* for integers all digits of 128 bits */
    cli_figure mean, deviation, skewness;
};

/* Rounds a figure to significant digits, unless it is an integer of at most 15 digits. 0 digits:
 * leaves it unchanged. */
void cli_figure_round(const char *figure, unsigned digits, cli_figure rounded);
void cli_figures_round_all(struct cli_figures *figures, unsigned digits);

void cli_figures_find(const struct cli_summary *summary, struct cli_figures *figures);

#endif
