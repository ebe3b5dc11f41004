/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of a .npy file (NumPy enhancement proposal 1 and numpy/lib/format.py; versions 1, 2
 * and 3): the elements of the array, its shape, and where its data begin. Reading it is a pure
 * function of the file's first bytes.
 */
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include "tools/read/layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CLI_NPY_MOST_HEADER_BYTES = 65535, /* of the dictionary; a longer one is refused */
    CLI_NPY_PREFIX_BYTES = 12 + CLI_NPY_MOST_HEADER_BYTES,
    CLI_NPY_FIRST_BYTES = 12, /* contain the length of the header */
    CLI_NPY_MESSAGE_BYTES = 160,
};

struct cli_npy {
    struct cli_layout layout;
    uint64_t data_offset; /* of the first element, in the file */
};

/* An error, and its byte in the file. */
struct cli_npy_error {
    size_t position;
    bool is_of_type; /* the elements are text, bytes, or structures: the file is right otherwise */
    char message[CLI_NPY_MESSAGE_BYTES];
};

/* The size of the header, from the file's first CLI_NPY_FIRST_BYTES: at most CLI_NPY_PREFIX_BYTES.
 * Returns `count` if that is too small to contain the length. */
size_t cli_npy_prefix_bytes(const unsigned char *bytes, size_t count);

/* Reads the header from a file's first bytes: as many as its size, or all. Strict: it accepts only
 * what NumPy writes, with any spacing and the L of a long integer. Returns false and the error, or
 * the header. */
bool cli_npy_parse(const unsigned char *bytes, size_t count, struct cli_npy *npy,
                   struct cli_npy_error *error);

#endif
