/* SPDX-License-Identifier: Apache-2.0
 *
 * What is found in a series: block by block, then in all of them.
 *
 * The parts of the blocks, taken in their order, merge in pairs, and these in pairs again, like the
 * carries of a binary counter; so the memory for them grows with the logarithm of their number, and
 * the order of merging depends on that number alone. Blocks of integers of int64_t, of uint64_t and
 * of floating-point numbers, which a column of a text may all have, are kept apart until the end.
 */
#ifndef CLI_SERIES_H
#define CLI_SERIES_H

#include "kernels/describe_part.h"
#include "src/cli/failure.h"
#include "src/cli/read/csv.h"
#include "src/cli/read/element.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An extreme: its value as a key (kernels/describe_part.h), the first row that has it, and the
 * value itself, in the order of bytes of this machine. */
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
    size_t text_line;
    /* Those that may be the series': of a block that surely has no smaller one, none is needed. */
    struct cli_extreme extremes[CLI_EXTREME_COUNT];
};

/* Of uint64_t; of other integer types; of floating-point ones. */
enum { CLI_INTEGERS, CLI_UNSIGNEDS, CLI_FLOATS, CLI_KIND_COUNT };

/* Numbers of one kind. */
struct cli_kind {
    enum cli_element_type type;
    uint64_t blocks;
    describe_part *parts; /* of 2^l blocks at l, where bit l of their number is set */
    size_t room;
    struct cli_extreme extremes[CLI_EXTREME_COUNT];
    /* The best keys that any thread has found, and in which block: for what need not be looked
     * for. */
    struct cli_hint {
        uint64_t key, block;
        bool is_there;
    } hints[CLI_EXTREME_COUNT];
};

struct cli_series {
    uint64_t missing;
    enum cli_csv_type column_type; /* of a table's column, so far */
    struct cli_kind kinds[CLI_KIND_COUNT];
};

struct cli_distribution;

/* In all blocks. */
struct cli_summary {
    enum cli_element_type type;
    bool is_text;  /* a table's column that is no numbers: there is nothing else to tell of it */
    bool is_wide;  /* integers of a table that no type of 64 bits has, so that they are rounded */
    uint64_t rows; /* the missing ones among them */
    uint64_t missing;
    describe_part part;
    struct cli_extreme extremes[CLI_EXTREME_COUNT];
    struct cli_distribution *distribution; /* its own; NULL: none was asked for */
};

/* Whether an extreme of the block with this key may be the series' first; if so, notes it. Under
 * the lock of the series. */
bool cli_series_wants(struct cli_series *series, enum cli_element_type type, int extreme,
                      uint64_t key, uint64_t block);

/* Adds what was found in the next block, whose first row is `first_row` of all. */
bool cli_series_add(struct cli_series *series, const struct cli_found *found, uint64_t first_row,
                    struct cli_failure *failure);

/* What was found in all of them. */
void cli_series_summarize(const struct cli_series *series, struct cli_summary *summary);
void cli_series_free(struct cli_series *series);

#endif
