/* SPDX-License-Identifier: Apache-2.0
 *
 * Packed arrays and missing values.
 */
#include "tools/read/packing.h"

#include <stdio.h>
#include <string.h>

void cli_packing_apply(struct cli_packing *packing, struct cli_element *element,
                       char note[CLI_NOTE_BYTES])
{
    char scale[CLI_NUMBER_BYTES], offset[CLI_NUMBER_BYTES];
    packing->is_packed = packing->scale != 1 || packing->offset != 0;
    if (!packing->is_packed)
        return;
    cli_double_write(packing->scale, scale);
    cli_double_write(packing->offset, offset);
    snprintf(note, CLI_NOTE_BYTES, "unpacked from %s * %s + %s", cli_element_name(element->type),
             scale, offset);
    *element = cli_element_native(CLI_ELEMENT_f64);
}

void cli_packing_unpack(const struct cli_packing *packing, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = values[i] * packing->scale + packing->offset;
}

void cli_packing_missing(const struct cli_packing *packing, const unsigned char *value,
                         struct cli_array *array)
{
    const struct cli_element element = array->layout.element;
    double stored;
    uint64_t key;
    memcpy(array->missing_value, value, cli_element_bytes(element.type));
    if (packing->is_packed) {
        memcpy(&stored, value, sizeof stored);
        cli_packing_unpack(packing, &stored, 1);
        memcpy(array->missing_value, &stored, sizeof stored);
    }
    array->has_missing_value = cli_element_key(element, array->missing_value, &key);
}
