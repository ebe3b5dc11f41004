/* SPDX-License-Identifier: Apache-2.0
 *
 * What NetCDF's conventions say of an array's numbers: which one stands for a missing value, and
 * that x * scale_factor + add_offset is meant where x is stored.
 */
#ifndef CLI_PACKING_H
#define CLI_PACKING_H

#include "src/cli/read/array.h"

struct cli_packing {
    bool is_packed;
    double scale, offset;
};

enum { CLI_NOTE_BYTES = 128 };

/* Decides whether the array is packed; then its element becomes a native f64, and the note tells
 * what is stored. */
void cli_packing_apply(struct cli_packing *packing, struct cli_element *element,
                       char note[CLI_NOTE_BYTES]);

/* Unpacks stored values, which have been converted to doubles. */
void cli_packing_unpack(const struct cli_packing *packing, double *values, size_t count);

/* Notes the missing value, which is given as the elements are read: as a double where they are
 * packed, else in the bytes of the array's element. A NaN is none: NaNs are counted anyway. */
void cli_packing_missing(const struct cli_packing *packing, const unsigned char *value,
                         struct cli_array *array);

#endif
