/* SPDX-License-Identifier: Apache-2.0
 *
 * The input of a pass: a data set as blocks of rows. Each row has values of one or several series,
 * which are described separately: the elements of an array; the real and the imaginary parts of
 * complex ones; the columns of a table; the series of an axis of an array. The division into
 * blocks, and so the bits of the results, depend only on the data set.
 */
#ifndef CLI_FEED_H
#define CLI_FEED_H

#include "tools/failure.h"
#include "tools/read/element.h"
#include "tools/read/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values of a series in a block, in the memory of the thread that loaded it. */
struct cli_values {
    struct cli_element element; /* not complex */
    void *elements;             /* aligned for numbers; overwritten as they are described */
    size_t count;
    /* Rows without a value: their number, and a bit for each row; NULL if all have one. */
    size_t missing_count;
    const uint64_t *missing;
    /* For a table's column: the type of its values, and its odd cells, which have no value here. */
    enum cli_csv_type column_type;
    struct cli_csv_odd odd;
    const uint64_t *odd_bits; /* as in struct cli_csv_column */
    size_t absent_count;      /* of the missing ones: rows that are not the series' at all */
};

/* The row after those of the blocks before. */
#define CLI_ROW_AFTER UINT64_MAX

/* A block that a thread processes. */
struct cli_block {
    uint64_t number;                   /* from 0 */
    bool is_foreign;                   /* another rank describes it: take need not read it */
    void *scratch;                     /* the thread's, from make_scratch */
    size_t rows;                       /* known once it is loaded */
    size_t lines;                      /* of a text; known then, too */
    size_t comment_lines;              /* of these; known then, too */
    size_t first_series, series_count; /* that have values in it: all, unless load stores fewer */
    uint64_t first_row;                /* CLI_ROW_AFTER, unless load knows it */
    uint64_t item;   /* its number among the blocks of its series, unless load knows better: the
                      * first of the array's tasks, for example */
    size_t bad_line; /* if loading failed: the line in the block, from 1; 0: not in a line */
};

struct cli_feed {
    size_t series_count;    /* not 0 */
    uint64_t block_count;   /* UINT64_MAX if unknown */
    uint64_t stripe_blocks; /* consecutive blocks that one of several ranks describes, at most */
    bool has_slabs;         /* several blocks are read at once */
    bool has_tasks;         /* blocks are divided into tasks, which do not depend on their size */
    uint64_t lines_before;  /* of a text: before the first block */
    bool is_grouped;        /* a table's columns by groups of rows (group_feed.h) */
    bool is_named;          /* the user has chosen the series: text among numbers is odd */
    void *data;             /* of the functions */

    /* A thread's memory for its blocks; NULL: out of memory. */
    void *(*make_scratch)(const struct cli_feed *feed);
    void (*free_scratch)(void *scratch);

    /* Finds the next block, and reads it from a stream: sets its number. One thread at a time. An
     * interrupt is an end. */
    enum cli_next (*take)(struct cli_feed *feed, struct cli_block *block,
                          struct cli_failure *failure);

    /* Reads it from a file, and finds its values. Any thread, each a different block. */
    bool (*load)(const struct cli_feed *feed, struct cli_block *block, struct cli_failure *failure);
    void (*select)(const struct cli_feed *feed, const struct cli_block *block, size_t series,
                   struct cli_values *values);

    /* Before the first block, and after the last one, on one thread: for values that the host
     * describes. Whether they were read correctly. NULL: nothing. */
    void (*begin)(struct cli_feed *feed);
    bool (*end)(struct cli_feed *feed, struct cli_failure *failure);

    /* After the last block: whether the data set ends correctly. NULL: yes. */
    bool (*finish)(struct cli_feed *feed, struct cli_failure *failure);

    /* The array whose elements they are; NULL: a table. */
    const struct cli_array *array;
};

#endif
