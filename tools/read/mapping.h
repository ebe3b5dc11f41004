/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of a file in memory without a copy. A processor that reads it while it describes it waits
 * for memory once, and computes meanwhile. Whether that is faster than a copy depends on the file
 * system and the kernel, which maps the file in pages, or in pieces of many. (A mapping for each
 * block was slower in every way tried.)
 *
 * A file may become shorter while it is mapped. The signal that the processor then raises is taken
 * here: the bytes read as zeros, and cli_mapping_end says so.
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

/* The mapping, if there is any, ends. Whether all bytes were there. */
bool cli_mapping_end(struct cli_mapping *mapping);

#endif
