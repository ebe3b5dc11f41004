/* SPDX-License-Identifier: Apache-2.0
 *
 * The CRC-32 of an array that is read in blocks, in any order, by any thread.
 */
#ifndef CLI_CHECKSUM_H
#define CLI_CHECKSUM_H

#include "tools/read/plain.h"

#include <stdatomic.h>

struct cli_checksum {
    struct cli_array inner;
    const struct cli_plain *plain;
    uint32_t expected;
    uint32_t header; /* the CRC of the bytes before the array */
    uint64_t bytes;  /* of all */
    bool is_checked;
    atomic_uint_fast32_t found;   /* the CRC of the blocks that were read */
    atomic_uint_fast64_t counted; /* the number of these bytes */
};

/* Adds a check to an opened array of a file: once all of it was read, the CRC-32 of the source's
 * bytes must be `expected`. */
bool cli_checksum_open(struct cli_checksum *checksum, const struct cli_plain *plain,
                       uint32_t expected, struct cli_array *array, struct cli_failure *failure);

#endif
