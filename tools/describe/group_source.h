/* SPDX-License-Identifier: Apache-2.0
 *
 * A table as a source, in groups of rows with the same value of one column, the key: a series for
 * each described column and group. The series of a column are adjacent.
 */
#ifndef CLI_GROUP_SOURCE_H
#define CLI_GROUP_SOURCE_H

#include "tools/describe/block_source.h"
#include "tools/describe/keys.h"

struct cli_group_source {
    struct cli_block_source base;
    struct cli_block_source table; /* a series for each column */
    const struct cli_keys *keys;   /* borrowed: the groups, sorted */
    char quote;                    /* the table's */
};

enum { CLI_MOST_GROUP_SERIES = 65536 };

/* The table is borrowed; table->has_key is set. */
void cli_group_source_open(struct cli_group_source *source, struct cli_table *table,
                           const struct cli_keys *keys);

#endif
