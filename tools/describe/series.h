/* SPDX-License-Identifier: Apache-2.0
 *
 * The results for a series: what its blocks come to is in parts of a reduction (reap/part.h), to
 * which blocks are added in any order, from any thread or device, or another rank, with the bits of
 * one launch. Blocks of integers of int64_t, of uint64_t and of floating-point numbers, all of
 * which a column of a text may have, are reduced separately until the end.
 *
 * A table may have thousands of columns, with a few numbers of each in a block. Then a launch for
 * each block would take more time than all else, and parts for all series more memory. So small
 * blocks wait until some can be added in one launch, or until the end.
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

/* In a block, besides what is reduced. */
struct cli_found {
    enum cli_element_type type;
    bool has_values; /* numbers or NaNs */
    uint64_t missing;
    enum cli_csv_type column_type; /* as in struct cli_values */
    struct cli_csv_odd odd;        /* the same */
    struct cli_edges edges;        /* of a table */
};

/* For uint64_t; for other integer types; for floating-point ones. */
enum { CLI_INTEGERS, CLI_UNSIGNEDS, CLI_FLOATS, CLI_KIND_COUNT };

/* Blocks that are not in a part yet, each an item of the reduction. So few still fit a processor's
 * caches if there are a thousand columns. */
enum { CLI_MOST_WAITING = 8 };
struct cli_waiting {
    size_t count;
    struct cli_waiting_block {
        uint64_t item;
        describe_part part;
    } blocks[CLI_MOST_WAITING];
};

/* Numbers of one kind. */
struct cli_kind {
    enum cli_element_type type;
    reap_part *part;             /* NULL: no blocks are in it */
    struct cli_waiting *waiting; /* NULL: none */
    struct cli_extreme extremes[CLI_EXTREME_COUNT];
};

/* Of a table's block: its rows and lines, or those before it. */
struct cli_extent {
    uint64_t rows, lines;
};

struct cli_series {
    uint64_t missing;
    enum cli_csv_type column_type; /* of a table's column, up to here */
    struct cli_csv_odd odd;
    uint64_t odd_block; /* of the first one */
    struct cli_edges edges;
    struct cli_kind kinds[CLI_KIND_COUNT];
};

struct cli_distribution;

/* In all blocks. */
struct cli_summary {
    enum cli_element_type type;
    bool is_text;    /* a table's column of text: it is not described */
    bool is_boolean; /* a table's column of booleans */
    bool is_wide;    /* integers of a table that fit in no type of 64 bits, so they are rounded */
    uint64_t rows;   /* the missing ones among them */
    uint64_t missing;
    struct cli_csv_odd odd; /* cells of text in a column */
    struct cli_edges edges; /* of a table's column */
    describe_part part;
    struct cli_extreme extremes[CLI_EXTREME_COUNT];
    struct cli_distribution *distribution; /* its own; NULL: none requested */
};

/* ---- Adding: one thread at a time
 * ---------------------------------------------------------------*/

/* The part for blocks of this type; NULL and a failure. */
reap_part *cli_series_part(struct cli_series *series, enum cli_element_type type,
                           struct cli_failure *failure);

/* Blocks that are to be added to a part (cli_waiting_add); or none: NULL. */
struct cli_full {
    struct cli_waiting *blocks;
    reap_part *part;
};

/* Adds a block of this type. If there are too many, those before it are `full`. False and a
 * failure: out of memory. */
bool cli_series_wait(struct cli_series *series, enum cli_element_type type,
                     const struct cli_waiting_block *block, struct cli_full *full,
                     struct cli_failure *failure);

/* Adds blocks to a part, by launches on a queue of the host, and releases them. Any thread. */
bool cli_waiting_add(struct cli_waiting *waiting, reap_queue *queue, reap_part *part,
                     struct cli_failure *failure);

/* Which extremes of the block, with these keys, may be the series' first; and records one. */
void cli_series_wants(struct cli_series *series, enum cli_element_type type,
                      const uint64_t keys[CLI_EXTREME_COUNT], uint64_t block,
                      bool wants[CLI_EXTREME_COUNT]);
void cli_series_add_extreme(struct cli_series *series, enum cli_element_type type, int extreme,
                            const struct cli_extreme *found);

/* Adds what else was found in a block whose first row is `first_row`, or 0 if that is not known. */
void cli_series_add(struct cli_series *series, const struct cli_found *found, uint64_t block,
                    uint64_t first_row);

/* For another rank; get adds it to a series; false and a failure. */
bool cli_series_put(struct cli_series *series, struct cli_packet *packet,
                    struct cli_failure *failure);
bool cli_series_get(struct cli_series *series, struct cli_packet *packet,
                    struct cli_failure *failure);

/* ---- All --------------------------------------------------------------------------------------*/

/* Adds the blocks' first rows to rows that are those in their blocks. */
void cli_series_place(struct cli_series *series, const struct cli_extent *firsts);

/* The results for all blocks, once, since their parts are released. A column that is not named is
 * text if it has more than a few odd cells. False and a failure: out of memory. */
bool cli_series_summarize(struct cli_series *series, bool is_named, struct cli_summary *summary,
                          struct cli_failure *failure);
void cli_series_free(struct cli_series *series);

#endif
