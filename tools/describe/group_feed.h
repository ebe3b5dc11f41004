/* SPDX-License-Identifier: Apache-2.0
 *
 * A table as a feed, in groups of rows with the same value of one column, the key: a series for
 * each described column and group. The series of a column are adjacent.
 */
#ifndef CLI_GROUP_FEED_H
#define CLI_GROUP_FEED_H

#include "tools/describe/feed.h"
#include "tools/describe/keys.h"

struct cli_group_feed {
    struct cli_feed feed;
    struct cli_feed table;       /* a series for each column */
    const struct cli_keys *keys; /* borrowed: the groups, sorted */
    char quote;                  /* the table's */
};

enum { CLI_MOST_GROUP_SERIES = 65536 };

/* The table is borrowed; table->has_key is set. */
void cli_group_feed_open(struct cli_group_feed *feed, struct cli_table *table,
                         const struct cli_keys *keys);

#endif
