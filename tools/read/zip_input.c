/* SPDX-License-Identifier: Apache-2.0
 *
 * libzip's commands to the file.
 */
#include "tools/read/zip_input.h"

#if CLI_HAVE_ZIP

#include <errno.h>

static zip_int64_t read_next(struct cli_zip_input *input, void *into, zip_uint64_t bytes)
{
    const uint64_t all = cli_source_bytes(input->source);
    const uint64_t left = input->at < all ? all - input->at : 0;
    const size_t count = left < bytes ? (size_t)left : (size_t)bytes;
    if (!cli_source_read_at(input->source, input->at, into, count, &input->failure)) {
        zip_error_set(&input->error, ZIP_ER_READ, EIO);
        return -1;
    }
    if (!input->has_opened)
        input->opened_first = input->at;
    input->has_opened = true;
    input->last_first = input->at;
    input->last_bytes = count;
    input->at += count;
    return (zip_int64_t)count;
}

static zip_int64_t seek(struct cli_zip_input *input, void *data, zip_uint64_t bytes)
{
    const zip_int64_t at = zip_source_seek_compute_offset(
        input->at, cli_source_bytes(input->source), data, bytes, &input->error);
    if (at < 0)
        return -1;
    input->at = (uint64_t)at;
    return 0;
}

static zip_int64_t tell_size(const struct cli_zip_input *input, zip_stat_t *status)
{
    zip_stat_init(status);
    status->size = cli_source_bytes(input->source);
    status->valid = ZIP_STAT_SIZE;
    return sizeof *status;
}

static zip_int64_t obey(void *of, void *data, zip_uint64_t bytes, zip_source_cmd_t command)
{
    struct cli_zip_input *input = of;
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_SUPPORTS, ZIP_SOURCE_OPEN, ZIP_SOURCE_READ,
                                              ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
                                              ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                              -1);
    case ZIP_SOURCE_OPEN:
        input->at = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return read_next(input, data, bytes);
    case ZIP_SOURCE_SEEK:
        return seek(input, data, bytes);
    case ZIP_SOURCE_TELL:
        return (zip_int64_t)input->at;
    case ZIP_SOURCE_STAT:
        return tell_size(input, data);
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&input->error, data, bytes);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    default:
        zip_error_set(&input->error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

zip_t *cli_zip_open(struct cli_zip_input *input, zip_error_t *error)
{
    zip_error_init(&input->error);
    zip_source_t *source = zip_source_function_create(obey, input, error);
    if (source == NULL)
        return NULL;
    zip_t *archive = zip_open_from_source(source, ZIP_RDONLY, error);
    if (archive == NULL)
        zip_source_free(source);
    return archive;
}

#endif
