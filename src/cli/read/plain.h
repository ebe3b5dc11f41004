/* SPDX-License-Identifier: Apache-2.0
 *
 * The elements of an array that lie in a source one after the other: at any place of a regular
 * file, or in a stream, in order.
 */
#ifndef CLI_PLAIN_H
#define CLI_PLAIN_H

#include "src/cli/read/array.h"
#include "src/cli/read/source.h"

/* Where they lie. The stream has been read up to the first one. */
struct cli_plain {
    struct cli_source *source;
    uint64_t offset; /* bytes before the first element */
    bool is_part;    /* of a regular file, which goes on after it */
};

/* Makes the array's functions; plain->source and plain->offset are set, and array->layout, whose
 * count becomes what a regular file holds where it is unknown. What is too short, or longer than
 * its array, is a failure: of a regular file now, of a stream once its end is reached. */
bool cli_plain_open(struct cli_plain *plain, struct cli_array *array, struct cli_failure *failure);

#endif
