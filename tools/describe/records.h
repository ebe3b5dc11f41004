/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptions as a table for other programs: comma- or tab-separated values, one header, and a
 * record for each series of each data set.
 */
#ifndef CLI_RECORDS_H
#define CLI_RECORDS_H

#include "tools/describe/description.h"

struct cli_record_options {
    char separator;
    unsigned digits;                           /* significant ones; 0: all */
    bool has_groups;                           /* tables are described by groups */
    const struct cli_quantile_list *quantiles; /* a column for each, also if a data set has none */
};

/* Prints a record for each series, after the header if it is the first one. */
void cli_print_records(const struct cli_description *description,
                       const struct cli_record_options *options, bool has_header);

#endif
