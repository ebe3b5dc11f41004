/* SPDX-License-Identifier: Apache-2.0
 *
 * Layouts.
 */
#include "src/cli/read/layout.h"

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
