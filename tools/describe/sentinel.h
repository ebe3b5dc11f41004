/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that programs write for missing values, such as -999: whether the minimum or the maximum
 * of a table's column is one, how often, and whether it is far from the other numbers.
 */
#ifndef CLI_SENTINEL_H
#define CLI_SENTINEL_H

#include "tools/describe/feed.h"

/* An extreme, how many numbers equal it, and the next number towards the others; the counts are of
 * extremes that are candidates. */
struct cli_edge {
    double value, next;
    uint64_t count; /* 0: the series is empty */
};

/* The minimum, then the maximum. */
struct cli_edges {
    struct cli_edge edges[2];
};

/* Of the values of a block, whose extremes are known. Others than candidates cost nothing. */
void cli_edges_find(const struct cli_values *values, double minimum, double maximum,
                    struct cli_edges *edges);

/* Adds those of another block. */
void cli_edges_add(struct cli_edges *edges, const struct cli_edges *other);

/* Whether an extreme is a sentinel: a number that is used as one, and that is further from the
 * others than these are from each other, or the only negative one. */
bool cli_edges_has_sentinel(const struct cli_edges *edges, int extreme);

#endif
