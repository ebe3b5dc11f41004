/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a .npz archive, which must be a file: each member is read, twice the same.
 */
#include "tests/fuzz/array.h"
#include "tools/read/file.h"

#include <stdio.h>
#include <unistd.h>

static FILE *file;
static char name[64];

static void write_file(const uint8_t *bytes, size_t count)
{
    if (file == NULL) {
        file = tmpfile();
        require(file != NULL);
        snprintf(name, sizeof name, "/proc/self/fd/%d", fileno(file));
    }
    require(ftruncate(fileno(file), 0) == 0);
    require(pwrite(fileno(file), bytes, count, 0) == (ssize_t)count);
}

/* A sum over the array, or 1 where it failed; a stream once more from its beginning is the same. */
static uint64_t read_member(struct cli_file *archive, const struct cli_array *array)
{
    struct cli_failure failure = {""}, again = {""};
    uint64_t sum = 1, same = 1;
    if (!array_read(array, &sum, &failure))
        sum = 1;
    if (array->is_random)
        return sum;
    require(cli_npz_format.rewind(archive, &again));
    if (!array_read(array, &same, &again))
        same = 1;
    require(sum == same);
    return sum;
}

/* A sum over all members, or where one failed. */
static uint64_t read_all(void)
{
    const struct cli_file_options options = {.offset = 0};
    struct cli_failure failure = {""};
    struct cli_source *source = cli_source_open(name, &failure);
    struct cli_file archive = {.called = name, .path = "", .options = &options, .source = source};
    uint64_t all = 0;
    require(source != NULL);
    bool is_open = cli_npz_format.open(&archive, &failure);
    require(is_open == (failure.text[0] == '\0'));
    for (enum cli_next next = CLI_NEXT; is_open && next != CLI_NO_MORE;) {
        struct cli_dataset dataset = {.name = ""};
        failure.text[0] = '\0';
        next = cli_npz_format.next(&archive, &dataset, &failure);
        require((next == CLI_NEXT_FAILED) == (failure.text[0] != '\0'));
        if (next == CLI_NEXT)
            all = all * 31 + read_member(&archive, &dataset.array);
    }
    cli_npz_format.close(&archive);
    cli_source_close(source);
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count < 4 || memcmp(bytes, "PK", 2) != 0)
        return 0;
    write_file(bytes, count);
    require(read_all() == read_all());
    return 0;
}
