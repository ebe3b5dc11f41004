/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of a .npy file (NumPy enhancement proposal 1 and numpy/lib/format.py; versions 1, 2
 * and 3): which elements an array has, its shape, and where its data begin. Reading it is a pure
 * function over the file's first bytes; nothing else of the file is touched.
 */
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include "src/cli/read/layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CLI_NPY_MOST_HEADER_BYTES = 65535, /* of the dictionary; more is refused */
    CLI_NPY_PREFIX_BYTES = 12 + CLI_NPY_MOST_HEADER_BYTES,
    CLI_NPY_FIRST_BYTES = 12, /* tell how long the header is */
    CLI_NPY_MESSAGE_BYTES = 160,
};

struct cli_npy {
    struct cli_layout layout;
    uint64_t data_offset; /* of the first element, in the file */
};

/* What is wrong, and at which byte of the file. */
struct cli_npy_error {
    size_t place;
    char message[CLI_NPY_MESSAGE_BYTES];
};

/* How many of a file's first bytes the header takes, as its first CLI_NPY_FIRST_BYTES say; at most
 * CLI_NPY_PREFIX_BYTES, and of fewer bytes so many. */
size_t cli_npy_prefix_bytes(const unsigned char *bytes, size_t count);

/* Reads the header from a file's first bytes: as many as it takes, or all that there are.
 * Strict: of what NumPy reads only that is taken which it writes, or which differs in its spacing
 * or in the L of a long integer. Gives false and the error, or the header. */
bool cli_npy_parse(const unsigned char *bytes, size_t count, struct cli_npy *npy,
                   struct cli_npy_error *error);

#endif
