/* SPDX-License-Identifier: Apache-2.0
 *
 * The results for a series. They are in parts of a reduction (reap/part.h), to which blocks are
 * added in any order, by any thread, device or rank; the bits are those of one launch. Blocks of
 * integers of int64_t, of uint64_t and of floating-point numbers, all of which a column of a text
 * may have, are reduced separately until the end.
 *
 * A table may have thousands of columns, with a few numbers of each in a block. A launch for each
 * of these blocks would dominate the time, and a part for each series the memory. So small blocks
 * wait until several can be added in one launch, or until the end.
 */
#ifndef CLI_SERIES_H
#define CLI_SERIES_H

#include "tools/describe/sentinel.h"
#include "tools/failure.h"
#include "tools/job/packet.h"
#include "tools/kernels/describe_part.h"
#include "tools/read/csv.h"
#include "tools/read/element.h"

#include <reap/part.h>
#include <reap/queue.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An extreme: its value as a key (tools/kernels/describe_part.h), the first row that has it, and
 * the value itself, in this machine's byte order. While blocks are added, the row may be that in
 * its block. */
struct cli_extreme {
    bool is_there;
    uint64_t key;
    uint64_t block, row;
    unsigned char bytes[sizeof(uint64_t)];
};

enum { CLI_MINIMUM, CLI_MAXIMUM, CLI_EXTREME_COUNT };

/* The results of a block for a series that are not in its part. */
struct cli_found {
    enum cli_element_type type;
    bool has_values; /* numbers or NaNs */
    uint64_t missing;
    enum cli_csv_type column_type; /* as in struct cli_values */
    struct cli_csv_odd odd;        /* as in struct cli_values */
    struct cli_edges edges;        /* of a table */
};

/* The kinds of blocks: of integers except uint64_t; of uint64_t; of floating-point numbers. */
enum { CLI_INTEGERS, CLI_UNSIGNEDS, CLI_FLOATS, CLI_KIND_COUNT };

/* Blocks that are not yet in a part, each an item of the reduction. With a thousand columns so few
 * still fit in a processor's caches. */
enum { CLI_MOST_WAITING = 8 };
struct cli_waiting {
    size_t count;
    struct cli_waiting_block {
        uint64_t item;
        describe_part part;
    } blocks[CLI_MOST_WAITING];
};

/* The results of one kind. */
struct cli_kind {
    enum cli_element_type type;
    reap_part *part;             /* NULL: no blocks are in it */
    struct cli_waiting *waiting; /* NULL: none */
    struct cli_extreme extremes[CLI_EXTREME_COUNT];
};

/* The rows and lines of a table's block, or those before it. */
struct cli_extent {
    uint64_t rows, lines;
};

struct cli_series {
    uint64_t missing;
    enum cli_csv_type column_type; /* of a table's column, so far */
    struct cli_csv_odd odd;
    uint64_t odd_block; /* the block of the first odd cell */
    struct cli_edges edges;
    struct cli_kind kinds[CLI_KIND_COUNT];
};

struct cli_distribution;

/* The results of a series, from all blocks. */
struct cli_summary {
    enum cli_element_type type;
    bool is_text;    /* a table's column of text: it is not described */
    bool is_boolean; /* a table's column of booleans */
    bool is_wide;    /* integers of a table that fit in no type of 64 bits, so they are rounded */
    uint64_t rows;   /* with missing values */
    uint64_t missing;
    struct cli_csv_odd odd; /* odd cells of a column */
    struct cli_edges edges; /* of a table's column */
    describe_part part;
    struct cli_extreme extremes[CLI_EXTREME_COUNT];
    struct cli_distribution *distribution; /* its own; NULL: none requested */
};

/* ---- Adding: one thread at a time
 * ---------------------------------------------------------------*/

/* Returns the part for blocks of this type; NULL and a failure. */
reap_part *cli_series_part(struct cli_series *series, enum cli_element_type type,
                           struct cli_failure *failure);

/* Blocks that must be added to a part (cli_waiting_add); blocks NULL: none. */
struct cli_full {
    struct cli_waiting *blocks;
    reap_part *part;
};

/* Adds a small block of this type. If the maximum is waiting, *full receives the previous ones.
 * Returns false and a failure if memory runs out. */
bool cli_series_wait(struct cli_series *series, enum cli_element_type type,
                     const struct cli_waiting_block *block, struct cli_full *full,
                     struct cli_failure *failure);

/* Adds blocks to a part, by launches on a queue of the host, and releases them. Any thread. */
bool cli_waiting_add(struct cli_waiting *waiting, reap_queue *queue, reap_part *part,
                     struct cli_failure *failure);

/* Determines which extremes of a block, with these keys, may be the first ones of the series.
 * Records one. */
void cli_series_wants(struct cli_series *series, enum cli_element_type type,
                      const uint64_t keys[CLI_EXTREME_COUNT], uint64_t block,
                      bool wants[CLI_EXTREME_COUNT]);
void cli_series_add_extreme(struct cli_series *series, enum cli_element_type type, int extreme,
                            const struct cli_extreme *found);

/* Adds the other results of a block. `first_row` is its first row, or 0 if that is not known. */
void cli_series_add(struct cli_series *series, const struct cli_found *found, uint64_t block,
                    uint64_t first_row);

/* Between ranks: `put` puts a series into a packet, `get` adds it to a series. Both return false
 * and a failure. */
bool cli_series_put(struct cli_series *series, struct cli_packet *packet,
                    struct cli_failure *failure);
bool cli_series_get(struct cli_series *series, struct cli_packet *packet,
                    struct cli_failure *failure);

/* ---- All --------------------------------------------------------------------------------------*/

/* Converts rows within blocks to rows of the table. */
void cli_series_place(struct cli_series *series, const struct cli_extent *firsts);

/* Computes the summary, once, since it releases the parts. A column that the user has not named is
 * text if it has too many odd cells. Returns false and a failure if memory runs out. */
bool cli_series_summarize(struct cli_series *series, bool is_named, struct cli_summary *summary,
                          struct cli_failure *failure);
void cli_series_free(struct cli_series *series);

#endif
