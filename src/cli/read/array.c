/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens files. What is no regular file is refused before it is read: a pipe would block, and the
 * positions of extremes are read again at the end.
 */
#include "src/cli/read/array.h"

#include "src/cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool open_regular(struct cli_array *array, uint64_t *file_bytes)
{
    struct stat status;
    array->file = open(array->name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (array->file < 0 || fstat(array->file, &status) != 0) {
        cli_complain(array->name, "%s", strerror(errno));
        return false;
    }
    *file_bytes = (uint64_t)status.st_size;
    if (S_ISREG(status.st_mode))
        return true;
    cli_complain(array->name, S_ISDIR(status.st_mode)    ? "is a directory"
                              : S_ISFIFO(status.st_mode) ? "is a pipe, not a regular file"
                                                         : "is not a regular file");
    return false;
}

const char *cli_array_read(const struct cli_array *array, uint64_t first, size_t bytes, void *into)
{
    size_t done = 0;
    while (done < bytes) {
        const off_t at = (off_t)(array->layout.data_offset + first + done);
        const ssize_t count = pread(array->file, (char *)into + done, bytes - done, at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return strerror(errno);
        if (count == 0)
            return "the file became shorter while it was read";
        done += (size_t)count;
    }
    return NULL;
}

uint64_t cli_array_bytes(const struct cli_array *array)
{
    return array->layout.count * cli_element_bytes(array->layout.element.type);
}

/* ---- .npy -------------------------------------------------------------------------------------*/

static bool check_size(const struct cli_array *array, uint64_t file_bytes)
{
    const uint64_t bytes = cli_array_bytes(array), offset = array->layout.data_offset;
    const uint64_t there = file_bytes - offset;
    if (there < bytes)
        cli_complain(array->name,
                     "byte %" PRIu64 ": the file ends %" PRIu64 " byte%s before its array does",
                     file_bytes, bytes - there, bytes - there == 1 ? "" : "s");
    if (there > bytes)
        cli_complain(array->name, "byte %" PRIu64 ": the array is followed by %" PRIu64 " byte%s",
                     offset + bytes, there - bytes, there - bytes == 1 ? "" : "s");
    return there == bytes;
}

static bool open_npy(struct cli_array *array, uint64_t file_bytes)
{
    const size_t count =
        file_bytes < CLI_NPY_PREFIX_BYTES ? (size_t)file_bytes : CLI_NPY_PREFIX_BYTES;
    unsigned char *prefix = malloc(CLI_NPY_PREFIX_BYTES);
    const char *failure =
        prefix == NULL ? strerror(ENOMEM) : cli_array_read(array, 0, count, prefix);
    struct cli_npy_error error;
    bool is_fine = false;
    if (failure != NULL)
        cli_complain(array->name, "%s", failure);
    else if (!cli_npy_parse(prefix, count, &array->layout, &error))
        cli_complain(array->name, "byte %zu: %s", error.place, error.message);
    else
        is_fine = check_size(array, file_bytes);
    free(prefix);
    return is_fine;
}

/* ---- Raw numbers ------------------------------------------------------------------------------*/

static bool open_raw(struct cli_array *array, const struct cli_raw *raw, uint64_t file_bytes)
{
    const size_t size = cli_element_bytes(raw->element.type);
    if (raw->offset > file_bytes) {
        cli_complain(array->name, "byte %" PRIu64 ": the file ends before --offset %" PRIu64,
                     file_bytes, raw->offset);
        return false;
    }
    const uint64_t bytes = file_bytes - raw->offset, rest = bytes % size;
    if (rest != 0) {
        cli_complain(array->name, "byte %" PRIu64 ": the last element has %" PRIu64 " of %zu bytes",
                     file_bytes - rest, rest, size);
        return false;
    }
    array->layout = (struct cli_npy){.element = raw->element,
                                     .dimensions = 1,
                                     .shape = {bytes / size},
                                     .count = bytes / size,
                                     .data_offset = raw->offset};
    return true;
}

bool cli_array_open(const char *name, const struct cli_raw *raw, struct cli_array *array)
{
    uint64_t file_bytes;
    *array = (struct cli_array){.name = name, .file = -1};
    if (open_regular(array, &file_bytes) &&
        (raw->is_raw ? open_raw(array, raw, file_bytes) : open_npy(array, file_bytes)))
        return true;
    cli_array_close(array);
    return false;
}

void cli_array_close(struct cli_array *array)
{
    if (array->file >= 0)
        close(array->file);
    array->file = -1;
}
