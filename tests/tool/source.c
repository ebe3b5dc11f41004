/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that becomes shorter while it is read in order (tools/read/source.h) is a failure,
 * wherever it was cut, also if it is compressed, standard input, or mapped (tools/read/mapping.h);
 * one that grows is not.
 *
 * Usage: source DIRECTORY
 */
#include "tools/read/source.h"

#include "tests/support/check.h"
#include "tests/tool/packed.h"

#include <fcntl.h>
#include <unistd.h>

/* The first part is more than is read of a compressed stream at once. */
enum { FIRST = 300000, ALL = 700000 };

static const char name[] = "source";
static unsigned char data[ALL], got[ALL + 1];

/* Opens the file, reads its first bytes changes its size, and then reads on. Returns
 * whether there was no failure, and how many bytes there were. */
static bool read_changed(const char *called, uint64_t first_bytes, off_t bytes, size_t *count)
{
    struct cli_failure failure = {""};
    struct cli_source *source = cli_source_open(called, &failure);
    size_t first = 0, rest = 0;
    CHECK(source != NULL);
    CHECK(cli_source_read(source, got, first_bytes, &first, &failure) && first == first_bytes);
    CHECK(truncate(name, bytes) == 0);
    const bool is_fine = cli_source_read(source, got + first, sizeof got - first, &rest, &failure);
    CHECK(is_fine == (failure.text[0] == '\0'));
    CHECK(is_fine || strcmp(failure.text, "the file became shorter while it was read") == 0);
    cli_source_close(source);
    *count = first + rest;
    return is_fine;
}

static void write_file(const struct bytes *stream)
{
    bytes_write(stream, name);
}

static void check_plain(void)
{
    struct bytes plain = {NULL, 0, 0};
    size_t count;
    bytes_add(&plain, data, ALL);
    for (off_t cut = 0; cut < ALL; cut += ALL / 10) {
        write_file(&plain);
        CHECK(!read_changed(name, FIRST, cut, &count));
    }
    write_file(&plain);
    CHECK(read_changed(name, FIRST, ALL, &count) && count == ALL && memcmp(got, data, ALL) == 0);
    write_file(&plain);
    CHECK(read_changed(name, FIRST, ALL + 1, &count) && count == ALL + 1);
    write_file(&plain);
    CHECK(read_changed(name, ALL, FIRST, &count) && count == ALL); /* nothing was missed */
    bytes_free(&plain);
}

/* Standard input, of which a part has been read before. */
static void check_standard_input(void)
{
    struct bytes plain = {NULL, 0, 0};
    const off_t taken = 7;
    size_t count;
    bytes_add(&plain, data, ALL);
    for (off_t cut = FIRST; cut <= ALL; cut += ALL - FIRST) {
        write_file(&plain);
        const int file = open(name, O_RDONLY);
        CHECK(file >= 0 && lseek(file, taken, SEEK_SET) == taken && dup2(file, STDIN_FILENO) == 0);
        close(file);
        CHECK(read_changed("-", 10, cut, &count) == (cut == ALL));
        CHECK(cut < ALL || (count == ALL - taken && memcmp(got, data + taken, count) == 0));
    }
    bytes_free(&plain);
}

/* Cut off where a member, or a frame, ends, so that what is left is a right stream. */
static void check_compressed(void (*pack)(struct bytes *stream, const void *data, size_t count))
{
    struct bytes stream = {NULL, 0, 0};
    size_t count;
    pack(&stream, data, FIRST);
    const off_t cut = (off_t)stream.count;
    pack(&stream, data + FIRST, ALL - FIRST);
    write_file(&stream);
    CHECK(read_changed(name, 1, (off_t)stream.count, &count) && count == ALL);
    write_file(&stream);
    CHECK(!read_changed(name, 1, cut, &count));
    bytes_free(&stream);
}

/* Maps a part of the file, changes its size, and reads the part: bytes that are not there are
 * zeros. Returns whether all were there. */
static bool map_changed(size_t first, size_t bytes, off_t size)
{
    struct cli_failure failure = {""};
    struct cli_source *source = cli_source_open(name, &failure);
    struct cli_mapping mapping = {.begin = NULL};
    CHECK(source != NULL);
    const unsigned char *mapped = cli_source_map(source, first, bytes, &mapping);
    CHECK(mapped != NULL);
    CHECK(truncate(name, size) == 0);
    for (size_t i = 0; i < bytes; i++)
        CHECK(mapped[i] == ((off_t)(first + i) < size ? data[first + i] : 0));
    const bool is_whole = cli_mapping_end(&mapping);
    CHECK(cli_mapping_end(&mapping)); /* there is none */
    cli_source_close(source);
    return is_whole;
}

/* Far from the end, in its last page, and not at all. */
static void check_mapped(void)
{
    const off_t sizes[] = {0, 4096, 5000, 400000, ALL - 8192, ALL - 1, ALL, ALL + 10000};
    struct bytes plain = {NULL, 0, 0};
    bytes_add(&plain, data, ALL);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        write_file(&plain);
        CHECK(map_changed(0, ALL, sizes[s]) == (sizes[s] >= ALL));
        write_file(&plain);
        CHECK(map_changed(4999, 300001, sizes[s]) == (sizes[s] >= 305000));
    }
    bytes_free(&plain);
}

/* Random bytes, which are as many when they are compressed. */
static void fill(void)
{
    uint64_t state = 1;
    for (size_t i = 0; i < ALL; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        data[i] = (unsigned char)(state >> 33);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: source DIRECTORY\n");
        return 2;
    }
    fill();
    check_plain();
    check_standard_input();
    check_mapped();
#if CLI_HAVE_ZLIB
    check_compressed(pack_gzip);
#endif
#if CLI_HAVE_ZSTD
    check_compressed(pack_zstd);
#endif
    return check_finish();
}
