/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays: what all formats share.
 */
#include "src/cli/read/array.h"

uint64_t cli_array_bytes(const struct cli_array *array)
{
    return array->layout.count * cli_element_bytes(array->layout.element.type);
}
