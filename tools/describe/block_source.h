/* SPDX-License-Identifier: Apache-2.0
 *
 * A block source, the input of a pass: a data set as blocks of rows. Each row has values of one or
 * several series, which are described separately: the elements of an array; the real and the
 * imaginary parts of complex ones; the columns of a table; the series of an axis of an array. The
 * division into blocks, and so the bits of the results, depend only on the data set.
 */
#ifndef CLI_BLOCK_SOURCE_H
#define CLI_BLOCK_SOURCE_H

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
    size_t absent_count;      /* of the missing ones: rows of other groups */
};

/* The block's first row follows the last row of the previous block. */
#define CLI_ROW_AFTER UINT64_MAX

/* A block that a thread processes. */
struct cli_block {
    uint64_t number;      /* from 0 */
    bool is_foreign;      /* another rank describes it, so `take` need not read it */
    void *scratch;        /* the thread's, from make_scratch */
    size_t rows;          /* set by `load` */
    size_t lines;         /* of a text; set by `load` */
    size_t comment_lines; /* of these; set by `load` */
    size_t first_series; /* of the series with values in the block; all, unless `load` sets these */
    size_t series_count;
    uint64_t first_row; /* CLI_ROW_AFTER, unless `load` sets it */
    uint64_t item;   /* the item of the reduction: the block's number, unless `load` sets another,
                        such as that of the array's first task in it */
    size_t bad_line; /* if loading failed: the line in the block, from 1; 0: not in a line */
};

struct cli_block_source {
    size_t series_count;    /* not 0 */
    uint64_t block_count;   /* UINT64_MAX if unknown */
    uint64_t stripe_blocks; /* the most consecutive blocks of a stripe (exchange.h) */
    bool has_slabs;         /* blocks are read in slabs */
    bool has_tasks; /* blocks are divided into tasks; the tasks do not depend on the blocks' size */
    uint64_t lines_before; /* of a text: before the first block */
    bool is_grouped;       /* the series are a table's columns and groups (group_source.h) */
    bool is_named;         /* the user has named the columns: text in them is odd */
    void *data;            /* of the functions */

    /* Allocates a thread's scratch memory for its blocks; NULL: out of memory. */
    void *(*make_scratch)(const struct cli_block_source *source);
    void (*free_scratch)(void *scratch);

    /* Takes the next block, and sets its number; reads it if the input is a stream. One thread at a
     * time. After an interrupt the input ends. */
    enum cli_next (*take)(struct cli_block_source *source, struct cli_block *block,
                          struct cli_failure *failure);

    /* `load` reads the block if the input is a file, and finds its values; `select` returns those
     * of a series. Any thread, for different blocks. */
    bool (*load)(const struct cli_block_source *source, struct cli_block *block,
                 struct cli_failure *failure);
    void (*select)(const struct cli_block_source *source, const struct cli_block *block,
                   size_t series, struct cli_values *values);

    /* `begin` is called before the first block, `end` after the last one, on one thread, if the
     * host describes the values. `end` returns whether these were read correctly. NULL: not needed.
     */
    void (*begin)(struct cli_block_source *source);
    bool (*end)(struct cli_block_source *source, struct cli_failure *failure);

    /* After the last block: returns whether the data set ends correctly. NULL: no check is needed.
     */
    bool (*finish)(struct cli_block_source *source, struct cli_failure *failure);

    /* The array that is read; NULL: a table. */
    const struct cli_array *array;
};

#endif
