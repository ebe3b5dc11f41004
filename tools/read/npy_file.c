/* SPDX-License-Identifier: Apache-2.0
 *
 * .npy files.
 */
#include "tools/read/npy_file.h"

#include "tools/read/file.h"
#include "tools/read/npy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_header(struct cli_plain *plain, struct cli_npy *npy, struct cli_failure *failure)
{
    const unsigned char *bytes;
    struct cli_npy_error error;
    size_t count;
    if (!cli_source_peek(plain->source, CLI_NPY_FIRST_BYTES, &bytes, &count, failure) ||
        !cli_source_peek(plain->source, cli_npy_prefix_bytes(bytes, count), &bytes, &count,
                         failure))
        return false;
    if (cli_npy_parse(bytes, count, npy, &error))
        return true;
    plain->is_text = error.is_of_type;
    return cli_fail(failure, "byte %zu: %s", error.position, error.message);
}

bool cli_npy_open(struct cli_plain *plain, struct cli_array *array, struct cli_failure *failure)
{
    unsigned char skipped[1024];
    struct cli_npy npy;
    if (!read_header(plain, &npy, failure))
        return false;
    array->layout = npy.layout;
    plain->offset = npy.data_offset;
    for (uint64_t left = npy.data_offset; left > 0;) {
        const size_t bytes = left < sizeof skipped ? (size_t)left : sizeof skipped;
        size_t count;
        if (!cli_source_read(plain->source, skipped, bytes, &count, failure))
            return false;
        left -= bytes;
    }
    return cli_plain_open(plain, array, failure);
}

/* ---- The format -------------------------------------------------------------------------------*/

static bool recognise(const struct cli_file *file, const unsigned char *bytes, size_t count)
{
    (void)file;
    return count >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

static bool open_npy(struct cli_file *file, struct cli_failure *failure)
{
    struct cli_plain *plain = calloc(1, sizeof *plain);
    file->data = plain;
    if (plain == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    plain->source = file->source;
    return true;
}

static enum cli_next next(struct cli_file *file, struct cli_dataset *dataset,
                          struct cli_failure *failure)
{
    return cli_npy_open(file->data, &dataset->array, failure) ? CLI_NEXT : CLI_NEXT_FAILED;
}

static void close_npy(struct cli_file *file)
{
    free(file->data);
}

const struct cli_format cli_npy_format = {.name = "npy",
                                          .single = "a .npy file",
                                          .recognise = recognise,
                                          .open = open_npy,
                                          .next = next,
                                          .close = close_npy};
