/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a file of the format that this target is linked with (tools/read/reader.h), in one
 * process: every data set is opened and its beginning read in pieces. What is announced must be
 * consistent, and what is said to be there must come. Without a process of its own a crash of the
 * format's library ends the target, too.
 */
#include "tests/fuzz/reader.h"

#include "tests/fuzz/input.h"
#include "tools/read/reader.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *__asan_default_options(void);

/* libnetcdf asks for as much memory as a header says, and both libraries leak of damaged files. */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=512:detect_leaks=0";
}

enum { MOST_BYTES = 1 << 16, MOST_SETS = 32 };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* In pieces of an odd size. */
static void read_array(const struct cli_array *array)
{
    static unsigned char piece[1021];
    const uint64_t bytes = least(cli_layout_bytes(&array->layout), MOST_BYTES);
    for (uint64_t at = 0; at < bytes;) {
        struct cli_failure failure = {.text = ""};
        const size_t wanted = (size_t)least(bytes - at, sizeof piece);
        size_t got = 0;
        if (!array->read(array, at, piece, wanted, &got, &failure)) {
            require(failure.text[0] != '\0');
            return;
        }
        require(got == wanted);
        at += got;
    }
}

static void check_array(const struct cli_array *array)
{
    const struct cli_layout *layout = &array->layout;
    uint64_t count = 1;
    require(layout->element.type < CLI_ELEMENT_TYPE_COUNT);
    require(layout->dimensions <= CLI_MOST_DIMENSIONS);
    for (unsigned d = 0; d < layout->dimensions; d++)
        count *= layout->shape[d];
    require(count == layout->count && count <= INT64_MAX / 16);
    read_array(array);
}

static void read_sets(struct cli_file *file)
{
    for (int s = 0; s < MOST_SETS; s++) {
        struct cli_failure failure = {.text = ""};
        struct cli_dataset dataset;
        memset(&dataset, 0, sizeof dataset);
        const enum cli_next next = file->format->next(file, &dataset, &failure);
        require((next == CLI_NEXT_FAILED) == (failure.text[0] != '\0'));
        if (next == CLI_NO_MORE)
            return;
        if (next == CLI_NEXT)
            check_array(&dataset.array);
        if (next == CLI_NEXT && !dataset.array.is_random) {
            require(file->format->rewind(file, &failure));
            check_array(&dataset.array);
        }
    }
}

int fuzz_reader(const uint8_t *bytes, size_t count)
{
    static char name[64];
    static const struct cli_file_options options;
    struct cli_failure failure = {.text = ""};
    if (name[0] == '\0')
        snprintf(name, sizeof name, "/dev/shm/reap-fuzz-%ld", (long)getpid());
    FILE *stream = fopen(name, "wb");
    require(stream != NULL && fwrite(bytes, 1, count, stream) == count && fclose(stream) == 0);
    struct cli_file file = {
        .called = name, .path = "", .options = &options, .format = &cli_reader_format};
    file.source = cli_source_open(name, &failure);
    if (file.source != NULL) {
        if (file.format->open(&file, &failure))
            read_sets(&file);
        else
            require(failure.text[0] != '\0');
        file.format->close(&file);
    }
    cli_source_close(file.source);
    unlink(name);
    return 0;
}
