/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of columns in a text (src/cli/read/csv.h), read block by block: the rows in order, by one
 * thread at a time; what is in them by any thread, in a room of its own.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "src/cli/failure.h"
#include "src/cli/read/csv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_source;

/* As the command line has them. */
struct cli_table_options {
    const char *columns; /* names, or numbers from 1, with commas; NULL: all that are no text */
    struct cli_csv_options csv;
};

struct cli_table {
    struct cli_source *source;
    struct cli_csv csv;
    bool is_named;   /* the columns were: they must be numbers */
    bool *is_wanted; /* of each column */
    size_t *columns; /* those that are, in their order */
    size_t column_count;
    bool is_all_seen;    /* the types of the columns are those of the whole table */
    size_t text_count;   /* columns that were left out because they are text */
    unsigned char *tail; /* what was read of the next block already */
    size_t tail_bytes, tail_room;
    bool is_at_end;
};

/* A block's text. */
struct cli_table_text {
    char *text;
    size_t bytes, room;
    bool is_cut; /* it is the beginning of a row that is too long */
};

/* Finds out what is in the source, whose first bytes are still to be taken, and which columns are
 * wanted. The source is borrowed. Gives NULL and a failure. */
struct cli_table *cli_table_open(struct cli_source *source, const struct cli_table_options *options,
                                 struct cli_failure *failure);
void cli_table_close(struct cli_table *table); /* or NULL */

/* Reads the next rows, whole ones, into the text's memory, which grows with the longest row; no
 * bytes where no rows are left. */
bool cli_table_read(struct cli_table *table, struct cli_table_text *text,
                    struct cli_failure *failure);

#endif
