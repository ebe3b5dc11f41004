/* SPDX-License-Identifier: Apache-2.0
 *
 * Which elements an HDF5 type is.
 */
#ifndef CLI_HDF5_TYPE_H
#define CLI_HDF5_TYPE_H

#include "src/cli/failure.h"
#include "src/cli/read/element.h"

#include <hdf5.h>
#include <stdbool.h>

enum cli_hdf5_kind {
    CLI_HDF5_NUMBERS,
    CLI_HDF5_OTHER,   /* no numbers: text, times, references, compounds, ... */
    CLI_HDF5_REFUSED, /* numbers, but none that the tool has */
};

struct cli_hdf5_type {
    enum cli_hdf5_kind kind;
    char text[64]; /* what it is, where it is not taken: "text" */
    struct cli_element element;
    bool is_converted; /* the file has the element in another form, which the library converts */
};

/* What the type is. */
void cli_hdf5_find_type(hid_t type, struct cli_hdf5_type *found);

/* The library's type in memory of this element: of integers and floating-point numbers, in the
 * machine's order. It is not to be closed. */
hid_t cli_hdf5_native(enum cli_element_type type);

/* Notes the library's own words, with what was being done, and gives false. */
bool cli_hdf5_fail(const char *what, struct cli_failure *failure);

#endif
