/* SPDX-License-Identifier: Apache-2.0
 *
 * The attributes of an HDF5 data set that define the meaning of its numbers, by NetCDF's
 * conventions: NetCDF-4 files are HDF5 files.
 */
#ifndef CLI_HDF5_ATTRIBUTE_H
#define CLI_HDF5_ATTRIBUTE_H

#include "tools/read/file.h"
#include "tools/read/slabs.h"

#include <hdf5.h>

/* scale_factor and add_offset, of an array of real numbers. A packed array's elements become
 * doubles, and the dataset's note says so. */
void cli_hdf5_find_packing(hid_t set, struct cli_dataset *dataset, struct cli_packing *packing);

/* _FillValue or else missing_value, as it is in the unpacked array; `memory` is the library's type
 * of the elements as they are read. */
void cli_hdf5_find_missing(hid_t set, hid_t memory, const struct cli_packing *packing,
                           struct cli_array *array);

/* Whether the data set only represents a dimension, and has no values. */
bool cli_hdf5_is_dimension(hid_t set);

#endif
