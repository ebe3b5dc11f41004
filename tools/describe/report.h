/* SPDX-License-Identifier: Apache-2.0
 *
 * The text that `reap describe` prints for a data set. docs/describe.md explains each line.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "tools/describe/description.h"
#include "tools/rate.h"

/* The user's options; all zero: the default. */
struct cli_report_options {
    enum { CLI_ROWS_FOR_MANY, CLI_ROWS, CLI_NO_ROWS } rows; /* a row for each series */
    unsigned digits;                                        /* of figures; 0: all, in rows a few */
};

/* Prints the line about the data set. */
void cli_print_heading(const struct cli_description *description);

/* Prints a block on standard output; rate may be NULL. Returns false if memory runs out. */
bool cli_report(const struct cli_description *description, const struct cli_report_options *options,
                const struct cli_rate *rate);

#endif
