/* SPDX-License-Identifier: Apache-2.0
 *
 * .npz files, which numpy.savez writes: .zip archives, by libzip, whose members are .npy files. A
 * stored member is contiguous in the file, and can be read at any position by any thread; a
 * deflated one is a stream. The CRC of both is checked.
 */
#include "tools/read/file.h"

#include <string.h>

static bool recognise(const struct cli_file *file, const unsigned char *bytes, size_t count)
{
    (void)file;
    return count >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

#if CLI_HAVE_ZIP && CLI_HAVE_ZLIB /* libzip needs it */

#include "tools/interrupt.h"
#include "tools/read/checksum.h"
#include "tools/read/npy_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <zip.h>

/* ---- The file, as libzip reads it -------------------------------------------------------------*/

/* libzip reads through the source, so the file is not opened a second time. The positions that it
 * reads show where a member's bytes are, which libzip does not return. */
struct input {
    const struct cli_source *source; /* a file that is not compressed */
    uint64_t at;                     /* of the file: libzip's next position */
    uint64_t last_first, last_bytes; /* its last read */
    bool has_opened;                 /* it has read since this was set to false */
    uint64_t opened_first;           /* the position of the first read since then */
    struct cli_failure failure;      /* why it failed */
    zip_error_t error;               /* the same, for libzip */
};

static zip_int64_t read_next(struct input *input, void *into, zip_uint64_t bytes)
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

static zip_int64_t seek(struct input *input, void *data, zip_uint64_t bytes)
{
    const zip_int64_t at = zip_source_seek_compute_offset(
        input->at, cli_source_bytes(input->source), data, bytes, &input->error);
    if (at < 0)
        return -1;
    input->at = (uint64_t)at;
    return 0;
}

static zip_int64_t tell_size(const struct input *input, zip_stat_t *status)
{
    zip_stat_init(status);
    status->size = cli_source_bytes(input->source);
    status->valid = ZIP_STAT_SIZE;
    return sizeof *status;
}

static zip_int64_t obey(void *of, void *data, zip_uint64_t bytes, zip_source_cmd_t command)
{
    struct input *input = of;
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

/* Opens the archive of `input`, of which only the source is set. Returns NULL and libzip's error if
 * that fails. */
static zip_t *open_zip(struct input *input, zip_error_t *error)
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

/* ---- Members ----------------------------------------------------------------------------------*/

/* The current member. */
struct member {
    zip_uint64_t index; /* in the order of the directory */
    zip_stat_t status;
    zip_file_t *file;
    uint64_t given; /* bytes of it, in order */
    struct cli_source *source;
    struct cli_plain plain;
    struct cli_checksum checksum;
};

struct archive {
    struct input input;
    zip_t *zip;
    zip_uint64_t next, count; /* of the members */
    bool has_found;           /* the one to describe */
    bool has_text, has_given; /* arrays of text, which are skipped; others */
    struct member member;
};

/* ---- A member's bytes -------------------------------------------------------------------------*/

static bool fail_zip(const struct archive *archive, zip_error_t *error, struct cli_failure *failure)
{
    if (archive->input.failure.text[0] != '\0')
        return cli_fail(failure, "%s", archive->input.failure.text);
    return cli_fail(failure, "byte %" PRIu64 " of the decompressed stream: %s",
                    archive->member.given, zip_error_strerror(error));
}

/* libzip checks the CRC when the end is reached. */
static bool read_member(void *from, void *into, size_t bytes, size_t *count,
                        struct cli_failure *failure)
{
    struct archive *archive = from;
    struct member *member = &archive->member;
    *count = 0;
    while (*count < bytes && !cli_is_interrupted()) {
        const zip_int64_t got = zip_fread(member->file, (char *)into + *count, bytes - *count);
        if (got < 0)
            return fail_zip(archive, zip_file_get_error(member->file), failure);
        if (got == 0)
            break;
        *count += (size_t)got;
        member->given += (uint64_t)got;
    }
    return true;
}

static bool open_member(struct archive *archive, struct cli_failure *failure)
{
    struct member *member = &archive->member;
    archive->input.failure = (struct cli_failure){""};
    archive->input.has_opened = false;
    member->given = 0;
    member->file = zip_fopen_index(archive->zip, member->index, 0);
    if (member->file != NULL)
        return true;
    if (archive->input.failure.text[0] != '\0')
        return cli_fail(failure, "%s", archive->input.failure.text);
    return cli_fail(failure, "cannot be opened in the archive: %s",
                    zip_error_strerror(zip_get_error(archive->zip)));
}

static void close_member(struct archive *archive)
{
    struct member *member = &archive->member;
    cli_source_close(member->source);
    member->source = NULL;
    if (member->file != NULL)
        zip_fclose(member->file);
    member->file = NULL;
}

/* The position in the file of a stored member: the one from which libzip reads its first bytes.
 * Returns false if libzip has read other bytes than requested; then the member is read as a stream.
 */
static bool find_place(struct archive *archive, uint64_t *first)
{
    unsigned char bytes[16];
    size_t count;
    struct cli_failure unused = {""};
    const struct input *input = &archive->input;
    const uint64_t size = archive->member.status.size, all = cli_source_bytes(input->source);
    if (!read_member(archive, bytes, sizeof bytes, &count, &unused) || count < sizeof bytes)
        return false;
    *first = input->last_first;
    return input->last_bytes == count && *first <= all && size <= all - *first;
}

static bool make_source(struct archive *archive, struct cli_failure *failure)
{
    struct member *member = &archive->member;
    uint64_t first;
    if (!open_member(archive, failure))
        return false;
    if (member->status.comp_method == ZIP_CM_STORE &&
        member->status.comp_size == member->status.size) {
        if (find_place(archive, &first))
            member->source =
                cli_source_part(archive->input.source, first, member->status.size, failure);
        zip_fclose(member->file);
        member->file = NULL;
        if (member->source != NULL)
            return true;
        if (failure->text[0] != '\0' || !open_member(archive, failure))
            return false;
    }
    member->source = cli_source_from_input(read_member, archive, failure);
    return member->source != NULL;
}

/* ---- A member's array -------------------------------------------------------------------------*/

/* Accepts only the methods that NumPy writes; others may use as much memory as a file requests. */
static bool check_method(const zip_stat_t *status, struct cli_failure *failure)
{
    const zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_CRC |
                                ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if ((status->valid & needed) != needed)
        return cli_fail(failure, "the archive does not contain its compression method");
    if (status->encryption_method != ZIP_EM_NONE)
        return cli_fail(failure, "is encrypted");
    if (status->comp_method != ZIP_CM_STORE && status->comp_method != ZIP_CM_DEFLATE)
        return cli_fail(failure, "is compressed by .zip's method %u, which no .npz file has",
                        (unsigned)status->comp_method);
    return true;
}

/* Checks the name in the directory, which the CRC does not cover: the member's own header must have
 * the same name. libzip has read that header first, or at least its lengths; otherwise the name is
 * not checked. (Other fields are not compared: libzip's ZIP_CHECKCONS refuses what zip -fd and
 * bsdtar write.) */
static bool check_name(const struct archive *archive, struct cli_failure *failure)
{
    enum { LENGTHS_AT = 26, HEADER_BYTES = 30 };
    unsigned char bytes[HEADER_BYTES + CLI_DATASET_NAME_BYTES + 8] = {0};
    const struct cli_source *source = archive->input.source;
    const char *name = zip_get_name(archive->zip, archive->member.index, ZIP_FL_ENC_RAW);
    const size_t length = name == NULL ? 0 : strlen(name), count = HEADER_BYTES + length;
    const uint64_t place = archive->input.opened_first, all = cli_source_bytes(source);
    for (uint64_t back = 0; back <= LENGTHS_AT && count <= sizeof bytes; back += LENGTHS_AT) {
        if (back > place || place - back > all || count > all - (place - back))
            continue;
        if (!cli_source_read_at(source, place - back, bytes, count, failure))
            return false;
        if (memcmp(bytes, "PK\3\4", 4) == 0)
            break;
    }
    if (memcmp(bytes, "PK\3\4", 4) != 0 ||
        (name != NULL && length == (size_t)(bytes[LENGTHS_AT] | bytes[LENGTHS_AT + 1] << 8) &&
         memcmp(bytes + HEADER_BYTES, name, length) == 0))
        return true;
    return cli_fail(failure, "its own header has another name: the archive is damaged");
}

/* Reads a member to its end, where libzip checks the CRC. */
static bool check_bytes(struct archive *archive, struct cli_failure *failure)
{
    unsigned char bytes[1 << 14];
    size_t count = sizeof bytes;
    close_member(archive);
    bool is_fine = open_member(archive, failure);
    while (is_fine && count == sizeof bytes)
        is_fine = read_member(archive, bytes, sizeof bytes, &count, failure);
    return is_fine;
}

static bool open_array(struct archive *archive, struct cli_array *array,
                       struct cli_failure *failure)
{
    struct member *member = &archive->member;
    struct cli_failure damage = {""};
    if (zip_stat_index(archive->zip, member->index, 0, &member->status) != 0)
        return fail_zip(archive, zip_get_error(archive->zip), failure);
    if (!check_method(&member->status, failure) || !make_source(archive, failure))
        return false;
    member->plain = (struct cli_plain){.source = member->source};
    if (!cli_npy_open(&member->plain, array, failure)) {
        /* A damaged header may have the type of text, and the member would be skipped. */
        member->plain.is_text =
            member->plain.is_text && check_name(archive, &damage) && check_bytes(archive, &damage);
        if (damage.text[0] != '\0')
            *failure = damage;
        return false;
    }
    if (!check_name(archive, failure))
        return false;
    return !array->is_random ||
           cli_checksum_open(&member->checksum, &member->plain, member->status.crc, array, failure);
}

/* ---- Names ------------------------------------------------------------------------------------*/

/* The name and its length, without .npy; *is_array: whether it has that suffix. */
static const char *find_name(const struct archive *archive, zip_uint64_t index, size_t *length,
                             bool *is_array)
{
    const char *found = zip_get_name(archive->zip, index, ZIP_FL_ENC_GUESS);
    const char *name = found != NULL ? found : "";
    *length = strlen(name);
    *is_array = *length >= 4 && strcmp(name + *length - 4, ".npy") == 0;
    *length -= *is_array ? 4 : 0;
    return name;
}

/* Checks a member without the suffix .npy, which may be an array whose name in the directory is
 * damaged. One that is encrypted or compressed otherwise passes, if libzip does not open it. */
static bool check_other(struct archive *archive, struct cli_failure *failure)
{
    struct cli_failure unopened = {""}, unused = {""};
    zip_stat_t status;
    const bool is_open = open_member(archive, &unopened);
    bool is_right = !archive->input.has_opened || check_name(archive, failure);
    if (is_right && !is_open &&
        zip_stat_index(archive->zip, archive->member.index, 0, &status) == 0)
        is_right = !check_method(&status, &unused) || cli_fail(failure, "%s", unopened.text);
    close_member(archive);
    return is_right;
}

static bool is_meant(const struct cli_file *file, const char *name, size_t length)
{
    return file->path[0] == '\0' ||
           (strlen(file->path) == length && memcmp(name, file->path, length) == 0);
}

/* "has no array 'x', but 'a', 'b' and 7 more" */
static bool fail_unknown(const struct cli_file *file, struct cli_failure *failure)
{
    enum { NAMED = 4, LONGEST = 60 };
    const struct archive *archive = file->data;
    char text[(NAMED + 1) * (LONGEST + 4) + 32];
    size_t length, arrays = 0;
    bool is_array;
    int at = snprintf(text, sizeof text, "has no array '%.*s', but", LONGEST, file->path);
    for (zip_uint64_t i = 0; i < archive->count; i++) {
        const char *name = find_name(archive, i, &length, &is_array);
        if (is_array && ++arrays <= NAMED)
            at += snprintf(text + at, sizeof text - (size_t)at, "%s '%.*s'", arrays > 1 ? "," : "",
                           length < LONGEST ? (int)length : LONGEST, name);
    }
    if (arrays == 0)
        return cli_fail(failure, "has no member whose name ends in .npy");
    if (arrays > NAMED)
        return cli_fail(failure, "%s and %zu more", text, arrays - NAMED);
    return cli_fail(failure, "%s", text);
}

/* ---- The format -------------------------------------------------------------------------------*/

static bool open_archive(struct archive *archive, struct cli_failure *failure)
{
    zip_error_t error;
    zip_error_init(&error);
    archive->zip = open_zip(&archive->input, &error);
    if (archive->zip != NULL)
        archive->count = (zip_uint64_t)zip_get_num_entries(archive->zip, 0);
    else if (archive->input.failure.text[0] != '\0')
        cli_fail(failure, "%s", archive->input.failure.text);
    else if (zip_error_code_zip(&error) == ZIP_ER_NOZIP)
        cli_fail(failure, "the .zip archive has no directory at its end: it is cut short");
    else
        cli_fail(failure, "the .zip archive cannot be read: %s", zip_error_strerror(&error));
    zip_error_fini(&error);
    return archive->zip != NULL;
}

static bool open_npz(struct cli_file *file, struct cli_failure *failure)
{
    if (cli_source_compression(file->source) != NULL)
        return cli_fail(failure, "a .npz archive must be a file that is not compressed further");
    if (!cli_source_is_file(file->source))
        return cli_fail(failure, "a .npz archive must be a file, not a pipe");
    struct archive *archive = calloc(1, sizeof *archive);
    file->data = archive;
    if (archive == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    archive->input.source = file->source;
    return open_archive(archive, failure);
}

/* After the last member: fails if nothing was described. */
static enum cli_next end(struct cli_file *file, struct cli_dataset *dataset,
                         struct cli_failure *failure)
{
    struct archive *archive = file->data;
    const bool is_text = archive->has_text && !archive->has_given;
    if (archive->has_found && !is_text)
        return CLI_NO_MORE;
    archive->has_found = archive->has_given = true; /* the message */
    dataset->name[0] = '\0';
    if (is_text)
        cli_fail(failure, "its arrays are text: it has no numbers");
    else
        fail_unknown(file, failure);
    return CLI_NEXT_FAILED;
}

static enum cli_next next(struct cli_file *file, struct cli_dataset *dataset,
                          struct cli_failure *failure)
{
    struct archive *archive = file->data;
    close_member(archive);
    while (archive->next < archive->count) {
        size_t length;
        bool is_array;
        archive->member.index = archive->next++;
        const char *name = find_name(archive, archive->member.index, &length, &is_array);
        const bool fits = length < sizeof dataset->name;
        snprintf(dataset->name, sizeof dataset->name, "%.*s",
                 fits ? (int)length : (int)sizeof dataset->name - 1, name);
        if (!is_array && file->path[0] == '\0' && !check_other(archive, failure)) {
            archive->has_found = true;
            return CLI_NEXT_FAILED;
        }
        if (!is_array || !is_meant(file, name, length))
            continue;
        archive->has_found = true;
        const bool is_fine = fits ? open_array(archive, &dataset->array, failure)
                                  : cli_fail(failure, "its name is too long");
        const bool is_text = !is_fine && fits && archive->member.plain.is_text;
        archive->has_text |= is_text;
        if (is_text && file->path[0] == '\0') {
            failure->text[0] = '\0';
            close_member(archive);
            continue;
        }
        archive->has_given = true;
        return is_fine ? CLI_NEXT : CLI_NEXT_FAILED;
    }
    return end(file, dataset, failure);
}

/* Restarts the stream of a deflated member, and reads its header again. */
static bool rewind_member(struct cli_file *file, struct cli_failure *failure)
{
    struct archive *archive = file->data;
    struct cli_array unused = {.data = NULL};
    close_member(archive);
    if (!make_source(archive, failure))
        return false;
    archive->member.plain.source = archive->member.source;
    return cli_npy_open(&archive->member.plain, &unused, failure);
}

static void close_npz(struct cli_file *file)
{
    struct archive *archive = file->data;
    if (archive == NULL)
        return;
    close_member(archive);
    if (archive->zip != NULL)
        zip_discard(archive->zip);
    zip_error_fini(&archive->input.error);
    free(archive);
}

#else

static bool open_npz(struct cli_file *file, struct cli_failure *failure)
{
    (void)file;
    return cli_fail(failure, "is a .npz archive, and this reap was built without libzip");
}

static enum cli_next next(struct cli_file *file, struct cli_dataset *dataset,
                          struct cli_failure *failure)
{
    (void)file;
    (void)dataset;
    (void)failure;
    return CLI_NO_MORE;
}

static bool rewind_member(struct cli_file *file, struct cli_failure *failure)
{
    (void)file;
    (void)failure;
    return false;
}

static void close_npz(struct cli_file *file)
{
    (void)file;
}

#endif

const struct cli_format cli_npz_format = {.name = "npz",
                                          .recognise = recognise,
                                          .open = open_npz,
                                          .next = next,
                                          .rewind = rewind_member,
                                          .close = close_npz};
