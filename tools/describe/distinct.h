/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns of text: the number of distinct values of each, and the most frequent ones.
 */
#ifndef CLI_DISTINCT_H
#define CLI_DISTINCT_H

#include "tools/describe/dataset_source.h"
#include "tools/describe/keys.h"

enum { CLI_MOST_DISTINCT = 1000000, CLI_FREQUENT = 3 };

struct cli_distinct {
    const char *name; /* the table's */
    uint64_t missing;
    size_t count; /* of distinct values */
    bool is_cut;  /* not all were counted: there were too many, or they were too long */
    size_t frequent_count;
    struct cli_key frequent[CLI_FREQUENT]; /* the most frequent ones, with their own text */
};

/* Counts the distinct values of the columns in wants_text, in the table's order, in a pass of its
 * own. Adds the number of the table's rows to *rows, unless that is NULL. */
bool cli_distinct_find(const struct cli_subject *subject, const bool *wants_text,
                       struct cli_distinct *distinct, uint64_t *rows, struct cli_failure *failure);
void cli_distinct_free(struct cli_distinct *distinct, size_t count);

/* Prints a row for each column. */
void cli_print_distinct(const struct cli_distinct *distinct, size_t count, size_t width);

#endif
