/* SPDX-License-Identifier: Apache-2.0
 *
 * The description of a data set: what it is, and the results for each of its series.
 */
#ifndef CLI_DESCRIPTION_H
#define CLI_DESCRIPTION_H

#include "tools/chosen_device.h"
#include "tools/describe/distinct.h"
#include "tools/describe/distribution.h"
#include "tools/describe/keys.h"
#include "tools/describe/series.h"
#include "tools/failure.h"
#include "tools/read/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The user's options. */
struct cli_describe_options {
    struct cli_job *job; /* whose ranks describe the data set together; NULL: this process */
    struct cli_chosen_device chosen;
    bool has_axis; /* of arrays; negative: counted from the last one */
    long axis;
    struct cli_distribution_options distribution;
    bool has_distinct; /* distinct values of columns of text are counted */
};

/* A table's column that was left out as text, although at least half of its cells with a value are
 * numbers, in the first rows or in all; or because of the first rows only, without reading the
 * others; or although all of its text would be numbers with the other decimal mark. */
struct cli_left_out {
    bool is_unseen;   /* only the first rows were read */
    const char *name; /* the table's */
    uint64_t count;   /* of numbers, or of booleans */
    bool is_boolean;
    struct cli_csv_odd odd;
};

struct cli_description {
    const char *file; /* as on the command line */
    const char *name; /* of the data set in it; "": the file is the data set */
    const char *note; /* about the data set; "": none */
    bool has_axis;    /* the series are along this axis, of an array */
    unsigned axis;
    const struct cli_table *table; /* NULL: an array */
    uint64_t table_bytes;          /* bytes of its file that were read */
    uint64_t comment_lines;        /* in it */
    struct cli_layout layout; /* of an array; a stream's count and shape are those that were read */
    bool is_interrupted;      /* an interrupt ended the reading early */
    bool is_cut_short;        /* an interrupt prevented exact quantiles and histograms */
    uint64_t rows;            /* elements of an array */
    const char *by;           /* the table's column whose values are the groups; NULL: none */
    struct cli_keys groups;   /* a column has a series for each group */
    size_t series_count;
    char **series_names;           /* NULL: the only series has no name */
    size_t *series_columns;        /* of a table: each one's column, from 0; else NULL */
    struct cli_summary *series;    /* series_count of them */
    size_t text_count;             /* columns of the table that are text, and left out */
    struct cli_left_out *left_out; /* some of these */
    size_t left_out_count;
    bool has_distinct;             /* requested, and no interrupt ended it */
    struct cli_distinct *distinct; /* of each such column */
    size_t distinct_count;
};

/* Reads the data set and describes it. The bits of the result depend only on the data set. Returns
 * false and a failure, or a description, which borrows the names. With a job it is collective, and
 * only rank 0 gets the description and the failure. */
bool cli_describe_dataset(struct cli_file *file, const struct cli_dataset *dataset,
                          const struct cli_describe_options *options,
                          struct cli_description *description, struct cli_failure *failure);
/* The number of series of a column: one for each group. The sums over these, of which `first` is
 * the first one. */
size_t cli_description_groups(const struct cli_description *description);
struct cli_column_total {
    uint64_t count; /* of numbers */
    bool is_boolean;
    struct cli_csv_odd odd;
    struct cli_edges edges;
};
void cli_description_total(const struct cli_description *description, size_t first,
                           struct cli_column_total *total);
void cli_description_free(struct cli_description *description);

#endif
