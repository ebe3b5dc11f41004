/* SPDX-License-Identifier: Apache-2.0
 *
 * Contiguous elements.
 */
#include "tools/read/plain.h"

#include "tools/interrupt.h"

#include <inttypes.h>

static bool fail_short(uint64_t end, uint64_t missing, struct cli_failure *failure)
{
    return cli_fail(failure,
                    "byte %" PRIu64 ": the file ends %" PRIu64 " byte%s before its array does", end,
                    missing, missing == 1 ? "" : "s");
}

static bool fail_part(uint64_t end, uint64_t rest, size_t size, struct cli_failure *failure)
{
    return cli_fail(failure, "byte %" PRIu64 ": the last element has %" PRIu64 " of %zu bytes",
                    end - rest, rest, size);
}

/* ---- A regular file ---------------------------------------------------------------------------*/

static bool read_file(const struct cli_array *array, uint64_t first, void *into, size_t bytes,
                      size_t *count, struct cli_failure *failure)
{
    const struct cli_plain *plain = array->data;
    *count = bytes;
    return cli_source_read_at(plain->source, plain->offset + first, into, bytes, failure);
}

static const void *map_file(const struct cli_array *array, uint64_t first, uint64_t bytes,
                            struct cli_mapping *mapping)
{
    const struct cli_plain *plain = array->data;
    return cli_source_map(plain->source, plain->offset + first, bytes, mapping);
}

/* Sets the count of an array that is the rest of the file. */
static bool measure_file(struct cli_layout *layout, uint64_t file_bytes, uint64_t there,
                         struct cli_failure *failure)
{
    const size_t size = cli_element_bytes(layout->element.type);
    if (there % size != 0)
        return fail_part(file_bytes, there % size, size, failure);
    layout->count = there / size;
    layout->dimensions = 1;
    layout->shape[0] = layout->count;
    return true;
}

static bool open_file(struct cli_plain *plain, struct cli_array *array, struct cli_failure *failure)
{
    const uint64_t file_bytes = cli_source_bytes(plain->source);
    const uint64_t there = file_bytes > plain->offset ? file_bytes - plain->offset : 0;
    array->read = read_file;
    array->map = map_file;
    if (array->layout.count == CLI_COUNT_UNKNOWN)
        return measure_file(&array->layout, file_bytes, there, failure);
    const uint64_t bytes = cli_layout_bytes(&array->layout);
    if (there < bytes)
        return fail_short(file_bytes, bytes - there, failure);
    if (there > bytes && !plain->is_part)
        return cli_fail(failure, "byte %" PRIu64 ": the array is followed by %" PRIu64 " byte%s",
                        plain->offset + bytes, there - bytes, there - bytes == 1 ? "" : "s");
    return true;
}

/* ---- A stream ---------------------------------------------------------------------------------*/

static bool read_stream(const struct cli_array *array, uint64_t first, void *into, size_t bytes,
                        size_t *count, struct cli_failure *failure)
{
    const struct cli_plain *plain = array->data;
    const size_t size = cli_element_bytes(array->layout.element.type);
    if (!cli_source_read(plain->source, into, bytes, count, failure))
        return false;
    if (*count == bytes || cli_is_interrupted())
        return true;
    const uint64_t end = plain->offset + first + *count;
    if (array->layout.count != CLI_COUNT_UNKNOWN)
        return fail_short(end, cli_layout_bytes(&array->layout) - first - *count, failure);
    return *count % size == 0 || fail_part(end, *count % size, size, failure);
}

static bool finish_stream(const struct cli_array *array, struct cli_failure *failure)
{
    const struct cli_plain *plain = array->data;
    unsigned char byte;
    size_t count = 0;
    if (array->layout.count == CLI_COUNT_UNKNOWN || cli_is_interrupted())
        return true;
    if (!cli_source_read(plain->source, &byte, 1, &count, failure))
        return false;
    return count == 0 ||
           cli_fail(failure, "byte %" PRIu64 ": the array is followed by further bytes",
                    plain->offset + cli_layout_bytes(&array->layout));
}

bool cli_plain_open(struct cli_plain *plain, struct cli_array *array, struct cli_failure *failure)
{
    array->data = plain;
    array->is_random = cli_source_is_file(plain->source);
    if (array->is_random)
        return open_file(plain, array, failure);
    array->read = read_stream;
    array->map = NULL;
    array->finish = finish_stream;
    return true;
}
