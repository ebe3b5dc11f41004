/* SPDX-License-Identifier: Apache-2.0
 *
 * The elements of an array that are contiguous in a source: at any position of a regular file, or
 * in a stream, in order.
 */
#ifndef CLI_PLAIN_H
#define CLI_PLAIN_H

#include "tools/read/array.h"
#include "tools/read/source.h"

/* The source of the elements. A stream has been read up to the first one. */
struct cli_plain {
    struct cli_source *source;
    uint64_t offset; /* bytes before the first element */
    bool is_part;    /* of a regular file that continues after the array */
    bool is_text;    /* opening failed: the elements are text, bytes or structures, not numbers */
};

/* Makes the array's functions; plain->source, plain->offset and array->layout are set. An unknown
 * count becomes the number of elements that a regular file has. A source that is too short, or
 * longer than its array, is a failure: for a regular file now, for a stream once its end is
 * reached. */
bool cli_plain_open(struct cli_plain *plain, struct cli_array *array, struct cli_failure *failure);

#endif
