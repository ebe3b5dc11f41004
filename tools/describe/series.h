/* SPDX-License-Identifier: Apache-2.0
 *
 * The results for a series: block by block, then for all of them.
 *
 * The parts of the blocks, in order, merge in pairs, and these in pairs again, like the carries of
 * a binary counter. So their memory grows with the logarithm of their number, and the order of
 * merging depends only on that number. Blocks of integers of int64_t, of uint64_t and of
 * floating-point numbers, all of which a column of a text may have, are merged separately until the
 * end.
 */
#ifndef CLI_SERIES_H
#define CLI_SERIES_H

#include "tools/describe/sentinel.h"
#include "tools/failure.h"
#include "tools/kernels/describe_part.h"
#include "tools/read/csv.h"
#include "tools/read/element.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An extreme: its value as a key (tools/kernels/describe_part.h), the first row that has it, and
 * the value itself, in this machine's byte order. */
struct cli_extreme {
    bool is_there;
    uint64_t key;
    uint64_t row;
    unsigned char bytes[sizeof(uint64_t)];
};

enum { CLI_MINIMUM, CLI_MAXIMUM, CLI_EXTREME_COUNT };

/* In a block. */
struct cli_found {
    enum cli_element_type type;
    describe_part part;
    uint64_t missing;
    enum cli_csv_type column_type; /* as in struct cli_values */
    struct cli_csv_odd odd;        /* the same */
    struct cli_edges edges;        /* of a table */
    /* Candidates for the series' extremes: not set if the block certainly has none. */
    struct cli_extreme extremes[CLI_EXTREME_COUNT];
};

/* For uint64_t; for other integer types; for floating-point ones. */
enum { CLI_INTEGERS, CLI_UNSIGNEDS, CLI_FLOATS, CLI_KIND_COUNT };

/* Numbers of one kind. */
struct cli_kind {
    enum cli_element_type type;
    uint64_t blocks;
    describe_part *parts; /* of 2^l blocks at l, where bit l of their number is set */
    size_t room;
    struct cli_extreme extremes[CLI_EXTREME_COUNT];
    /* The best keys of all threads, and their blocks: other blocks need not be searched. */
    struct cli_hint {
        uint64_t key, block;
        bool is_there;
    } hints[CLI_EXTREME_COUNT];
};

struct cli_series {
    uint64_t missing;
    enum cli_csv_type column_type; /* of a table's column, up to here */
    struct cli_csv_odd odd;
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

/* Whether an extreme of the block with this key may be the series' first; if so, records it. With
 * the lock of the series held. */
bool cli_series_wants(struct cli_series *series, enum cli_element_type type, int extreme,
                      uint64_t key, uint64_t block);

/* Adds the results of the next block, whose first row is `first_row` of all. */
bool cli_series_add(struct cli_series *series, const struct cli_found *found, uint64_t first_row,
                    struct cli_failure *failure);

/* The results for all blocks. A column that is not named is text if it has more than a few odd
 * cells. */
void cli_series_summarize(const struct cli_series *series, bool is_named,
                          struct cli_summary *summary);
void cli_series_free(struct cli_series *series);

#endif
