/* SPDX-License-Identifier: Apache-2.0
 *
 * An array in a file: which elements, in which shape, and from where on. The data stay in the file;
 * they are read in pieces, each once, into the reader's own memory. (Mapping the file instead took
 * more than twice as long in every way tried, since each page has to be mapped and unmapped; and a
 * file that shrinks while it is mapped kills the process.)
 */
#ifndef CLI_ARRAY_H
#define CLI_ARRAY_H

#include "src/cli/read/npy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How to take a file that is not .npy. */
struct cli_raw {
    bool is_raw;
    struct cli_element element;
    uint64_t offset; /* bytes before the first element */
};

struct cli_array {
    const char *name; /* of the file */
    int file;
    struct cli_npy layout;
};

/* Opens a file and finds out what is in it; whether it is large enough is known then, too.
 * Complains and gives false where that fails. The name is borrowed until cli_array_close. */
bool cli_array_open(const char *name, const struct cli_raw *raw, struct cli_array *array);
void cli_array_close(struct cli_array *array);

/* The array's size in bytes. */
uint64_t cli_array_bytes(const struct cli_array *array);

/* Reads `bytes` bytes from this one of the array on. Gives NULL, or what went wrong: a string that
 * lives for ever. Any thread. */
const char *cli_array_read(const struct cli_array *array, uint64_t first, size_t bytes, void *into);

#endif
