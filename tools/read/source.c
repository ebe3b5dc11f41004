/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources: opening, reading ahead, reading at a position.
 */
#include "tools/read/source.h"

#include "tools/interrupt.h"
#include "tools/read/decompress.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct cli_source {
    char *name;      /* NULL: it was not opened by a name */
    cli_input *read; /* the next bytes in order, before they are decompressed */
    void *from;
    int file; /* -1: none */
    bool is_regular;
    bool is_part;        /* a part of another source, which has opened the file */
    uint64_t file_first; /* in a regular file: the begin of the source */
    uint64_t file_bytes; /* in a regular file: the size of the source */
    uint64_t part_at;    /* of a part: the number of bytes read in order */
    off_t start, end;    /* of a regular file, even if compressed, when it was opened: its position,
                            and its size */
    atomic_uint_fast64_t taken;            /* bytes of the file, by read_file */
    struct cli_decompressor *decompressor; /* NULL: not compressed */
    unsigned char *ahead;                  /* bytes that were peeked at and not taken */
    size_t ahead_at, ahead_end, ahead_capacity;
};

/* ---- The file ---------------------------------------------------------------------------------*/

/* Opens the file. The open of a pipe waits for its writer. */
static bool open_file(struct cli_source *source, struct cli_failure *failure)
{
    struct stat status;
    source->file = strcmp(source->name, "-") == 0
                       ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                       : open(source->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (source->file < 0 || fstat(source->file, &status) != 0)
        return cli_fail(failure, "%s", strerror(errno));
    if (S_ISDIR(status.st_mode))
        return cli_fail(failure, "is a directory");
    if (S_ISREG(status.st_mode)) {
        source->start = lseek(source->file, 0, SEEK_CUR);
        source->end = status.st_size;
    }
    /* Another process may have read from standard input; files of /proc report a size of zero. */
    source->is_regular = source->end > 0 && source->start == 0;
    source->file_bytes = source->is_regular ? (uint64_t)source->end : 0;
    return true;
}

/* At the end of the file: whether it has become shorter since it was opened. (Files in /sys always
 * have fewer bytes than their size.) */
static bool has_shrunk(const struct cli_source *source)
{
    struct stat status;
    const uint64_t taken = atomic_load_explicit(&source->taken, memory_order_relaxed);
    return source->start < source->end && taken < (uint64_t)(source->end - source->start) &&
           fstat(source->file, &status) == 0 && status.st_size < source->end;
}

static bool fail_shrunk(struct cli_failure *failure)
{
    return cli_fail(failure, "the file became shorter while it was read");
}

/* Reads the next `bytes` bytes of the file itself; fewer only at its end. */
static bool read_file(void *of, void *into, size_t bytes, size_t *count,
                      struct cli_failure *failure)
{
    struct cli_source *source = of;
    *count = 0;
    while (*count < bytes && !cli_is_interrupted()) {
        if (!source->is_regular)
            cli_wait_for(source->file, false, 0);
        if (cli_is_interrupted())
            break;
        const ssize_t got = read(source->file, (char *)into + *count, bytes - *count);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cli_fail(failure, "%s", strerror(errno));
        if (got == 0 && has_shrunk(source))
            return fail_shrunk(failure);
        if (got == 0)
            break;
        *count += (size_t)got;
        atomic_fetch_add_explicit(&source->taken, (uint64_t)got, memory_order_relaxed);
    }
    return true;
}

bool cli_source_read_at(const struct cli_source *source, uint64_t first, void *into, size_t bytes,
                        struct cli_failure *failure)
{
    size_t done = 0;
    while (done < bytes) {
        const off_t at = (off_t)(source->file_first + first + done);
        const ssize_t count = pread(source->file, (char *)into + done, bytes - done, at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return cli_fail(failure, "%s", strerror(errno));
        if (count == 0)
            return fail_shrunk(failure);
        done += (size_t)count;
    }
    return true;
}

const void *cli_source_map(const struct cli_source *source, uint64_t first, uint64_t bytes,
                           struct cli_mapping *mapping)
{
    return cli_mapping_begin(mapping, source->file, source->file_first + first, bytes);
}

/* Reads bytes of a part of a file, in order. */
static bool read_part(void *of, void *into, size_t bytes, size_t *count,
                      struct cli_failure *failure)
{
    struct cli_source *source = of;
    const uint64_t left = source->file_bytes - source->part_at;
    *count = left < bytes ? (size_t)left : bytes;
    if (!cli_source_read_at(source, source->part_at, into, *count, failure))
        return false;
    source->part_at += *count;
    return true;
}

/* ---- The stream -------------------------------------------------------------------------------*/

static bool read_stream(struct cli_source *source, void *into, size_t bytes, size_t *count,
                        struct cli_failure *failure)
{
    if (source->decompressor == NULL)
        return source->read(source->from, into, bytes, count, failure);
    return cli_decompressor_read(source->decompressor, into, bytes, count, failure);
}

/* Reserves memory for `bytes` bytes ahead, and keeps those that it holds. */
static bool reserve(struct cli_source *source, size_t bytes, struct cli_failure *failure)
{
    const size_t held = source->ahead_end - source->ahead_at;
    if (source->ahead_at > 0)
        memmove(source->ahead, source->ahead + source->ahead_at, held);
    source->ahead_at = 0;
    source->ahead_end = held;
    if (bytes <= source->ahead_capacity)
        return true;
    unsigned char *grown = realloc(source->ahead, bytes);
    if (grown == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    source->ahead = grown;
    source->ahead_capacity = bytes;
    return true;
}

bool cli_source_peek(struct cli_source *source, size_t most, const unsigned char **bytes,
                     size_t *count, struct cli_failure *failure)
{
    size_t held = source->ahead_end - source->ahead_at, got = 0;
    if (held < most) {
        if (!reserve(source, most, failure) ||
            !read_stream(source, source->ahead + held, most - held, &got, failure))
            return false;
        source->ahead_end += got;
        held += got;
    }
    *bytes = source->ahead + source->ahead_at;
    *count = held < most ? held : most;
    return true;
}

void cli_source_skip(struct cli_source *source, size_t bytes)
{
    assert(bytes <= source->ahead_end - source->ahead_at);
    source->ahead_at += bytes;
}

bool cli_source_read(struct cli_source *source, void *into, size_t bytes, size_t *count,
                     struct cli_failure *failure)
{
    const size_t held = source->ahead_end - source->ahead_at;
    const size_t first = held < bytes ? held : bytes;
    size_t rest = 0;
    if (first > 0)
        memcpy(into, source->ahead + source->ahead_at, first);
    source->ahead_at += first;
    if (first < bytes && !read_stream(source, (char *)into + first, bytes - first, &rest, failure))
        return false;
    *count = first + rest;
    return true;
}

/* ---- Opening ----------------------------------------------------------------------------------*/

/* Bytes that look like a compressed stream are treated as one. */
static bool find_compression(struct cli_source *source, struct cli_failure *failure)
{
    const unsigned char *bytes = NULL;
    size_t count = 0;
    if (!cli_source_peek(source, CLI_DECOMPRESSOR_MAGIC_BYTES, &bytes, &count, failure))
        return false;
    const char *method = cli_decompressor_recognise(bytes, count);
    if (method == NULL)
        return true;
    source->is_regular = false;
    source->decompressor =
        cli_decompressor_open(method, bytes, count, source->read, source->from, failure);
    source->ahead_at = source->ahead_end = 0; /* the decompressor has them */
    return source->decompressor != NULL;
}

/* A source without a file. */
static struct cli_source *make(struct cli_failure *failure)
{
    struct cli_source *source = calloc(1, sizeof *source);
    if (source == NULL)
        cli_fail(failure, "%s", strerror(ENOMEM));
    else
        source->file = -1;
    return source;
}

struct cli_source *cli_source_open(const char *name, struct cli_failure *failure)
{
    struct cli_source *source = make(failure);
    if (source == NULL)
        return NULL;
    source->read = read_file;
    source->from = source;
    source->name = strdup(name);
    if (source->name == NULL)
        cli_fail(failure, "%s", strerror(ENOMEM));
    else if (open_file(source, failure) && find_compression(source, failure))
        return source;
    cli_source_close(source);
    return NULL;
}

struct cli_source *cli_source_from_input(cli_input *input, void *from, struct cli_failure *failure)
{
    struct cli_source *source = make(failure);
    if (source != NULL) {
        source->read = input;
        source->from = from;
    }
    return source;
}

struct cli_source *cli_source_part(const struct cli_source *whole, uint64_t first, uint64_t bytes,
                                   struct cli_failure *failure)
{
    struct cli_source *source = make(failure);
    if (source != NULL) {
        source->read = read_part;
        source->from = source;
        source->file = whole->file;
        source->is_regular = source->is_part = true;
        source->file_first = whole->file_first + first;
        source->file_bytes = bytes;
    }
    return source;
}

void cli_source_close(struct cli_source *source)
{
    if (source == NULL)
        return;
    cli_decompressor_close(source->decompressor);
    if (source->file >= 0 && !source->is_part)
        close(source->file);
    free(source->ahead);
    free(source->name);
    free(source);
}

bool cli_source_is_file(const struct cli_source *source)
{
    return source->is_regular;
}

uint64_t cli_source_bytes(const struct cli_source *source)
{
    return source->file_bytes;
}

const char *cli_source_name(const struct cli_source *source)
{
    return source->name;
}

const char *cli_source_compression(const struct cli_source *source)
{
    return cli_decompressor_method(source->decompressor);
}

void cli_source_progress(const struct cli_source *source, uint64_t *taken, uint64_t *all)
{
    *taken = atomic_load_explicit(&source->taken, memory_order_relaxed);
    *all = source->file_bytes;
}
