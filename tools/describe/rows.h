/* SPDX-License-Identifier: Apache-2.0
 *
 * A description with a row for each series: its name, how many values are missing or are not
 * finite numbers, and the figures that fit in the width, rounded.
 */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include "tools/describe/description.h"
#include "tools/describe/figures.h"

/* Prints them on standard output; the figures are those of each series. Digits: significant ones,
 * 0: six, or down to four where that makes them fit. */
void cli_print_rows(const struct cli_description *description, const struct cli_figures *figures,
                    unsigned digits, size_t width);

#endif
