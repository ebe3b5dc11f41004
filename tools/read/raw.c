/* SPDX-License-Identifier: Apache-2.0
 *
 * Raw numbers, of the type and from the byte that the command line gives.
 */
#include "tools/read/file.h"
#include "tools/read/plain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool recognise(const struct cli_file *file, const unsigned char *bytes, size_t count)
{
    (void)bytes;
    (void)count;
    return file->options->is_raw;
}

static bool open_raw(struct cli_file *file, struct cli_failure *failure)
{
    struct cli_plain *plain = calloc(1, sizeof *plain);
    file->data = plain;
    if (plain == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    *plain = (struct cli_plain){.source = file->source, .offset = file->options->offset};
    return true;
}

static bool skip(struct cli_source *source, uint64_t bytes, struct cli_failure *failure)
{
    unsigned char skipped[4096];
    for (uint64_t done = 0; done < bytes;) {
        const uint64_t left = bytes - done;
        size_t count;
        if (!cli_source_read(source, skipped, left < sizeof skipped ? (size_t)left : sizeof skipped,
                             &count, failure))
            return false;
        if (count == 0)
            return cli_fail(failure, "byte %" PRIu64 ": the file ends before --offset %" PRIu64,
                            done, bytes);
        done += count;
    }
    return true;
}

/* The number of elements does not overflow (read_shape in command.c). */
static void set_layout(struct cli_layout *layout, const struct cli_file_options *options)
{
    *layout = (struct cli_layout){
        .element = options->element, .dimensions = 1, .count = CLI_COUNT_UNKNOWN};
    if (options->dimensions == 0)
        return;
    layout->dimensions = options->dimensions;
    layout->count = 1;
    for (unsigned d = 0; d < options->dimensions; d++) {
        layout->shape[d] = options->shape[d];
        layout->count *= options->shape[d];
    }
}

static enum cli_next next(struct cli_file *file, struct cli_dataset *dataset,
                          struct cli_failure *failure)
{
    struct cli_plain *plain = file->data;
    const uint64_t offset = plain->offset;
    set_layout(&dataset->array.layout, file->options);
    bool is_fine = true;
    if (!cli_source_is_file(file->source))
        is_fine = skip(file->source, offset, failure);
    else if (offset > cli_source_bytes(file->source))
        is_fine = cli_fail(failure, "byte %" PRIu64 ": the file ends before --offset %" PRIu64,
                           cli_source_bytes(file->source), offset);
    is_fine = is_fine && cli_plain_open(plain, &dataset->array, failure);
    return is_fine ? CLI_NEXT : CLI_NEXT_FAILED;
}

static void close_raw(struct cli_file *file)
{
    free(file->data);
}

const struct cli_format cli_raw_format = {.name = "raw",
                                          .single = "a file of raw numbers",
                                          .recognise = recognise,
                                          .open = open_raw,
                                          .next = next,
                                          .close = close_raw};
