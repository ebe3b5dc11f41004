/* SPDX-License-Identifier: Apache-2.0
 *
 * An array along one of its axes as a source: a series for each combination of the other indices,
 * whose rows are the indices along the axis.
 */
#ifndef CLI_AXIS_SOURCE_H
#define CLI_AXIS_SOURCE_H

#include "tools/describe/block_source.h"

enum { CLI_AXIS_MOST_SERIES = 65536, CLI_AXIS_NAME_BYTES = CLI_MOST_DIMENSIONS * 22 + 3 };

/* In the file the array is outer x rows x inner elements. A series has one outer and one inner
 * index. */
struct cli_axis_source {
    struct cli_block_source base;
    const struct cli_array *array; /* borrowed */
    unsigned axis;
    uint64_t outer, rows, inner;
    uint64_t block_outer, block_rows; /* of a block: several whole outer indices, or rows of one */
    uint64_t next_outer, next_row;
};

/* The axis counts from 0, or, if it is negative, backwards from the last one. Returns false and a
 * failure if the array does not have the axis, or there are too many series. */
bool cli_axis_source_open(struct cli_axis_source *source, const struct cli_array *array, long axis,
                          struct cli_failure *failure);

/* The name of a series in NumPy's notation: "[3, :, 0]". */
void cli_axis_name(const struct cli_axis_source *source, size_t series,
                   char name[CLI_AXIS_NAME_BYTES]);

#endif
