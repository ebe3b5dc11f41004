/* SPDX-License-Identifier: Apache-2.0
 *
 * Classic NetCDF files (CDF-1, CDF-2 and CDF-5), by libnetcdf; NetCDF-4 files are HDF5 files. A
 * variable without records is contiguous in the file, so the tool itself reads it; the library
 * reads variables that have records or are packed, in order.
 */
#include "tools/read/file.h"
#include "tools/read/netcdf_header.h"
#include "tools/read/packing.h"
#include "tools/read/plain.h"
#include "tools/read/reader.h"
#include "tools/read/slabs.h"

#include <errno.h>
#include <inttypes.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct netcdf {
    int id; /* -1: no file is open */
    int variables, next;
    bool has_numbers;
    uint64_t *begins; /* of each variable */
    uint64_t record_bytes;
    int record_dimension; /* -1: none */
    /* The current variable. */
    int variable;
    struct cli_plain plain;
    struct cli_slabs slabs;
};

/* ---- Opening ----------------------------------------------------------------------------------*/

/* Opens a file by a path with a slash, since the library treats names such as "http://..." as
 * addresses. */
static int open_by_name(const char *name, int *id)
{
    char *path = malloc(strlen(name) + 3);
    if (path == NULL)
        return NC_ENOMEM;
    sprintf(path, "%s%s", name[0] == '/' ? "" : "./", name);
    const int status = nc_open(path, NC_NOWRITE, id);
    free(path);
    return status;
}

static bool find_one(struct cli_file *file, struct cli_failure *failure)
{
    struct netcdf *netcdf = file->data;
    const char *name = file->path[0] == '/' ? file->path + 1 : file->path;
    int variable;
    if (nc_inq_varid(netcdf->id, name, &variable) != NC_NOERR)
        return cli_fail(failure, "the file has no variable of this name");
    netcdf->next = variable;
    netcdf->variables = variable + 1;
    return true;
}

static bool open_netcdf(struct cli_file *file, struct cli_failure *failure)
{
    struct netcdf *netcdf = calloc(1, sizeof *netcdf);
    uint64_t variables;
    file->data = netcdf;
    if (netcdf == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    netcdf->id = -1;
    if (!cli_netcdf_read_header(file->source, &variables, &netcdf->begins, failure))
        return false;
    const int status = open_by_name(cli_source_name(file->source), &netcdf->id);
    if (status != NC_NOERR) {
        netcdf->id = -1;
        return cli_netcdf_fail(status, failure);
    }
    if (!cli_netcdf_fail(nc_inq_nvars(netcdf->id, &netcdf->variables), failure) ||
        !cli_netcdf_fail(nc_inq_unlimdim(netcdf->id, &netcdf->record_dimension), failure) ||
        !cli_netcdf_record_bytes(netcdf->id, &netcdf->record_bytes, failure))
        return false;
    if (variables != (uint64_t)netcdf->variables)
        return cli_fail(failure, "its header has another number of variables than libnetcdf finds");
    return file->path[0] == '\0' || find_one(file, failure);
}

/* ---- A variable -------------------------------------------------------------------------------*/

static bool find_element(nc_type type, struct cli_element *element)
{
    static const struct {
        nc_type type;
        enum cli_element_type element;
    } types[] = {{NC_BYTE, CLI_ELEMENT_i8},   {NC_UBYTE, CLI_ELEMENT_u8},
                 {NC_SHORT, CLI_ELEMENT_i16}, {NC_USHORT, CLI_ELEMENT_u16},
                 {NC_INT, CLI_ELEMENT_i32},   {NC_UINT, CLI_ELEMENT_u32},
                 {NC_INT64, CLI_ELEMENT_i64}, {NC_UINT64, CLI_ELEMENT_u64},
                 {NC_FLOAT, CLI_ELEMENT_f32}, {NC_DOUBLE, CLI_ELEMENT_f64}};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (types[t].type == type) {
            *element = cli_element_native(types[t].element);
            return true;
        }
    return false;
}

static bool find_shape(const struct netcdf *netcdf, struct cli_layout *layout, bool *has_records,
                       struct cli_failure *failure)
{
    int dimensions, ids[CLI_MOST_DIMENSIONS];
    const uint64_t most = INT64_MAX / 16;
    if (!cli_netcdf_fail(nc_inq_varndims(netcdf->id, netcdf->variable, &dimensions), failure))
        return false;
    if (dimensions > CLI_MOST_DIMENSIONS)
        return cli_fail(failure, "it has more than %d dimensions", CLI_MOST_DIMENSIONS);
    if (!cli_netcdf_fail(nc_inq_vardimid(netcdf->id, netcdf->variable, ids), failure))
        return false;
    *has_records = dimensions > 0 && ids[0] == netcdf->record_dimension;
    layout->dimensions = (unsigned)dimensions;
    layout->count = 1;
    for (int d = 0; d < dimensions; d++) {
        size_t length;
        if (!cli_netcdf_fail(nc_inq_dimlen(netcdf->id, ids[d], &length), failure))
            return false;
        if (length > 0 && layout->count > most / length)
            return cli_fail(failure, "its size is beyond 63 bits");
        layout->shape[d] = length;
        layout->count *= length;
    }
    return true;
}

/* ---- Its attributes ---------------------------------------------------------------------------*/

static bool has_number(const struct netcdf *netcdf, const char *name, nc_type *type)
{
    size_t count;
    return nc_inq_att(netcdf->id, netcdf->variable, name, type, &count) == NC_NOERR && count == 1 &&
           *type != NC_CHAR;
}

static void find_packing(struct netcdf *netcdf, struct cli_dataset *dataset)
{
    struct cli_packing *packing = &netcdf->slabs.packing;
    nc_type type;
    *packing = (struct cli_packing){.scale = 1, .offset = 0};
    if (has_number(netcdf, "scale_factor", &type))
        nc_get_att_double(netcdf->id, netcdf->variable, "scale_factor", &packing->scale);
    if (has_number(netcdf, "add_offset", &type))
        nc_get_att_double(netcdf->id, netcdf->variable, "add_offset", &packing->offset);
    cli_packing_apply(packing, &dataset->array.layout.element, dataset->note);
}

/* Reads the attribute as the array's element, if it is of the same type, or both are real. */
static bool read_missing(const struct netcdf *netcdf, nc_type variable_type, const char *name,
                         void *value)
{
    nc_type type;
    if (!has_number(netcdf, name, &type))
        return false;
    const bool is_real = type == NC_FLOAT || type == NC_DOUBLE;
    if (netcdf->slabs.packing.is_packed)
        return nc_get_att_double(netcdf->id, netcdf->variable, name, value) == NC_NOERR;
    if (type == variable_type)
        return nc_get_att(netcdf->id, netcdf->variable, name, value) == NC_NOERR;
    if (is_real && variable_type == NC_FLOAT)
        return nc_get_att_float(netcdf->id, netcdf->variable, name, value) == NC_NOERR;
    if (is_real && variable_type == NC_DOUBLE)
        return nc_get_att_double(netcdf->id, netcdf->variable, name, value) == NC_NOERR;
    return false;
}

static void find_missing(const struct netcdf *netcdf, nc_type type, struct cli_array *array)
{
    unsigned char value[16];
    if (read_missing(netcdf, type, "_FillValue", value) ||
        read_missing(netcdf, type, "missing_value", value))
        cli_packing_missing(&netcdf->slabs.packing, value, array);
}

/* ---- Its elements -----------------------------------------------------------------------------*/

static bool read_region(void *data, const struct cli_region *region, void *into,
                        struct cli_failure *failure)
{
    const struct netcdf *netcdf = data;
    size_t start[CLI_MOST_DIMENSIONS], count[CLI_MOST_DIMENSIONS];
    for (int d = 0; d < CLI_MOST_DIMENSIONS; d++) {
        start[d] = (size_t)region->start[d];
        count[d] = (size_t)region->count[d];
    }
    const int status = netcdf->slabs.packing.is_packed
                           ? nc_get_vara_double(netcdf->id, netcdf->variable, start, count, into)
                           : nc_get_vara(netcdf->id, netcdf->variable, start, count, into);
    return cli_netcdf_fail(status, failure);
}

/* The library returns zeros for bytes after the file's end. */
static bool check_end(const struct netcdf *netcdf, const struct cli_source *source,
                      const struct cli_layout *layout, size_t element_bytes, bool has_records,
                      struct cli_failure *failure)
{
    const uint64_t file_bytes = cli_source_bytes(source), begin = netcdf->begins[netcdf->variable];
    const uint64_t records = has_records ? layout->shape[0] : 1;
    if (layout->count == 0)
        return true;
    const uint64_t bytes = layout->count / records * element_bytes;
    if (begin <= file_bytes && bytes <= file_bytes - begin &&
        (records == 1 || (file_bytes - begin - bytes) / netcdf->record_bytes >= records - 1))
        return true;
    return cli_fail(failure, "byte %" PRIu64 ": the file ends before its array does", file_bytes);
}

/* Converts element and missing value to the file's byte order, which is big-endian. */
static void use_file_order(struct cli_array *array)
{
    struct cli_element *element = &array->layout.element;
    const bool was_big_endian = element->is_big_endian;
    const size_t bytes = cli_element_bytes(element->type);
    element->is_big_endian = true;
    for (size_t i = 0; i < bytes / 2 && !was_big_endian; i++) {
        const unsigned char byte = array->missing_value[i];
        array->missing_value[i] = array->missing_value[bytes - 1 - i];
        array->missing_value[bytes - 1 - i] = byte;
    }
}

static bool open_array(struct cli_file *file, nc_type type, struct cli_dataset *dataset,
                       struct cli_failure *failure)
{
    struct netcdf *netcdf = file->data;
    struct cli_array *array = &dataset->array;
    struct cli_layout *layout = &array->layout;
    const size_t element_bytes = cli_element_bytes(layout->element.type);
    bool has_records = false;
    if (!find_shape(netcdf, layout, &has_records, failure) ||
        !check_end(netcdf, file->source, layout, element_bytes, has_records, failure))
        return false;
    find_packing(netcdf, dataset);
    find_missing(netcdf, type, array);
    if (!has_records && !netcdf->slabs.packing.is_packed) {
        use_file_order(array);
        netcdf->plain = (struct cli_plain){
            .source = file->source, .offset = netcdf->begins[netcdf->variable], .is_part = true};
        return cli_plain_open(&netcdf->plain, array, failure);
    }
    for (unsigned d = 0; d < layout->dimensions; d++)
        netcdf->slabs.chunk[d] = 1;
    netcdf->slabs.read_region = read_region;
    netcdf->slabs.data = netcdf;
    return cli_slabs_open(&netcdf->slabs, array, failure);
}

static enum cli_next next(struct cli_file *file, struct cli_dataset *dataset,
                          struct cli_failure *failure)
{
    struct netcdf *netcdf = file->data;
    while (netcdf->next < netcdf->variables) {
        char name[NC_MAX_NAME + 1];
        nc_type type;
        netcdf->variable = netcdf->next++;
        cli_slabs_close(&netcdf->slabs);
        if (!cli_netcdf_fail(
                nc_inq_var(netcdf->id, netcdf->variable, name, &type, NULL, NULL, NULL), failure))
            return CLI_NEXT_FAILED;
        snprintf(dataset->name, sizeof dataset->name, "/%s", name);
        if (find_element(type, &dataset->array.layout.element)) {
            netcdf->has_numbers = true;
            return open_array(file, type, dataset, failure) ? CLI_NEXT : CLI_NEXT_FAILED;
        }
        if (file->path[0] != '\0') {
            netcdf->has_numbers = true;
            cli_fail(failure, "its elements are text");
            return CLI_NEXT_FAILED;
        }
    }
    if (netcdf->has_numbers)
        return CLI_NO_MORE;
    netcdf->has_numbers = true; /* reported once */
    dataset->name[0] = '\0';
    cli_fail(failure, "it has no variable of numbers");
    return CLI_NEXT_FAILED;
}

/* Variables that the tool reads itself have no slabs. */
static bool rewind_slabs(struct cli_file *file, struct cli_failure *failure)
{
    (void)failure;
    cli_slabs_rewind(&((struct netcdf *)file->data)->slabs);
    return true;
}

static void close_netcdf(struct cli_file *file)
{
    struct netcdf *netcdf = file->data;
    if (netcdf == NULL)
        return;
    cli_slabs_close(&netcdf->slabs);
    if (netcdf->id >= 0)
        nc_close(netcdf->id);
    free(netcdf->begins);
    free(netcdf);
    file->data = NULL;
}

const struct cli_format cli_reader_format = {.name = "NetCDF",
                                             .open = open_netcdf,
                                             .next = next,
                                             .rewind = rewind_slabs,
                                             .close = close_netcdf};
