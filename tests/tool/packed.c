/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes compressed streams and archives.
 */
#include "tests/tool/packed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if CLI_HAVE_ZLIB
#include <zlib.h>
#endif
#if CLI_HAVE_ZSTD
#include <zstd.h>
#endif

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static unsigned char *reserve(struct bytes *bytes, size_t count)
{
    if (bytes->capacity < bytes->count + count) {
        bytes->capacity = 2 * (bytes->count + count);
        bytes->at = realloc(bytes->at, bytes->capacity);
        if (bytes->at == NULL)
            give_up("memory");
    }
    return bytes->at + bytes->count;
}

void bytes_add(struct bytes *bytes, const void *more, size_t count)
{
    if (count > 0)
        memcpy(reserve(bytes, count), more, count);
    bytes->count += count;
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->at);
    *bytes = (struct bytes){NULL, 0, 0};
}

struct bytes bytes_read(const char *name)
{
    struct bytes bytes = {NULL, 0, 0};
    unsigned char some[4096];
    FILE *file = fopen(name, "rb");
    if (file == NULL)
        give_up(name);
    for (size_t got; (got = fread(some, 1, sizeof some, file)) > 0;)
        bytes_add(&bytes, some, got);
    fclose(file);
    return bytes;
}

void bytes_write(const struct bytes *bytes, const char *name)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(bytes->at, 1, bytes->count, file) != bytes->count ||
        fclose(file) != 0)
        give_up(name);
}

/* ---- Streams ----------------------------------------------------------------------------------*/

#if CLI_HAVE_ZLIB
static void deflate_bytes(struct bytes *stream, const void *data, size_t count, int window)
{
    z_stream deflater = {.next_in = (Bytef *)data, .avail_in = (uInt)count};
    if (deflateInit2(&deflater, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        give_up("zlib");
    const uLong bound = deflateBound(&deflater, (uLong)count);
    deflater.next_out = reserve(stream, bound);
    deflater.avail_out = (uInt)bound;
    if (deflate(&deflater, Z_FINISH) != Z_STREAM_END)
        give_up("zlib");
    stream->count += deflater.total_out;
    deflateEnd(&deflater);
}
#else
static void deflate_bytes(struct bytes *stream, const void *data, size_t count, int window)
{
    (void)window;
    bytes_add(stream, data, count);
}
#endif

void pack_gzip(struct bytes *stream, const void *data, size_t count)
{
    deflate_bytes(stream, data, count, 15 + 16);
}

void pack_zstd(struct bytes *stream, const void *data, size_t count)
{
#if CLI_HAVE_ZSTD
    const size_t bound = ZSTD_compressBound(count);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    const size_t made = ZSTD_compress2(context, reserve(stream, bound), bound, data, count);
    ZSTD_freeCCtx(context);
    if (ZSTD_isError(made))
        give_up("libzstd");
    stream->count += made;
#else
    bytes_add(stream, data, count);
#endif
}

/* ---- Archives (PKWARE's APPNOTE.TXT, 4.3) -----------------------------------------------------*/

static uint32_t compute_crc(const struct bytes *data)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < data->count; i++) {
        crc ^= data->at[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static void add_number(struct bytes *bytes, uint64_t number, unsigned size)
{
    for (unsigned b = 0; b < size; b++) {
        const unsigned char byte = (unsigned char)(number >> 8 * b);
        bytes_add(bytes, &byte, 1);
    }
}

struct entry {
    uint32_t offset, crc;
    size_t packed;
};

/* Flags, method, time, date, CRC, sizes and the name's length, which both headers have. */
static void add_common(struct bytes *archive, const struct zip_member *member,
                       const struct entry *entry, bool is_large)
{
    add_number(archive, member->flags, 2);
    add_number(archive, member->method != 0 ? member->method : member->is_deflated ? 8 : 0, 2);
    add_number(archive, 0, 2);
    add_number(archive, 0x21, 2); /* the first of January 1980 */
    add_number(archive, entry->crc, 4);
    add_number(archive, is_large ? 0xffffffff : entry->packed, 4);
    add_number(archive, is_large ? 0xffffffff : member->data->count, 4);
    add_number(archive, strlen(member->name), 2);
}

static void add_member(struct bytes *archive, const struct zip_member *member, struct entry *entry)
{
    struct bytes packed = {NULL, 0, 0};
    if (member->is_deflated)
        deflate_bytes(&packed, member->data->at, member->data->count, -15);
    else
        bytes_add(&packed, member->data->at, member->data->count);
    *entry = (struct entry){(uint32_t)archive->count, compute_crc(member->data) ^ member->crc_error,
                            packed.count};
    bytes_add(archive, "PK\3\4", 4);
    add_number(archive, 45, 2);
    add_common(archive, member, entry, member->has_large_sizes);
    add_number(archive, member->has_large_sizes ? 20 : 0, 2);
    bytes_add(archive, member->name, strlen(member->name));
    if (member->has_large_sizes) {
        add_number(archive, 1, 2);
        add_number(archive, 16, 2);
        add_number(archive, member->data->count, 8);
        add_number(archive, packed.count, 8);
    }
    bytes_add(archive, packed.at, packed.count);
    bytes_free(&packed);
}

static void add_entry(struct bytes *archive, const struct zip_member *member,
                      const struct entry *entry)
{
    bytes_add(archive, "PK\1\2", 4);
    add_number(archive, 45, 2);
    add_number(archive, 45, 2);
    add_common(archive, member, entry, false);
    add_number(archive, 0, 8); /* lengths of what else there might be, disk, attributes */
    add_number(archive, 0, 4);
    add_number(archive, entry->offset, 4);
    bytes_add(archive, member->other_name != NULL ? member->other_name : member->name,
              strlen(member->name)); /* equally long */
}

void pack_zip(struct bytes *archive, const struct zip_member *members, size_t count)
{
    struct entry *entries = calloc(count + 1, sizeof *entries);
    if (entries == NULL)
        give_up("memory");
    for (size_t m = 0; m < count; m++)
        add_member(archive, &members[m], &entries[m]);
    const size_t directory = archive->count;
    for (size_t m = 0; m < count; m++)
        add_entry(archive, &members[m], &entries[m]);
    const size_t end = archive->count;
    bytes_add(archive, "PK\5\6", 4);
    add_number(archive, 0, 4);
    add_number(archive, count, 2);
    add_number(archive, count, 2);
    add_number(archive, end - directory, 4);
    add_number(archive, directory, 4);
    add_number(archive, 0, 2);
    free(entries);
}
