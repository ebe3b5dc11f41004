/* SPDX-License-Identifier: Apache-2.0
 *
 * `reap describe` on compressed files and archives: random arrays are described alike whether they
 * are plain, compressed, come through a pipe or are in an archive. What is cut short or damaged at
 * a random place costs one line and status 1, or does not matter; what is wrong otherwise has a
 * line of its own. A tool that was built without a library says so.
 *
 * Usage: compressed TOOL DIRECTORY
 */
#include "tests/support/check.h"
#include "tests/tool/npy_file.h"
#include "tests/tool/packed.h"
#include "tests/tool/tool.h"

#include <unistd.h>

#ifdef REAP_TESTS_SMALL
enum { DAMAGES = 8 };
#else
enum { DAMAGES = 30 };
#endif

static const char *tool;
static struct tool_run plain; /* what is said of the array itself */

/* ---- Running ----------------------------------------------------------------------------------*/

static void describe(const char *name, struct tool_run *run)
{
    const char *const arguments[] = {"describe", name, NULL};
    tool_run(tool, arguments, run);
}

/* Through a pipe. */
static void describe_piped(const char *name, struct tool_run *run)
{
    char command[4096];
    const char *const arguments[] = {"-c", command, NULL};
    snprintf(command, sizeof command, "cat '%s' | '%s' describe -", name, tool);
    tool_run("/bin/sh", arguments, run);
}

/* The names in the first lines differ. */
static bool has_same_block(const struct tool_run *run)
{
    const char *one = strstr(run->output, ".x: "), *other = strstr(plain.output, ".x: ");
    one = one != NULL ? one : strstr(run->output, ":x: ");
    one = one != NULL ? one : strstr(run->output, "-: ");
    return one != NULL && other != NULL && strcmp(strchr(one, ' '), strchr(other, ' ')) == 0;
}

static void check_same_block(const struct tool_run *run, const char *name)
{
    const bool is_right = run->status == 0 && run->errors[0] == '\0' && has_same_block(run);
    CHECK(is_right);
    if (!is_right)
        fprintf(stderr, "of %s: status %d, %s%s", name, run->status, run->errors, run->output);
}

/* What the file named `name`, or a data set of it, is complained of, in one line; no block. */
static void check_complaint(const char *name, const char *complaint)
{
    static struct tool_run run;
    char line[512];
    describe(name, &run);
    snprintf(line, sizeof line, "reap: %s: %s\n", name, complaint);
    const bool is_right = run.status == 1 && strcmp(run.errors, line) == 0 && run.output[0] == '\0';
    CHECK(is_right);
    if (!is_right)
        fprintf(stderr, "expected: %ssaid:     %sstatus %d, output %s\n", line, run.errors,
                run.status, run.output);
}

/* ---- Making -----------------------------------------------------------------------------------*/

/* An array in 'plain.x', as random as its shape. */
static struct bytes make_array(size_t most, uint64_t *state)
{
    static const unsigned sizes[] = {1, 2, 4, 8};
    struct npy_file file = {.name = "plain.x",
                            .kind = "iuf"[check_random(state) % 3],
                            .is_big_endian = check_random(state) % 2 == 0,
                            .is_fortran = check_random(state) % 2 == 0,
                            .version = 1 + (unsigned)(check_random(state) % 3),
                            .dimensions = 2,
                            .shape = {1 + check_random(state) % 9, 0}};
    file.bytes = sizes[check_random(state) % 4];
    if (file.kind == 'f' && file.bytes == 1)
        file.bytes = 4;
    file.shape[1] = 1 + check_random(state) % (most / file.shape[0]);
    const size_t count = file.shape[0] * file.shape[1];
    long double *values = calloc(count, sizeof *values);
    if (values == NULL)
        exit(1);
    for (size_t i = 0; i < count; i++)
        values[i] = (long double)(check_random(state) % 100);
    npy_file_write(&file, values);
    free(values);
    describe("plain.x", &plain);
    CHECK(plain.status == 0);
    return bytes_read("plain.x");
}

typedef void pack(struct bytes *stream, const void *data, size_t count);

static void pack_stored(struct bytes *archive, const void *data, size_t count)
{
    const struct bytes bytes = {(unsigned char *)data, count, count};
    const struct zip_member member = {.name = "x.npy", .data = &bytes, .has_large_sizes = true};
    pack_zip(archive, &member, 1);
}

static void pack_deflated(struct bytes *archive, const void *data, size_t count)
{
    const struct bytes bytes = {(unsigned char *)data, count, count};
    const struct zip_member member = {.name = "x.npy", .data = &bytes, .is_deflated = true};
    pack_zip(archive, &member, 1);
}

/* In several pieces, of which some are empty, some of one byte. */
static void pack_pieces(pack *one, struct bytes *stream, const struct bytes *data, uint64_t *state)
{
    size_t done = 0;
    while (done < data->count) {
        const size_t left = data->count - done, drawn = check_random(state) % 4;
        size_t count = drawn < 2 ? drawn : 1 + check_random(state) % left;
        one(stream, data->at + done, count);
        done += count;
    }
}

static void write_and_free(struct bytes *bytes, const char *name)
{
    bytes_write(bytes, name);
    bytes_free(bytes);
}

/* ---- Streams and archives that are right ------------------------------------------------------*/

static void check_stream(pack *one, const char *name, const struct bytes *data, uint64_t *state)
{
    static struct tool_run run;
    struct bytes stream = {NULL, 0, 0};
    one(&stream, data->at, data->count);
    write_and_free(&stream, name);
    describe(name, &run);
    check_same_block(&run, name);
    describe_piped(name, &run);
    check_same_block(&run, name);
    pack_pieces(one, &stream, data, state);
    if (one == pack_zstd)
        bytes_add(&stream, "\x53\x2a\x4d\x18\3\0\0\0any", 11); /* a frame to skip */
    else
        bytes_add(&stream, "\0\0\0\0\0\0\0", 7);
    write_and_free(&stream, name);
    describe(name, &run);
    check_same_block(&run, name);
}

/* Which takes a further pass: over a member, from its beginning again. */
static void check_quantile(const char *name)
{
    static struct tool_run expected, run;
    char command[4096];
    const char *const arguments[] = {"-c", command, NULL};
    const char *const directly[] = {"describe", "--quantiles", "0.3", "plain.x", NULL};
    tool_run(tool, directly, &expected);
    snprintf(command, sizeof command, "'%s' describe --quantiles 0.3 - <%s", tool, name);
    tool_run("/bin/sh", arguments, &run);
    const char *one = strstr(expected.output, "quantile"), *other = strstr(run.output, "quantile");
    const bool is_right = run.status == 0 && (one == NULL) == (other == NULL) &&
                          (one == NULL || strcmp(one, other) == 0);
    CHECK(is_right);
    if (!is_right)
        fprintf(stderr, "of %s: %s%snot %s", name, run.errors, run.output, expected.output);
}

static void check_archive(pack *one, const char *name, const struct bytes *data)
{
    static struct tool_run run;
    struct bytes archive = {NULL, 0, 0};
    one(&archive, data->at, data->count);
    write_and_free(&archive, name);
    describe(name, &run);
    check_same_block(&run, name);
    check_quantile(name);
}

static void check_right_ones(size_t most, uint64_t *state)
{
    static struct tool_run run;
    struct bytes data = make_array(most, state);
    describe_piped("plain.x", &run);
    check_same_block(&run, "a pipe");
    if (CLI_HAVE_ZLIB)
        check_stream(pack_gzip, "x.gz.x", &data, state);
    if (CLI_HAVE_ZSTD)
        check_stream(pack_zstd, "x.zst.x", &data, state);
    if (CLI_HAVE_ZIP) {
        check_archive(pack_stored, "stored.npz", &data);
        check_archive(pack_deflated, "deflated.npz", &data);
    }
    bytes_free(&data);
}

/* ---- Damage -----------------------------------------------------------------------------------*/

/* An archive's directory may contradict its members' headers in what does not matter to the array:
 * then that is said, and the array described. */
static void check_damaged(const struct bytes *whole, const char *name, uint64_t *state)
{
    static struct tool_run run;
    struct bytes damaged = {NULL, 0, 0};
    const size_t at = check_random(state) % whole->count;
    const unsigned char bit = (unsigned char)(1 << check_random(state) % 8);
    const bool is_cut = check_random(state) % 3 == 0 && at > 4;
    bytes_add(&damaged, whole->at, is_cut ? at : whole->count);
    if (!is_cut)
        damaged.at[at] ^= bit;
    write_and_free(&damaged, name);
    describe(name, &run);
    const char *newline = strchr(run.errors, '\n');
    const bool has_line =
        strncmp(run.errors, "reap: ", 6) == 0 && newline != NULL && newline[1] == '\0';
    const bool is_right =
        run.status == 0
            ? !is_cut && run.errors[0] == '\0' && has_same_block(&run)
            : run.status == 1 && has_line &&
                  (run.output[0] == '\0' || (strstr(name, ".npz") != NULL && has_same_block(&run)));
    CHECK(is_right);
    if (!is_right)
        fprintf(stderr, "of %s, %s at %zu (%d): status %d, %s%s", name, is_cut ? "cut" : "changed",
                at, bit, run.status, run.errors, run.output);
}

static void check_damage(pack *one, const char *name, uint64_t *state)
{
    struct bytes data = make_array(400, state), whole = {NULL, 0, 0};
    one(&whole, data.at, data.count);
    for (int d = 0; d < DAMAGES; d++)
        check_damaged(&whole, name, state);
    bytes_free(&whole);
    bytes_free(&data);
}

/* ---- What is wrong otherwise ------------------------------------------------------------------*/

#define BYTES(literal)                                                                             \
    {                                                                                              \
        (unsigned char *)literal, sizeof literal - 1, 0                                            \
    }
#define GZIP_EMPTY "\x1f\x8b\x08\0\0\0\0\0\0\3\3\0\0\0\0\0\0\0\0\0"
#define OF_STREAM "byte 0 of the decompressed stream: "

static void check_wrong_streams(void)
{
    static const struct wrong {
        bool has_library;
        const char *library, *name;
        struct bytes bytes;
        const char *complaint;
    } wrongs[] = {
        {CLI_HAVE_ZLIB, "zlib", "gzip", BYTES(GZIP_EMPTY), "is empty"},
        {CLI_HAVE_ZLIB, "zlib", "gzip", BYTES(GZIP_EMPTY "\0\0\0"), "is empty"},
        {CLI_HAVE_ZLIB, "zlib", "gzip", BYTES(GZIP_EMPTY "\0\0\1"),
         OF_STREAM "gzip: the stream is followed by something else"},
        {CLI_HAVE_ZLIB, "zlib", "gzip", BYTES(GZIP_EMPTY "more"),
         OF_STREAM "gzip: the stream is followed by something else"},
        {CLI_HAVE_ZLIB, "zlib", "gzip", BYTES("\x1f\x8b\x08\0\0\0\0"),
         OF_STREAM "gzip: the stream ends early"},
        {CLI_HAVE_ZLIB, "zlib", "gzip", BYTES(GZIP_EMPTY "\x1f\x8b"),
         OF_STREAM "gzip: the stream ends early"},
        {CLI_HAVE_ZSTD, "libzstd", "zstd", BYTES("\x50\x2a\x4d\x18\2\0\0\0ab"), "is empty"},
        {CLI_HAVE_ZSTD, "libzstd", "zstd", BYTES("\x28\xb5\x2f\xfd\0\x88"),
         OF_STREAM "zstd: the stream ends early"},
        {CLI_HAVE_ZSTD, "libzstd", "zstd", BYTES("\x5f\x2a\x4d\x18\0\0\0\0others"),
         OF_STREAM "zstd: the stream is followed by something else"},
        {CLI_HAVE_ZSTD, "libzstd", "zstd", BYTES("\x28\xb5\x2f\xfd\0\x90\1\0\0"),
         OF_STREAM "zstd: a window of more than 128 MiB is needed, which is not supported "
                   "(zstd --long=27 is the largest that is)"},
    };
    for (size_t w = 0; w < sizeof wrongs / sizeof *wrongs; w++) {
        char missing[128];
        snprintf(missing, sizeof missing, "is compressed by %s, and this reap was built without %s",
                 wrongs[w].name, wrongs[w].library);
        bytes_write(&wrongs[w].bytes, "wrong");
        check_complaint("wrong", wrongs[w].has_library ? wrongs[w].complaint : missing);
    }
}

/* An archive that has the member before and behind one that is fine. */
static void check_member(struct zip_member wrong, const struct bytes *data, const char *complaint)
{
    static struct tool_run run;
    char line[512];
    struct bytes archive = {NULL, 0, 0};
    const struct bytes text = BYTES("this is not an array");
    wrong.data = wrong.data != NULL ? wrong.data : data;
    const struct zip_member members[] = {
        {.name = "read.me", .data = &text}, wrong, {.name = "x.npy", .data = data}};
    pack_zip(&archive, members, 3);
    write_and_free(&archive, "wrong.npz");
    describe("wrong.npz", &run);
    snprintf(line, sizeof line, "reap: wrong.npz:bad: %s\n", complaint);
    const bool is_right = run.status == 1 && strcmp(run.errors, line) == 0 && has_same_block(&run);
    CHECK(is_right);
    if (!is_right)
        fprintf(stderr, "expected: %ssaid:     %sstatus %d, output %s\n", line, run.errors,
                run.status, run.output);
    describe("wrong.npz:x", &run);
    check_same_block(&run, "wrong.npz:x");
    describe("wrong.npz:y", &run);
    CHECK(run.status == 1 && run.output[0] == '\0' &&
          strcmp(run.errors, "reap: wrong.npz: has no array 'y', but 'bad', 'x'\n") == 0);
}

/* An array whose name in the directory is that of a member of another kind, by one bit. */
static void check_hidden_member(bool is_deflated, const struct bytes *data)
{
    static struct tool_run run;
    struct bytes archive = {NULL, 0, 0};
    const struct zip_member members[] = {
        {.name = "x.npy", .data = data},
        {.name = "y.npy", .other_name = "y.npx", .is_deflated = is_deflated, .data = data}};
    pack_zip(&archive, members, 2);
    write_and_free(&archive, "wrong.npz");
    describe("wrong.npz", &run);
    CHECK(run.status == 1 && has_same_block(&run));
    CHECK(strcmp(run.errors, "reap: wrong.npz:y.npx: its own header has another name: the archive "
                             "is damaged\n") == 0);
}

/* An array whose type became that of text by one bit is not taken for one of text, which would be
 * skipped. */
static void check_text_by_damage(bool is_deflated, const struct bytes *data)
{
    static struct tool_run run;
    static const char header[] =
        "\x93NUMPY\1\0\x36\0{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }\n1234";
    struct bytes array = {NULL, 0, 0}, archive = {NULL, 0, 0};
    bytes_add(&array, header, sizeof header - 1);
    array.at[22] = 'U';
    struct zip_member members[] = {{.name = "t.npy", .data = &array, .is_deflated = is_deflated},
                                   {.name = "x.npy", .data = data}};
    pack_zip(&archive, members, 2);
    write_and_free(&archive, "wrong.npz");
    describe("wrong.npz", &run);
    check_same_block(&run, "wrong.npz, which has text, too");
    members[0].crc_error = 32;
    pack_zip(&archive, members, 2);
    write_and_free(&archive, "wrong.npz");
    describe("wrong.npz", &run);
    CHECK(run.status == 1 && has_same_block(&run) &&
          strstr(run.errors, "reap: wrong.npz:t: ") == run.errors &&
          strstr(run.errors, "CRC error\n") != NULL);
    describe("wrong.npz:t", &run);
    CHECK(run.status == 1 && run.output[0] == '\0' && strstr(run.errors, "CRC error\n") != NULL);
    bytes_free(&array);
}

/* Members of another kind: one whose place in the directory is outside the archive is an error. One
 * that is encrypted is skipped. */
static void check_other_member(const struct bytes *data)
{
    static struct tool_run run;
    struct bytes archive = {NULL, 0, 0};
    const struct bytes text = BYTES("text");
    struct zip_member members[] = {{.name = "read.me", .flags = 1, .data = &text},
                                   {.name = "x.npy", .data = data}};
    pack_zip(&archive, members, 2);
    write_and_free(&archive, "wrong.npz");
    describe("wrong.npz", &run);
    check_same_block(&run, "wrong.npz, which has an encrypted text");
    members[0].flags = 0;
    pack_zip(&archive, members, 2);
    for (size_t i = archive.count; i-- > 0;)
        if (memcmp(archive.at + i, "read.me", 7) == 0) { /* the directory, before it the place */
            archive.at[i - 2] = 0x7f;
            break;
        }
    write_and_free(&archive, "wrong.npz");
    describe("wrong.npz", &run);
    CHECK(run.status == 1 && has_same_block(&run) &&
          strstr(run.errors, "reap: wrong.npz:read.me: cannot be opened in the archive: ") ==
              run.errors);
}

static void check_wrong_archives(uint64_t *state)
{
    struct bytes data = make_array(300000, state), packed = {NULL, 0, 0};
    struct bytes text = BYTES("PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    bytes_write(&text, "empty.npz");
    check_complaint("empty.npz", "has no member whose name ends in .npy");
    bytes_write(&(struct bytes)BYTES("PK\3\4 is not all"), "short.npz");
    check_complaint("short.npz", "the .zip archive has no directory at its end: it is cut short");
    pack_gzip(&packed, text.at, text.count);
    write_and_free(&packed, "empty.npz.gz");
    check_complaint("empty.npz.gz", "a .npz archive must be a file that is not compressed further");
    text = (struct bytes)BYTES("text");
#define MEMBER .name = "bad.npy"
    check_member((struct zip_member){MEMBER, .flags = 1}, &data, "is encrypted");
    check_member((struct zip_member){MEMBER, .method = 12}, &data,
                 "is compressed by .zip's method 12, which no .npz file has");
    check_member((struct zip_member){MEMBER, .crc_error = 4}, &data,
                 "the CRC is wrong: some of the data are damaged");
    check_member((struct zip_member){MEMBER, .data = &text}, &data,
                 "byte 0: not a .npy file (for raw numbers give their type: --type f32)");
    char complaint[128];
    snprintf(complaint, sizeof complaint, "byte %zu of the decompressed stream: CRC error",
             data.count);
    check_member((struct zip_member){MEMBER, .is_deflated = true, .crc_error = 4}, &data,
                 complaint);
    check_member((struct zip_member){.name = "any.npy", .other_name = "bad.npy"}, &data,
                 "its own header has another name: the archive is damaged");
    check_hidden_member(false, &data);
    check_hidden_member(true, &data);
    check_text_by_damage(false, &data);
    check_text_by_damage(true, &data);
    check_other_member(&data);
    bytes_free(&data);
}

static void check_pipe_of_archive(void)
{
    static struct tool_run run;
    describe_piped("stored.npz", &run);
    CHECK(run.status == 1 && run.output[0] == '\0' &&
          strcmp(run.errors, "reap: -: a .npz archive must be a file, not a pipe\n") == 0);
}

int main(int argc, char **argv)
{
    if (argc != 3 || chdir(argv[2]) != 0) {
        fprintf(stderr, "usage: compressed TOOL DIRECTORY\n");
        return 2;
    }
    tool = argv[1];
    uint64_t state = check_seed();
    check_right_ones(100, &state);
    check_right_ones(400000, &state);
    check_wrong_streams();
    if (CLI_HAVE_ZLIB)
        check_damage(pack_gzip, "damaged.gz.x", &state);
    if (CLI_HAVE_ZSTD)
        check_damage(pack_zstd, "damaged.zst.x", &state);
    if (CLI_HAVE_ZIP) {
        check_damage(pack_stored, "stored_damaged.npz", &state);
        check_damage(pack_deflated, "deflated_damaged.npz", &state);
        check_wrong_archives(&state);
        check_pipe_of_archive();
    } else {
        bytes_write(&(struct bytes)BYTES("PK\3\4"), "any.npz");
        check_complaint("any.npz", "is a .npz archive, and this reap was built without libzip");
    }
    return check_finish();
}
