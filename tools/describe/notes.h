/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines below the figures of a table, about what a reader should know of its columns: odd cells,
 * sentinels, columns that were left out although many of their cells are numbers.
 */
#ifndef CLI_NOTES_H
#define CLI_NOTES_H

#include "tools/describe/description.h"

void cli_print_notes(const struct cli_description *description);

#endif
