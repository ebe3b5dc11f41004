/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of a file, mapped into memory. Without a copy, data are read from memory once, and
 * computation overlaps with that. Whether it is faster than a copy depends on the file system and
 * the operating system's page size. (A mapping for each block was slower in all variants.)
 *
 * A file may become shorter while it is mapped. A signal handler then lets the missing bytes read
 * as zeros, and cli_mapping_end returns false.
 */
#ifndef CLI_MAPPING_H
#define CLI_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: nothing is mapped. */
struct cli_mapping {
    int file;
    uint64_t end; /* in the file */
    void *begin;
    size_t bytes;
};

/* Returns the address of bytes of a regular file, from any position on, which any thread may read;
 * NULL: they cannot be mapped. A process has one mapping at a time. */
const void *cli_mapping_begin(struct cli_mapping *mapping, int file, uint64_t first,
                              uint64_t bytes);

/* Ends the mapping, if there is one. Returns whether all bytes existed. */
bool cli_mapping_end(struct cli_mapping *mapping);

#endif
