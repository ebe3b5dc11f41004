/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds a file's format, and calls its functions.
 */
#include "tools/read/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT(name) &cli_##name##_format,
static const struct cli_format *const formats[] = {CLI_FORMATS(FORMAT)};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats, FIRST_BYTES = 512 };

/* If no file has the whole name, splits "FILE:PATH" at the last colon that follows the name of a
 * file. */
static bool find_name(struct cli_file *file, struct cli_failure *failure)
{
    file->name = strdup(file->called);
    if (file->name == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    file->path = "";
    if (strcmp(file->called, "-") == 0 || access(file->called, F_OK) == 0)
        return true;
    for (size_t at = strlen(file->called); at-- > 1;)
        if (file->called[at] == ':') {
            file->name[at] = '\0';
            if (access(file->name, F_OK) == 0) {
                file->path = file->called + at + 1;
                return true;
            }
        }
    memcpy(file->name, file->called, strlen(file->called) + 1);
    return true;
}

/* Reports that the first bytes cannot be decompressed: raw numbers may begin as a stream does. */
static bool fail_peek(const struct cli_file *file, const struct cli_failure *why,
                      struct cli_failure *failure)
{
    const bool may_be_raw = file->options->is_raw && cli_source_compression(file->source) != NULL;
    return cli_fail(failure, "%.400s%s", why->text,
                    may_be_raw ? " (numbers that are not compressed: put a byte before them, "
                                 "and skip it by --offset)"
                               : "");
}

/* Whether text in UTF-16 begins so: with four ASCII characters, or fewer if it has no more. */
static bool is_wide_text(const unsigned char *bytes, size_t count, size_t high)
{
    enum { TRIED_BYTES = 8 };
    const size_t tried = count < TRIED_BYTES ? count / 2 * 2 : TRIED_BYTES;
    size_t right = 0;
    for (size_t i = 0; i < tried; i += 2) {
        const unsigned char low = bytes[i + 1 - high];
        right += bytes[i + high] == 0 && (low == '\t' || low == '\n' || low == '\r' || low >= ' ');
    }
    return tried > 2 && 2 * right == tried;
}

/* The UTF-16 of a text, by its byte order mark or its first characters; NULL: it is none. */
static const char *find_utf16(const unsigned char *bytes, size_t count)
{
    if (count >= 4 && memcmp(bytes, "\xff\xfe\0\0", 4) == 0)
        return NULL; /* UTF-32 */
    if (count >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
        return "UTF-16";
    if (is_wide_text(bytes, count, 1))
        return "UTF-16LE";
    return is_wide_text(bytes, count, 0) ? "UTF-16BE" : NULL;
}

static bool fail_unknown(const unsigned char *bytes, size_t count, struct cli_failure *failure)
{
    const char *utf16 = find_utf16(bytes, count);
    if (utf16 != NULL)
        return cli_fail(failure, "is text in %s (iconv -f %s -t UTF-8 converts it)", utf16, utf16);
    return cli_fail(failure, count == 0 ? "is empty"
                                        : "unknown file format (for raw numbers "
                                          "give their type: --type f32)");
}

static bool find_format(struct cli_file *file, struct cli_failure *failure)
{
    const unsigned char *bytes;
    struct cli_failure why = {""};
    size_t count;
    if (!cli_source_peek(file->source, FIRST_BYTES, &bytes, &count, &why))
        return fail_peek(file, &why, failure);
    for (int f = 0; f < FORMAT_COUNT && file->format == NULL; f++)
        if (formats[f]->recognise(file, bytes, count))
            file->format = formats[f];
    return file->format != NULL || fail_unknown(bytes, count, failure);
}

static bool open_format(struct cli_file *file, struct cli_failure *failure)
{
    const struct cli_format *format = file->format;
    if (format->single != NULL && file->path[0] != '\0')
        return cli_fail(failure, "%s has no data set '%s' in it", format->single, file->path);
    return format->open == NULL || format->open(file, failure);
}

bool cli_file_open(struct cli_file *file, const char *called,
                   const struct cli_file_options *options, struct cli_failure *failure)
{
    *file = (struct cli_file){.called = called, .options = options};
    bool is_fine = find_name(file, failure);
    if (is_fine)
        is_fine = (file->source = cli_source_open(file->name, failure)) != NULL;
    is_fine = is_fine && find_format(file, failure) && open_format(file, failure);
    if (!is_fine)
        cli_file_close(file);
    return is_fine;
}

enum cli_next cli_file_next(struct cli_file *file, struct cli_dataset *dataset,
                            struct cli_failure *failure)
{
    *dataset = (struct cli_dataset){.table = NULL};
    if (file->format->single != NULL && file->has_given)
        return CLI_NO_MORE;
    file->has_given = true;
    return file->format->next(file, dataset, failure);
}

void cli_file_close(struct cli_file *file)
{
    if (file->format != NULL)
        file->format->close(file);
    file->format = NULL;
    cli_source_close(file->source);
    file->source = NULL;
    free(file->name);
    file->name = NULL;
}
