/* SPDX-License-Identifier: Apache-2.0
 *
 * A table as a feed: a series for each wanted column. A block is some hundred KiB of text, cut at
 * the end of a row.
 */
#ifndef CLI_TABLE_FEED_H
#define CLI_TABLE_FEED_H

#include "tools/describe/feed.h"

/* The table is borrowed. */
void cli_table_feed_open(struct cli_feed *feed, struct cli_table *table);

/* The block in the feed's scratch memory, once it is loaded. */
const struct cli_csv_block *cli_table_feed_block(const void *of);
void cli_table_feed_free_scratch(void *of);

#endif
