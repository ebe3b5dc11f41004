/* SPDX-License-Identifier: Apache-2.0
 *
 * Compressed streams and .zip archives, made in memory. Archives are written one byte after the
 * other and with a CRC of their own, so that they can also be wrong. A build may lack a library.
 */
#ifndef TESTS_CLI_PACKED_H
#define TESTS_CLI_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    unsigned char *at; /* malloc's */
    size_t count, capacity;
};

void bytes_add(struct bytes *bytes, const void *more, size_t count);
void bytes_free(struct bytes *bytes);
struct bytes bytes_read(const char *name);
void bytes_write(const struct bytes *bytes, const char *name);

/* Adds a member or a frame to a stream. */
void pack_gzip(struct bytes *stream, const void *data, size_t count);
void pack_zstd(struct bytes *stream, const void *data, size_t count);

/* A member of an archive. What it should have is 0. */
struct zip_member {
    const char *name;
    const struct bytes *data;
    bool is_deflated;
    bool has_large_sizes;   /* in its header, as NumPy has them there: of 64 bits */
    unsigned flags, method; /* others than it should have */
    uint32_t crc_error;     /* exclusive or */
    const char *other_name; /* in the directory */
};

void pack_zip(struct bytes *archive, const struct zip_member *members, size_t count);

#endif
