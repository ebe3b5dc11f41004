/* SPDX-License-Identifier: Apache-2.0
 *
 * The formats in which a data set is printed on standard output: a block of text, rows, records for
 * other programs, JSON, a list without a description. docs/describe.md explains each line and key.
 */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "tools/describe/description.h"
#include "tools/describe/figures.h"
#include "tools/rate.h"
#include "tools/read/file.h"

/* ---- Text -------------------------------------------------------------------------------------*/

/* The user's options; all zero: the default. */
struct cli_report_options {
    enum { CLI_ROWS_FOR_MANY, CLI_ROWS, CLI_NO_ROWS } rows; /* a row for each series */
    unsigned digits;                                        /* of figures; 0: all, in rows fewer */
};

/* The line about the data set. */
void cli_print_heading(const struct cli_description *description);

/* A block; rate may be NULL. Returns false if memory runs out. */
bool cli_report(const struct cli_description *description, const struct cli_report_options *options,
                const struct cli_rate *rate);

/* A row for each series: its name, how many values are missing or are not finite numbers, and the
 * figures of each that fit in the width, rounded. `digits` significant digits; 0: six, or down to
 * four if more columns fit then. */
void cli_print_rows(const struct cli_description *description, const struct cli_figures *figures,
                    unsigned digits, size_t width);

/* Lists the contents of a file: the first line of each array, the columns of each table with their
 * types. */
void cli_print_list(const struct cli_file *file, const struct cli_dataset *dataset);

/* ---- For other programs -----------------------------------------------------------------------*/

/* Comma- or tab-separated values. */
struct cli_record_options {
    char separator;
    unsigned digits;                           /* significant ones; 0: all */
    bool has_groups;                           /* tables are described by groups */
    const struct cli_quantile_list *quantiles; /* a column for each, also if a data set has none */
};

/* A record for each series, after the header if it is the first data set. */
void cli_print_records(const struct cli_description *description,
                       const struct cli_record_options *options, bool has_header);

/* A line of JSON, an object; rate may be NULL. If memory runs out, complains and returns false. */
bool cli_print_document(const struct cli_description *description, const struct cli_rate *rate);

#endif
