/* SPDX-License-Identifier: Apache-2.0
 *
 * A table as a source: a series for each wanted column. A block is some hundred KiB of text, cut at
 * the end of a row.
 */
#ifndef CLI_TABLE_SOURCE_H
#define CLI_TABLE_SOURCE_H

#include "tools/describe/block_source.h"

/* The table is borrowed. */
void cli_table_source_open(struct cli_block_source *source, struct cli_table *table);

/* The block in the source's scratch memory, once it is loaded. */
const struct cli_csv_block *cli_table_source_block(const void *of);
void cli_table_source_free_scratch(void *of);

#endif
