/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes that are single numbers. Others, and values that do not fit, are ignored.
 */
#include "tools/read/hdf5_attribute.h"

#include <math.h>
#include <string.h>

static bool is_number(hid_t type)
{
    const H5T_class_t class = H5Tget_class(type);
    return class == H5T_INTEGER || class == H5T_FLOAT;
}

/* Whether every value of an attribute's type is a value of the elements' type (or near one). */
static bool fits(hid_t type, hid_t memory)
{
    if (!is_number(type) || H5Tget_class(type) != H5Tget_class(memory))
        return false;
    return H5Tget_class(type) == H5T_FLOAT ||
           (H5Tget_sign(type) == H5Tget_sign(memory) && H5Tget_size(type) <= H5Tget_size(memory));
}

/* Reads an attribute that is one number as `memory`, if it fits (or need not). */
static bool read_number(hid_t set, const char *name, hid_t memory, bool must_fit, void *into)
{
    bool is_read = false;
    if (H5Aexists(set, name) <= 0)
        return false;
    const hid_t attribute = H5Aopen(set, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    if (H5Sget_simple_extent_npoints(space) == 1 &&
        (must_fit ? fits(type, memory) : is_number(type)))
        is_read = H5Aread(attribute, memory, into) >= 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return is_read;
}

void cli_hdf5_find_packing(hid_t set, struct cli_dataset *dataset, struct cli_packing *packing)
{
    struct cli_element *element = &dataset->array.layout.element;
    const char kind = cli_element_kind(element->type);
    *packing = (struct cli_packing){.scale = 1, .offset = 0};
    if (kind == 'b' || kind == 'c')
        return;
    read_number(set, "scale_factor", H5T_NATIVE_DOUBLE, false, &packing->scale);
    read_number(set, "add_offset", H5T_NATIVE_DOUBLE, false, &packing->offset);
    cli_packing_apply(packing, element, dataset->note);
}

void cli_hdf5_find_missing(hid_t set, hid_t memory, const struct cli_packing *packing,
                           struct cli_array *array)
{
    unsigned char value[16];
    if (!is_number(memory) || H5Tget_size(memory) > sizeof value)
        return;
    if (read_number(set, "_FillValue", memory, !packing->is_packed, value) ||
        read_number(set, "missing_value", memory, !packing->is_packed, value))
        cli_packing_missing(packing, value, array);
}

bool cli_hdf5_is_dimension(hid_t set)
{
    static const char mark[] = "This is a netCDF dimension but not a netCDF variable";
    char name[256];
    bool is_dimension = false;
    if (H5Aexists(set, "NAME") <= 0)
        return false;
    const hid_t attribute = H5Aopen(set, "NAME", H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Tget_size(type) >= sizeof mark && H5Tget_size(type) <= sizeof name &&
        H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, name) >= 0)
        is_dimension = memcmp(name, mark, sizeof mark - 1) == 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return is_dimension;
}
