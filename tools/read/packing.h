/* SPDX-License-Identifier: Apache-2.0
 *
 * NetCDF's conventions for an array's numbers: the missing value; and packing, in which a stored x
 * represents x * scale_factor + add_offset.
 */
#ifndef CLI_PACKING_H
#define CLI_PACKING_H

#include "tools/read/array.h"

struct cli_packing {
    bool is_packed;
    double scale, offset;
};

enum { CLI_NOTE_BYTES = 128 };

/* Determines whether the array is packed; then its element becomes a native f64, and the note has
 * the stored type. */
void cli_packing_apply(struct cli_packing *packing, struct cli_element *element,
                       char note[CLI_NOTE_BYTES]);

/* Unpacks stored values, which have been converted to doubles. */
void cli_packing_unpack(const struct cli_packing *packing, double *values, size_t count);

/* Stores the missing value, in the form in which the elements are read: as a double if they are
 * packed, else in the bytes of the array's element. A NaN is ignored, since NaNs are counted
 * separately. */
void cli_packing_missing(const struct cli_packing *packing, const unsigned char *value,
                         struct cli_array *array);

#endif
