/* SPDX-License-Identifier: Apache-2.0
 *
 * Sentinels: numbers that programs write for missing values, such as -999. Determines whether the
 * minimum or the maximum of a table's column is one, and how often it occurs.
 */
#ifndef CLI_SENTINEL_H
#define CLI_SENTINEL_H

#include "tools/describe/block_source.h"

/* An extreme, the number next to it, and how many numbers are equal to it, if it is a candidate for
 * a sentinel. */
struct cli_edge {
    double value, next;
    uint64_t count; /* 0: the series is empty */
};

/* The minimum, then the maximum. */
struct cli_edges {
    struct cli_edge edges[2];
};

/* Finds the edges of a block's values, whose extremes are known. Takes no time unless an extreme is
 * a candidate. */
void cli_edges_find(const struct cli_values *values, double minimum, double maximum,
                    struct cli_edges *edges);

/* Adds those of another block. */
void cli_edges_add(struct cli_edges *edges, const struct cli_edges *other);

/* Whether an extreme is a sentinel: a candidate whose distance from the other numbers is larger
 * than their range, or the only negative number. */
bool cli_edges_has_sentinel(const struct cli_edges *edges, int extreme);

#endif
