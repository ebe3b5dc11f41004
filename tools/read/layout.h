/* SPDX-License-Identifier: Apache-2.0
 *
 * The elements of an array: type, shape and order.
 */
#ifndef CLI_LAYOUT_H
#define CLI_LAYOUT_H

#include "tools/read/element.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CLI_MOST_DIMENSIONS = 64, /* NumPy's limit; HDF5 has 32, NetCDF 1024 */
    CLI_POSITION_BYTES = CLI_MOST_DIMENSIONS * 22 + 3
};

/* The count of an array that ends with its stream. */
#define CLI_COUNT_UNKNOWN UINT64_MAX

struct cli_layout {
    struct cli_element element;
    bool is_fortran; /* the first dimension varies fastest, not the last */
    unsigned dimensions;
    uint64_t shape[CLI_MOST_DIMENSIONS];
    uint64_t count; /* elements: the product of the shape; their bytes fit in 63 bits */
};

/* The size in bytes; the count is known. */
uint64_t cli_layout_bytes(const struct cli_layout *layout);

/* The coordinates of an element from its index in the order of the file. */
void cli_layout_coordinates(const struct cli_layout *layout, uint64_t index,
                            uint64_t coordinates[CLI_MOST_DIMENSIONS]);

/* The same as text: "[3, 4]". */
void cli_layout_write_position(const struct cli_layout *layout, uint64_t index,
                               char text[CLI_POSITION_BYTES]);

#endif
