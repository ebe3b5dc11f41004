/* SPDX-License-Identifier: Apache-2.0
 *
 * Layouts.
 */
#include "tools/read/layout.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t cli_layout_bytes(const struct cli_layout *layout)
{
    return layout->count * cli_element_bytes(layout->element.type);
}

void cli_layout_coordinates(const struct cli_layout *layout, uint64_t index,
                            uint64_t coordinates[CLI_MOST_DIMENSIONS])
{
    for (unsigned i = 0; i < layout->dimensions; i++) {
        const unsigned fastest = layout->is_fortran ? i : layout->dimensions - 1 - i;
        coordinates[fastest] = index % layout->shape[fastest];
        index /= layout->shape[fastest];
    }
}

void cli_layout_write_position(const struct cli_layout *layout, uint64_t index,
                               char text[CLI_POSITION_BYTES])
{
    uint64_t coordinates[CLI_MOST_DIMENSIONS];
    size_t length = 1;
    cli_layout_coordinates(layout, index, coordinates);
    text[0] = '[';
    for (unsigned d = 0; d < layout->dimensions; d++)
        length += (size_t)snprintf(text + length, CLI_POSITION_BYTES - length, "%s%" PRIu64,
                                   d > 0 ? ", " : "", coordinates[d]);
    snprintf(text + length, CLI_POSITION_BYTES - length, "]");
}
