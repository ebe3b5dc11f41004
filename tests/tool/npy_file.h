/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes .npy files of every type, byte order, version and order of dimensions, one byte after the
 * other. Nothing of the tool's is used.
 */
#ifndef TESTS_CLI_NPY_FILE_H
#define TESTS_CLI_NPY_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { NPY_FILE_MOST_DIMENSIONS = 3 };

struct npy_file {
    const char *name;
    char kind;      /* 'b', 'i', 'u', 'f' */
    unsigned bytes; /* of an element */
    bool is_big_endian;
    bool is_fortran;
    unsigned version; /* 1, 2, 3 */
    unsigned dimensions;
    size_t shape[NPY_FILE_MOST_DIMENSIONS];
};

/* Writes the file. The values, in the order of the file, are exact in their type; long double holds
 * each value of every type. Ends the test where the file cannot be written. */
void npy_file_write(const struct npy_file *file, const long double *values);

/* The value, of those that the type has, that is nearest. */
long double npy_file_round(char kind, unsigned bytes, long double value);

#endif
