/* SPDX-License-Identifier: Apache-2.0
 *
 * HDF5 files, by libhdf5. The tool itself reads data that are contiguous and unconverted in the
 * file; the library reads chunked, filtered and external data, in order. The names of all data sets
 * are collected first, each once; soft and external links are followed only in a path that the user
 * gives.
 */
#include "tools/read/file.h"
#include "tools/read/hdf5_files.h"
#include "tools/read/hdf5_type.h"
#include "tools/read/plain.h"
#include "tools/read/reader.h"
#include "tools/read/slabs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hdf5 {
    hid_t file;
    struct cli_hdf5_files files;
    char **names; /* "/group/x" */
    size_t name_count, name_capacity, next;
    bool has_numbers;
    /* The current data set. */
    hid_t set, space, type, memory; /* memory: the type of elements that the library returns */
    struct cli_plain plain;
    struct cli_slabs slabs;
};

/* ---- Attributes -------------------------------------------------------------------------------*/

/* Attributes of NetCDF's conventions, which define the meaning of a data set's numbers: NetCDF-4
 * files are HDF5 files. Attributes that are not single numbers, and values that do not fit, are
 * ignored.
 */

static bool is_number(hid_t type)
{
    const H5T_class_t class = H5Tget_class(type);
    return class == H5T_INTEGER || class == H5T_FLOAT;
}

/* Whether the elements' type represents all values of an attribute's type, perhaps rounded. */
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

/* Reads scale_factor and add_offset of an array of real numbers. The elements of a packed array
 * become doubles, which the data set's note mentions. */
static void find_packing(hid_t set, struct cli_dataset *dataset, struct cli_packing *packing)
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

/* Reads _FillValue, or else missing_value, as a value of the unpacked array. `memory` is the type
 * of elements that the library returns. */
static void find_missing(hid_t set, hid_t memory, const struct cli_packing *packing,
                         struct cli_array *array)
{
    unsigned char value[16];
    if (!is_number(memory) || H5Tget_size(memory) > sizeof value)
        return;
    if (read_number(set, "_FillValue", memory, !packing->is_packed, value) ||
        read_number(set, "missing_value", memory, !packing->is_packed, value))
        cli_packing_missing(packing, value, array);
}

/* Whether the data set only represents a dimension, and has no values. */
static bool is_dimension(hid_t set)
{
    static const char mark[] = "This is a netCDF dimension but not a netCDF variable";
    char name[256];
    bool is_marked = false;
    if (H5Aexists(set, "NAME") <= 0)
        return false;
    const hid_t attribute = H5Aopen(set, "NAME", H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Tget_size(type) >= sizeof mark && H5Tget_size(type) <= sizeof name &&
        H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, name) >= 0)
        is_marked = memcmp(name, mark, sizeof mark - 1) == 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return is_marked;
}

/* ---- Names of data sets -----------------------------------------------------------------------*/

static bool add_name(struct hdf5 *hdf5, const char *name)
{
    if (hdf5->name_count == hdf5->name_capacity) {
        const size_t capacity = 2 * hdf5->name_capacity + 16;
        char **names = realloc(hdf5->names, capacity * sizeof *names);
        if (names == NULL)
            return false;
        hdf5->names = names;
        hdf5->name_capacity = capacity;
    }
    char *copy = malloc(strlen(name) + 2);
    if (copy == NULL)
        return false;
    sprintf(copy, "/%s", name[0] == '/' ? name + 1 : name);
    hdf5->names[hdf5->name_count++] = copy;
    return true;
}

static herr_t visit(hid_t root, const char *name, const H5O_info_t *about, void *data)
{
    (void)root;
    return about->type != H5O_TYPE_DATASET || add_name(data, name) ? 0 : -1;
}

static bool find_names(struct cli_file *file, struct cli_failure *failure)
{
    struct hdf5 *hdf5 = file->data;
    if (file->path[0] != '\0')
        return add_name(hdf5, file->path) || cli_fail(failure, "%s", strerror(ENOMEM));
    return H5Ovisit(hdf5->file, H5_INDEX_NAME, H5_ITER_INC, visit, hdf5) >= 0 ||
           cli_hdf5_fail("its groups cannot be read", failure);
}

/* ---- Opening ----------------------------------------------------------------------------------*/

static bool open_hdf5(struct cli_file *file, struct cli_failure *failure)
{
    struct hdf5 *hdf5 = calloc(1, sizeof *hdf5);
    file->data = hdf5;
    if (hdf5 == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hdf5->set = hdf5->space = hdf5->type = hdf5->memory = H5I_INVALID_HID;
    hdf5->file = cli_hdf5_files_open(cli_source_name(file->source));
    if (hdf5->file < 0)
        return cli_hdf5_fail("it cannot be opened", failure);
    return cli_hdf5_files_begin(&hdf5->files, cli_source_name(file->source),
                                file->options->allows_outside, failure) &&
           find_names(file, failure);
}

/* ---- A data set -------------------------------------------------------------------------------*/

static void close_set(struct hdf5 *hdf5)
{
    cli_slabs_close(&hdf5->slabs);
    if (hdf5->set >= 0) /* negative: the open failed */
        H5Dclose(hdf5->set);
    if (hdf5->space >= 0)
        H5Sclose(hdf5->space);
    if (hdf5->type >= 0)
        H5Tclose(hdf5->type);
    if (hdf5->memory >= 0)
        H5Tclose(hdf5->memory);
    hdf5->set = hdf5->space = hdf5->type = hdf5->memory = H5I_INVALID_HID;
}

/* Opens a data set. A path that the user gave may contain links, and may be another object. */
static bool open_set(struct hdf5 *hdf5, const char *name, struct cli_failure *failure)
{
    hdf5->files.refused.text[0] = '\0';
    const hid_t object = H5Oopen(hdf5->file, name, H5P_DEFAULT);
    if (object < 0 && hdf5->files.refused.text[0] != '\0')
        return cli_fail(failure, "%s", hdf5->files.refused.text);
    if (object < 0)
        return cli_hdf5_fail("has no object of this name", failure);
    if (H5Iget_type(object) != H5I_DATASET) {
        const bool is_group = H5Iget_type(object) == H5I_GROUP;
        H5Oclose(object);
        return cli_fail(failure, "is a %s, not a data set", is_group ? "group" : "type");
    }
    hdf5->set = object;
    hdf5->type = H5Dget_type(object);
    return hdf5->type >= 0 || cli_hdf5_fail("what it consists of cannot be read", failure);
}

/* The files are checked first, since a virtual data set's extent may depend on its sources. */
static bool find_space(struct hdf5 *hdf5, struct cli_failure *failure)
{
    if (!cli_hdf5_files_check(&hdf5->files, hdf5->set, failure))
        return false;
    hdf5->space = H5Dget_space(hdf5->set);
    return hdf5->space >= 0 || cli_hdf5_fail("what it consists of cannot be read", failure);
}

static bool find_shape(hid_t space, struct cli_layout *layout, struct cli_failure *failure)
{
    hsize_t shape[H5S_MAX_RANK];
    const uint64_t most = INT64_MAX / 16;
    const H5S_class_t class = H5Sget_simple_extent_type(space);
    const int dimensions = class == H5S_NULL ? 1 : H5Sget_simple_extent_dims(space, shape, NULL);
    if (class == H5S_NULL)
        shape[0] = 0;
    if (class == H5S_NO_CLASS || dimensions < 0)
        return cli_hdf5_fail("its shape cannot be read", failure);
    layout->dimensions = (unsigned)dimensions;
    layout->count = 1;
    for (int d = 0; d < dimensions; d++) {
        if (shape[d] > 0 && layout->count > most / shape[d])
            return cli_fail(failure, "its size is beyond 63 bits");
        layout->shape[d] = shape[d];
        layout->count *= shape[d];
    }
    return true;
}

/* ---- Through the library ----------------------------------------------------------------------*/

static bool read_region(void *data, const struct cli_region *region, void *into,
                        struct cli_failure *failure)
{
    struct hdf5 *hdf5 = data;
    hsize_t start[H5S_MAX_RANK], count[H5S_MAX_RANK];
    const int dimensions = H5Sget_simple_extent_ndims(hdf5->space);
    hid_t memory_space = H5S_ALL, file_space = H5S_ALL;
    for (int d = 0; d < dimensions; d++) {
        start[d] = region->start[d];
        count[d] = region->count[d];
    }
    if (dimensions > 0) {
        memory_space = H5Screate_simple(dimensions, count, NULL);
        file_space = hdf5->space;
        H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL);
    }
    const bool is_read =
        H5Dread(hdf5->set, hdf5->memory, memory_space, file_space, H5P_DEFAULT, into) >= 0;
    if (!is_read)
        cli_hdf5_fail("it cannot be read", failure);
    if (dimensions > 0)
        H5Sclose(memory_space);
    return is_read;
}

static bool check_filters(hid_t plan, struct cli_failure *failure)
{
    for (int f = 0; f < H5Pget_nfilters(plan); f++) {
        char name[64] = "";
        unsigned flags;
        size_t no_values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(plan, (unsigned)f, &flags, &no_values, NULL, sizeof name, name, NULL);
        for (char *c = name; *c != '\0'; c++)
            if (*c < ' ' || *c > '~')
                *c = '?';
        if (filter >= 0 && H5Zfilter_avail(filter) <= 0)
            return cli_fail(failure,
                            "it needs filter %d%s%s, which libhdf5 does not have (HDF5_PLUGIN_PATH "
                            "names the folder of its plugins)",
                            (int)filter, name[0] != '\0' ? ", " : "", name);
    }
    H5Eclear2(H5E_DEFAULT); /* the library looked for plugins */
    return true;
}

static bool open_by_library(struct hdf5 *hdf5, hid_t plan, struct cli_array *array,
                            struct cli_failure *failure)
{
    hsize_t chunk[H5S_MAX_RANK];
    const bool is_chunked = H5Pget_layout(plan) == H5D_CHUNKED;
    const int dimensions = is_chunked ? H5Pget_chunk(plan, H5S_MAX_RANK, chunk) : 0;
    if (!check_filters(plan, failure))
        return false;
    for (unsigned d = 0; d < array->layout.dimensions; d++)
        hdf5->slabs.chunk[d] = (int)d < dimensions ? chunk[d] : 1;
    hdf5->slabs.read_region = read_region;
    hdf5->slabs.data = hdf5;
    return cli_slabs_open(&hdf5->slabs, array, failure);
}

/* ---- Describing one ---------------------------------------------------------------------------*/

/* Whether the data set is in this file, not in one that a link refers to. */
static bool is_own(const struct hdf5 *hdf5)
{
    H5O_info_t set, root;
    return H5Oget_info(hdf5->set, &set) >= 0 && H5Oget_info(hdf5->file, &root) >= 0 &&
           set.fileno == root.fileno;
}

/* Elements that are contiguous in the file, unconverted. */
static bool is_plain(const struct hdf5 *hdf5, hid_t plan)
{
    H5D_space_status_t
        status; /* checked, too, since H5Dget_offset may be defined without allocated data */
    return is_own(hdf5) && H5Pget_layout(plan) == H5D_CONTIGUOUS &&
           H5Pget_external_count(plan) == 0 && H5Dget_space_status(hdf5->set, &status) >= 0 &&
           status == H5D_SPACE_STATUS_ALLOCATED && H5Dget_offset(hdf5->set) != HADDR_UNDEF;
}

static bool open_array(struct cli_file *file, const struct cli_hdf5_type *type,
                       struct cli_dataset *dataset, struct cli_failure *failure)
{
    struct hdf5 *hdf5 = file->data;
    struct cli_array *array = &dataset->array;
    struct cli_packing *packing = &hdf5->slabs.packing;
    array->layout.element = type->element;
    if (!find_space(hdf5, failure) || !find_shape(hdf5->space, &array->layout, failure))
        return false;
    find_packing(hdf5->set, dataset, packing);
    hdf5->memory = H5Tcopy(type->is_converted || packing->is_packed
                               ? cli_hdf5_native(array->layout.element.type)
                               : hdf5->type);
    find_missing(hdf5->set, hdf5->memory, packing, array);
    const hid_t plan = H5Dget_create_plist(hdf5->set);
    if (plan < 0)
        return cli_hdf5_fail("its storage layout cannot be read", failure);
    bool is_fine;
    if (is_plain(hdf5, plan) && !type->is_converted && !packing->is_packed) {
        hdf5->plain = (struct cli_plain){
            .source = file->source, .offset = H5Dget_offset(hdf5->set), .is_part = true};
        is_fine = cli_plain_open(&hdf5->plain, array, failure);
    } else {
        is_fine = open_by_library(hdf5, plan, array, failure);
    }
    H5Pclose(plan);
    return is_fine;
}

/* Returns CLI_NO_MORE if the data set has no numbers and was not requested by name. */
static enum cli_next try_set(struct cli_file *file, const char *name, struct cli_dataset *dataset,
                             struct cli_failure *failure)
{
    struct hdf5 *hdf5 = file->data;
    struct cli_hdf5_type type;
    close_set(hdf5);
    snprintf(dataset->name, sizeof dataset->name, "%s", name);
    if (!open_set(hdf5, name, failure))
        return CLI_NEXT_FAILED;
    cli_hdf5_find_type(hdf5->type, &type);
    if (file->path[0] == '\0' && (type.kind == CLI_HDF5_OTHER || is_dimension(hdf5->set)))
        return CLI_NO_MORE;
    hdf5->has_numbers = true;
    if (type.kind != CLI_HDF5_NUMBERS) {
        cli_fail(failure, "its elements are %s", type.text);
        return CLI_NEXT_FAILED;
    }
    return open_array(file, &type, dataset, failure) ? CLI_NEXT : CLI_NEXT_FAILED;
}

static enum cli_next next(struct cli_file *file, struct cli_dataset *dataset,
                          struct cli_failure *failure)
{
    struct hdf5 *hdf5 = file->data;
    while (hdf5->next < hdf5->name_count) {
        const enum cli_next result = try_set(file, hdf5->names[hdf5->next++], dataset, failure);
        if (result != CLI_NO_MORE)
            return result;
    }
    if (hdf5->has_numbers || file->path[0] != '\0')
        return CLI_NO_MORE;
    hdf5->has_numbers = true; /* so it is reported once */
    dataset->name[0] = '\0';
    cli_fail(failure, "it has no data set of numbers");
    return CLI_NEXT_FAILED;
}

/* Data sets that the tool reads itself have no slabs. */
static bool rewind_slabs(struct cli_file *file, struct cli_failure *failure)
{
    (void)failure;
    cli_slabs_rewind(&((struct hdf5 *)file->data)->slabs);
    return true;
}

static void close_hdf5(struct cli_file *file)
{
    struct hdf5 *hdf5 = file->data;
    if (hdf5 == NULL)
        return;
    close_set(hdf5);
    if (hdf5->file >= 0)
        H5Fclose(hdf5->file);
    cli_hdf5_files_end(&hdf5->files);
    for (size_t i = 0; i < hdf5->name_count; i++)
        free(hdf5->names[i]);
    free(hdf5->names);
    free(hdf5);
    file->data = NULL;
}

const struct cli_format cli_reader_format = {
    .name = "HDF5", .open = open_hdf5, .next = next, .rewind = rewind_slabs, .close = close_hdf5};
