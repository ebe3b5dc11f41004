/* SPDX-License-Identifier: Apache-2.0
 *
 * The element of an HDF5 type.
 */
#ifndef CLI_HDF5_TYPE_H
#define CLI_HDF5_TYPE_H

#include "tools/failure.h"
#include "tools/read/element.h"

#include <hdf5.h>
#include <stdbool.h>

enum cli_hdf5_kind {
    CLI_HDF5_NUMBERS,
    CLI_HDF5_OTHER,   /* not numbers: text, times, references, compounds, ... */
    CLI_HDF5_REFUSED, /* numbers of a kind that the tool does not support */
};

struct cli_hdf5_type {
    enum cli_hdf5_kind kind;
    char text[64]; /* its kind, if it is not supported: "text" */
    struct cli_element element;
    bool is_converted; /* the file has the element in another form, which the library converts */
};

/* Determines the element of the type. */
void cli_hdf5_find_type(hid_t type, struct cli_hdf5_type *found);

/* The library's type in memory for this element: integers and floating-point numbers, in the
 * machine's byte order. It must not be closed. */
hid_t cli_hdf5_native(enum cli_element_type type);

/* Records the library's own text, with the failed operation, and returns false. */
bool cli_hdf5_fail(const char *what, struct cli_failure *failure);

#endif
