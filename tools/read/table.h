/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of columns in a text (tools/read/csv.h), read block by block: the rows in order, by one
 * thread at a time; their cells by any thread, each in its own scratch memory.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "tools/failure.h"
#include "tools/read/csv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_source;

/* From the command line. */
struct cli_table_options {
    const char *columns; /* names, or numbers from 1, with commas; NULL: all that are not text */
    const char *by; /* the column, by name or number, whose values are the groups; NULL: none */
    struct cli_csv_options csv;
    bool accepts_text; /* the table need not have numbers */
};

struct cli_table {
    struct cli_source *source;
    struct cli_csv csv;
    bool is_named;   /* the user has named the columns, which must have numbers */
    bool *is_wanted; /* of each column */
    size_t *columns; /* the wanted columns, in the table's order */
    size_t column_count;
    bool has_key; /* options.by is set, and `key` is its column */
    size_t key;
    bool is_all_seen;    /* the sample was the whole table, so the columns' types are final */
    size_t text_count;   /* columns that were left out because they are text */
    unsigned char *tail; /* bytes of the next block that were read already */
    size_t tail_bytes, tail_capacity;
    bool is_at_end;
};

/* A block's text. */
struct cli_table_text {
    char *text;
    size_t bytes, capacity;
    bool is_cut; /* it is the beginning of a row that is too long */
};

/* Recognises the table in a source from which no bytes were taken, and finds the selected columns.
 * The source is borrowed. Returns NULL and a failure if that fails. */
struct cli_table *cli_table_open(struct cli_source *source, const struct cli_table_options *options,
                                 struct cli_failure *failure);
void cli_table_close(struct cli_table *table); /* or NULL */

/* Reads the next whole rows into the text's memory, which grows with the longest row; zero bytes at
 * the end. */
bool cli_table_read(struct cli_table *table, struct cli_table_text *text,
                    struct cli_failure *failure);

#endif
