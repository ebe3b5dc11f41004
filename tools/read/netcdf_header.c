/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of a classic file (the NetCDF File Format Specification, CDF-1, CDF-2 and CDF-5), read
 * for positions and, before libnetcdf reads it, for errors: the library allocates as much memory as
 * a header requests, and crashes at invalid lists.
 */
#include "tools/read/netcdf_header.h"

#include <errno.h>
#include <inttypes.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

enum list { LIST_OF_DIMENSIONS = 10, LIST_OF_VARIABLES = 11, LIST_OF_ATTRIBUTES = 12 };

struct header {
    const struct cli_source *source;
    uint64_t at;                   /* the next byte */
    unsigned wide, position_bytes; /* the sizes of a count, and of a position in the file */
    uint64_t dimensions;
    struct cli_failure *failure;
};

bool cli_netcdf_fail(int status, struct cli_failure *failure)
{
    return status == NC_NOERR || cli_fail(failure, "libnetcdf: %s", nc_strerror(status));
}

static bool fail_at(const struct header *header, const char *what)
{
    return cli_fail(header->failure, "byte %" PRIu64 ": %s", header->at, what);
}

static bool take(struct header *header, void *into, size_t bytes)
{
    const uint64_t file_bytes = cli_source_bytes(header->source);
    if (header->at > file_bytes || bytes > file_bytes - header->at)
        return fail_at(header, "the file ends within its header");
    if (!cli_source_read_at(header->source, header->at, into, bytes, header->failure))
        return false;
    header->at += bytes;
    return true;
}

static bool take_number(struct header *header, unsigned bytes, uint64_t *number)
{
    unsigned char digits[8] = {0};
    if (!take(header, digits, bytes))
        return false;
    *number = 0;
    for (unsigned i = 0; i < bytes; i++)
        *number = *number << 8 | digits[i];
    return true;
}

static uint64_t padded(uint64_t bytes)
{
    return (bytes + 3) / 4 * 4;
}

/* A count of items of some bytes each, so it cannot exceed the file's size. */
static bool take_count(struct header *header, uint64_t *count)
{
    return take_number(header, header->wide, count) &&
           (*count <= cli_source_bytes(header->source) ||
            fail_at(header, "the file ends within its header"));
}

/* The length is checked: the library copies names of any length to buffers of NC_MAX_NAME. */
static bool skip_name(struct header *header)
{
    uint64_t length;
    if (!take_count(header, &length))
        return false;
    if (length == 0 || length > NC_MAX_NAME)
        return fail_at(header, "not a name");
    header->at += padded(length);
    return true;
}

static bool take_list(struct header *header, enum list list, uint64_t *count)
{
    uint64_t mark;
    if (!take_number(header, 4, &mark) || !take_count(header, count))
        return false;
    if (mark != (uint64_t)list && (mark != 0 || *count != 0))
        return fail_at(header, "not a list");
    return *count <= NC_MAX_VARS * (uint64_t)64 || fail_at(header, "this list is too long");
}

static bool take_type(struct header *header, uint64_t *bytes)
{
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    uint64_t type;
    if (!take_number(header, 4, &type))
        return false;
    if (type == 0 || type >= sizeof sizes)
        return fail_at(header, "not a type");
    *bytes = sizes[type];
    return true;
}

static bool skip_dimensions(struct header *header)
{
    uint64_t length;
    if (!take_list(header, LIST_OF_DIMENSIONS, &header->dimensions))
        return false;
    for (uint64_t d = 0; d < header->dimensions; d++) {
        if (!skip_name(header) || !take_number(header, header->wide, &length))
            return false;
        /* libnetcdf multiplies lengths as signed numbers, and divides by the product. */
        if (length > INT64_MAX)
            return fail_at(header, "a dimension is too long");
    }
    return true;
}

static bool skip_attributes(struct header *header)
{
    uint64_t count, length, bytes = 0;
    if (!take_list(header, LIST_OF_ATTRIBUTES, &count))
        return false;
    for (uint64_t a = 0; a < count; a++) {
        if (!skip_name(header) || !take_type(header, &bytes) || !take_count(header, &length))
            return false;
        header->at += padded(length * bytes);
    }
    return true;
}

static bool read_variable(struct header *header, uint64_t *begin)
{
    uint64_t dimensions, dimension, bytes;
    if (!skip_name(header) || !take_count(header, &dimensions))
        return false;
    if (dimensions > NC_MAX_VAR_DIMS)
        return fail_at(header, "a variable has too many dimensions");
    for (uint64_t d = 0; d < dimensions; d++) {
        if (!take_number(header, header->wide, &dimension))
            return false;
        if (dimension >= header->dimensions)
            return fail_at(header, "unknown dimension");
    }
    return skip_attributes(header) && take_type(header, &bytes) &&
           take_number(header, header->wide, &bytes) && /* which may be wrong if it is large */
           take_number(header, header->position_bytes, begin);
}

bool cli_netcdf_read_header(const struct cli_source *source, uint64_t *variables, uint64_t **begins,
                            struct cli_failure *failure)
{
    struct header header = {.source = source, .failure = failure};
    unsigned char magic[4] = "";
    uint64_t records;
    *begins = NULL;
    if (!take(&header, magic, sizeof magic))
        return false;
    header.wide = magic[3] == 5 ? 8 : 4;
    header.position_bytes = magic[3] == 1 ? 4 : 8;
    if (!take_number(&header, header.wide, &records) || !skip_dimensions(&header) ||
        !skip_attributes(&header) || !take_list(&header, LIST_OF_VARIABLES, variables))
        return false;
    *begins = calloc((size_t)*variables + 1, sizeof **begins);
    if (*begins == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    for (uint64_t v = 0; v < *variables; v++)
        if (!read_variable(&header, &(*begins)[v]))
            return false;
    return true;
}

/* The bytes of one record of the variable; 0 if it has no records. */
static bool measure_record(int id, int variable, int record_dimension, uint64_t *bytes,
                           struct cli_failure *failure)
{
    int dimensions, ids[NC_MAX_VAR_DIMS];
    nc_type type;
    size_t size;
    *bytes = 0;
    if (!cli_netcdf_fail(nc_inq_varndims(id, variable, &dimensions), failure))
        return false;
    if (dimensions > NC_MAX_VAR_DIMS)
        return cli_fail(failure, "a variable has %d dimensions", dimensions);
    if (!cli_netcdf_fail(nc_inq_var(id, variable, NULL, &type, NULL, ids, NULL), failure) ||
        !cli_netcdf_fail(nc_inq_type(id, type, NULL, &size), failure))
        return false;
    if (dimensions == 0 || ids[0] != record_dimension)
        return true;
    *bytes = size;
    for (int d = 1; d < dimensions; d++) {
        size_t length;
        if (!cli_netcdf_fail(nc_inq_dimlen(id, ids[d], &length), failure))
            return false;
        if (length > 0 && *bytes > (uint64_t)(INT64_MAX >> 16) / length)
            return cli_fail(failure, "its records are too large");
        *bytes *= length;
    }
    return true;
}

bool cli_netcdf_record_bytes(int id, uint64_t *bytes, struct cli_failure *failure)
{
    int record_dimension, variables, with_records = 0;
    uint64_t only = 0;
    *bytes = 0;
    if (!cli_netcdf_fail(nc_inq_unlimdim(id, &record_dimension), failure) ||
        !cli_netcdf_fail(nc_inq_nvars(id, &variables), failure))
        return false;
    for (int v = 0; v < variables && record_dimension >= 0; v++) {
        uint64_t record;
        if (!measure_record(id, v, record_dimension, &record, failure))
            return false;
        with_records += record > 0;
        only = record > 0 ? record : only;
        *bytes += padded(record);
        if (*bytes > INT64_MAX >> 8)
            return cli_fail(failure, "its records are too large");
    }
    if (with_records == 1) /* then records have no padding between them */
        *bytes = only;
    return true;
}
